import { useSignal } from '@preact/signals';
import { Button } from '../../parts/button';
import { Dialog } from '../../parts/dialog';
import { Field } from '../../parts/field';
import { ProblemNote } from '../../parts/problem';
import { typed } from '../../parts/typed';
import { useWork } from '../../parts/work';
import { shell } from '../../words/shell';
import { webhooks } from '../../words/webhooks';
import type { Code } from './types';

interface Props {
  /** The events that never happen. */
  never: readonly Code[];
  onSave: (destination: string, settings: readonly Code[]) => Promise<void>;
  onClose: () => void;
}

/** A new webhook: its address and its events. */
export function Editor({ never, onSave, onClose }: Props) {
  const words = webhooks();
  const destination = useSignal('');
  const chosen = useSignal<readonly Code[]>([]);
  const task = useWork();
  const all = Object.keys(words.codes) as Code[];
  const groups = [
    { title: words.settings, codes: all.filter((code) => !never.includes(code)) },
    { title: words.neverTitle, codes: all.filter((code) => never.includes(code)) },
  ];
  const choose = (code: Code, isChosen: boolean): void => {
    const others = chosen.value.filter((it) => it !== code);
    chosen.value = isChosen ? [...others, code] : others;
  };
  return (
    <Dialog title={words.create} onClose={onClose}>
      <form
        class="form"
        onSubmit={(event) => {
          event.preventDefault();
          void task.run(() => onSave(destination.value.trim(), chosen.value));
        }}
      >
        <Field label={words.destination} hint={words.destinationHint} error={task.problem?.about('destination')}>
          {(input) => <input {...input} required inputMode="url" maxLength={2048} placeholder="https://hooks.example.org/in" {...typed(destination)} />}
        </Field>
        {groups.map(({ title, codes }) => (
          <fieldset key={title}>
            <legend>{title}</legend>
            {codes.map((code) => (
              <label key={code} class="check">
                <input type="checkbox" checked={chosen.value.includes(code)} onChange={(event) => choose(code, event.currentTarget.checked)} />
                {words.codes[code]}
              </label>
            ))}
          </fieldset>
        ))}
        {task.problem !== undefined && <ProblemNote problem={task.problem} />}
        <div class="actions">
          <Button onClick={onClose}>{shell().cancel}</Button>
          <Button type="submit" look="primary" busy={task.busy}>
            {words.create}
          </Button>
        </div>
      </form>
    </Dialog>
  );
}
