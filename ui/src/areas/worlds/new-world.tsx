import { useSignal } from '@preact/signals';
import { Button } from '../../parts/button';
import { Choices } from '../../parts/choices';
import { Dialog } from '../../parts/dialog';
import { Field } from '../../parts/field';
import { ProblemNote } from '../../parts/problem';
import { typed } from '../../parts/typed';
import { useWork } from '../../parts/work';
import { shell } from '../../words/shell';
import { worlds } from '../../words/worlds';
import { MODES, type Mode } from './types';

interface Props {
  onCreate: (fields: object) => Promise<void>;
  onClose: () => void;
}

/** The longest life of a world, in minutes. */
const LONGEST = 24 * 60;

/** What a new world is called, how its time passes, where its callbacks go, and how long it lives. */
export function NewWorld({ onCreate, onClose }: Props) {
  const words = worlds();
  const name = useSignal('');
  const mode = useSignal<Mode>('skip');
  const webhook = useSignal('');
  // Longer than the worlds of tests live: somebody wants to look at it.
  const minutes = useSignal('60');
  const task = useWork();
  const create = (): Promise<void> =>
    task.run(() =>
      onCreate({
        ...(name.value.trim() === '' ? {} : { name: name.value.trim() }),
        clock: mode.value,
        ...(webhook.value.trim() === '' ? {} : { webhook: webhook.value.trim() }),
        ttl: Math.round(Number(minutes.value) * 60),
      }),
    );
  return (
    <Dialog title={words.create} onClose={onClose}>
      <form
        class="form"
        onSubmit={(event) => {
          event.preventDefault();
          void create();
        }}
      >
        <Field label={words.name} hint={words.nameHint}>
          {(input) => <input {...input} maxLength={100} {...typed(name)} />}
        </Field>
        <div class="stacked">
          <span>{words.clock.title}</span>
          <Choices
            label={words.clock.mode}
            value={mode.value}
            options={MODES.map((value) => ({ value, says: words.clock.modes[value] }))}
            onChoose={(chosen) => {
              mode.value = chosen;
            }}
          />
          <p class="soft">{words.clock.explained[mode.value]}</p>
        </div>
        <Field label={words.facts.webhook} hint={words.webhookHint}>
          {(input) => <input {...input} inputMode="url" placeholder="http://127.0.0.1:3000/callbacks" {...typed(webhook)} />}
        </Field>
        <Field label={words.lifetime} hint={words.lifetimeHint}>
          {(input) => <input {...input} type="number" min="1" max={LONGEST} required {...typed(minutes)} />}
        </Field>
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
