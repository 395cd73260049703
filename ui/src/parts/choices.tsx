import { type Count, counted } from '../live/counts';
import './choices.css';

interface Props<T extends string> {
  label: string;
  value: T;
  options: readonly { value: T; says: string; count?: Count | undefined }[];
  onChoose: (value: T) => void;
}

/** A few filters of which one holds. */
export function Choices<T extends string>({ label, value, options, onChoose }: Props<T>) {
  return (
    <div class="choices" role="group" aria-label={label}>
      {options.map((option) => (
        <button key={option.value} type="button" aria-pressed={option.value === value} onClick={() => onChoose(option.value)}>
          {option.says}
          {option.count !== undefined && option.count.count > 0 && <span class="count">{counted(option.count)}</span>}
        </button>
      ))}
    </div>
  );
}
