import { inbox } from '../../../words/inbox';
import { team } from '../../../words/team';
import { Choosing } from './choosing';
import { Mentioned } from './mentioned';
import { USERS, STATUSES, shown } from './filters';
import { narrowTo } from './store';
import { Views } from './views/menu';
import './narrow.css';
import './owner';

interface Props<T extends string> {
  label: string;
  value: T;
  words: Record<T, string>;
  values: readonly T[];
  onChoose: (value: T) => void;
}

/** The filters by responsible user and by status, and the ways to change several conversations at once. */
export function Narrow() {
  const words = team().filters;
  const { responsible, status } = shown.value;
  return (
    <>
      <Choice
        label={inbox().details.responsible}
        value={responsible}
        words={words.responsible}
        values={USERS}
        onChoose={(responsible) => narrowTo({ responsible })}
      />
      <Choice label={words.status} value={status} words={words.statuses} values={STATUSES} onChoose={(status) => narrowTo({ status })} />
      <Mentioned />
      <Views />
      <Choosing />
    </>
  );
}

function Choice<T extends string>({ label, value, words, values, onChoose }: Props<T>) {
  return (
    <select
      class="narrow-choice"
      aria-label={label}
      value={value}
      onChange={(event) => {
        const chosen = values.find((it) => it === event.currentTarget.value);
        if (chosen !== undefined) onChoose(chosen);
      }}
    >
      {values.map((it) => (
        <option key={it} value={it} selected={it === value}>
          {words[it]}
        </option>
      ))}
    </select>
  );
}
