import { useSignal } from '@preact/signals';
import { askAsOperator } from '../../api/operator';
import { Button } from '../../parts/button';
import { Dialog } from '../../parts/dialog';
import { Field } from '../../parts/field';
import { ProblemNote } from '../../parts/problem';
import { useWork } from '../../parts/work';
import { relays } from '../../words/relays';
import { shell } from '../../words/shell';
import { targetOf } from './standing';
import { secondsOf } from './times';
import { type Relay, pathOf } from './types';

interface Props {
  relay: Relay;
  /** The message whose hook is sent again; all hooks of a time without. */
  message?: string | undefined;
  onDone: () => void;
  onClose: () => void;
}

/** Sends a hook again, or all of a time, to one of the targets. */
export function Replay({ relay, message, onDone, onClose }: Props) {
  const words = relays().replay;
  const target = useSignal('0');
  const [from, until] = [useSignal(''), useSignal('')];
  const count = useSignal<number | undefined>(undefined);
  const task = useWork();
  const send = (): Promise<void> =>
    task.run(async () => {
      const which = message === undefined ? { from: secondsOf(from.value), until: secondsOf(until.value) } : { message_id: message };
      const body = { ...which, target: Number(target.value) };
      const answer = await askAsOperator<{ replayed: number }>(`${pathOf(relay.channel_id)}/replay`, { method: 'POST', body });
      count.value = answer.replayed;
      onDone();
    });
  return (
    <Dialog title={message === undefined ? words.ofTime : words.ofHook} onClose={onClose}>
      <form
        class="form"
        onSubmit={(event) => {
          event.preventDefault();
          void send();
        }}
      >
        <p>{message === undefined ? words.timeText : words.hookText(message)}</p>
        <Field label={relays().target} error={task.problem?.about('target')}>
          {(input) => (
            <select {...input} value={target.value} onChange={(event) => (target.value = event.currentTarget.value)}>
              {relay.targets.map(({ place }) => (
                <option key={place} value={String(place)}>
                  {targetOf(place)}
                </option>
              ))}
            </select>
          )}
        </Field>
        {message === undefined && (
          <>
            <Field label={relays().from} error={task.problem?.about('from')}>
              {(input) => (
                <input {...input} type="datetime-local" step="1" required value={from.value} onInput={(event) => (from.value = event.currentTarget.value)} />
              )}
            </Field>
            <Field label={relays().until} error={task.problem?.about('until')}>
              {(input) => (
                <input {...input} type="datetime-local" step="1" required value={until.value} onInput={(event) => (until.value = event.currentTarget.value)} />
              )}
            </Field>
          </>
        )}
        {task.problem !== undefined && <ProblemNote problem={task.problem} />}
        <p role="status" class="replayed">
          {count.value !== undefined && words.count(count.value)}
        </p>
        <div class="actions">
          <Button onClick={onClose}>{shell().close}</Button>
          {count.value === undefined && (
            <Button type="submit" look="primary" icon="retry" busy={task.busy}>
              {words.submit}
            </Button>
          )}
        </div>
      </form>
    </Dialog>
  );
}
