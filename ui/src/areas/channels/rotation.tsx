import { useSignal } from '@preact/signals';
import { askAsOperator } from '../../api/operator';
import { Button } from '../../parts/button';
import { Dialog } from '../../parts/dialog';
import { Field } from '../../parts/field';
import { ProblemNote } from '../../parts/problem';
import { useWork } from '../../parts/work';
import { channels } from '../../words/channels';
import { moment } from '../../words/language';
import { shell } from '../../words/shell';
import { Fact, Facts, Part } from '../operator/facts';
import type { Channel } from '../operator/types';

interface Props {
  channel: Channel;
  path: string;
  onChange: (channel: Channel) => void;
  onSecret: (channel: Channel) => void;
}

/** What callbacks are signed with, and how another secret takes its place. */
export function Rotation({ channel, path, onChange, onSecret }: Props) {
  const words = channels().secret;
  const asking = useSignal(false);
  const hours = useSignal('24');
  const task = useWork();
  const rotate = (): Promise<void> =>
    task.run(async () => {
      const body = { grace_seconds: Math.round(Number(hours.value) * 3600) };
      const made = await askAsOperator<Channel>(`${path}/rotate-secret`, { method: 'POST', body });
      asking.value = false;
      onChange(made);
      onSecret(made);
    });
  const end = (): Promise<void> =>
    task.run(async () => {
      onChange(await askAsOperator<Channel>(`${path}/end-rotation`, { method: 'POST', body: {} }));
    });
  const { rotation } = channel;
  const actions =
    rotation === null ? (
      <Button icon="retry" onClick={() => (asking.value = true)}>
        {words.rotate}
      </Button>
    ) : (
      <Button icon="check" busy={task.busy} onClick={() => void end()}>
        {words.end}
      </Button>
    );
  return (
    <Part title={words.title} actions={actions}>
      {!asking.value && task.problem !== undefined && <ProblemNote problem={task.problem} />}
      {rotation !== null && <p class="note warn">{words.rotating(moment(rotation.ends_at))}</p>}
      <Facts>
        <Fact name={words.fingerprint} copy={channel.secret_fingerprint}>
          <code>{channel.secret_fingerprint}</code>
        </Fact>
        {rotation !== null && (
          <Fact name={words.old}>
            <code>{rotation.old_secret_fingerprint}</code>
          </Fact>
        )}
      </Facts>
      {asking.value && (
        <Dialog title={words.rotate} onClose={() => (asking.value = false)}>
          <form
            class="form"
            onSubmit={(event) => {
              event.preventDefault();
              void rotate();
            }}
          >
            <p>{words.text}</p>
            <Field label={words.grace} hint={words.graceHint} error={task.problem?.about('grace_seconds')}>
              {(input) => (
                <input
                  {...input}
                  type="number"
                  min="0"
                  max="720"
                  step="any"
                  required
                  value={hours.value}
                  onInput={(event) => {
                    hours.value = event.currentTarget.value;
                  }}
                />
              )}
            </Field>
            {task.problem !== undefined && <ProblemNote problem={task.problem} />}
            <div class="actions">
              <Button onClick={() => (asking.value = false)}>{shell().cancel}</Button>
              <Button type="submit" look="primary" busy={task.busy}>
                {words.rotate}
              </Button>
            </div>
          </form>
        </Dialog>
      )}
    </Part>
  );
}
