import type { ComponentChildren } from 'preact';
import { useId } from 'preact/hooks';
import './field.css';

interface Props {
  label: string;
  hint?: ComponentChildren;
  /** What is wrong with it now. */
  error?: string | undefined;
  /** Gets what the input must carry so that label, hint and error belong to it. */
  children: (input: { id: string; 'aria-describedby': string | undefined; 'aria-invalid': true | undefined }) => ComponentChildren;
}

/** An input with its label, and below it what helps and what is wrong. */
export function Field({ label, hint, error, children }: Props) {
  const id = useId();
  const [hintId, errorId] = [`${id}-hint`, `${id}-error`];
  const described = [hint === undefined ? '' : hintId, error === undefined ? '' : errorId].join(' ').trim();
  return (
    <div class="field">
      <label for={id}>{label}</label>
      {children({
        id,
        'aria-describedby': described === '' ? undefined : described,
        'aria-invalid': error === undefined ? undefined : true,
      })}
      {hint !== undefined && (
        <p class="hint" id={hintId}>
          {hint}
        </p>
      )}
      {error !== undefined && (
        <p class="wrong" id={errorId}>
          {error}
        </p>
      )}
    </div>
  );
}
