import { useSignal } from '@preact/signals';
import { askAsOperator, listAsOperator } from '../../api/operator';
import { Badge } from '../../parts/badge';
import { Button } from '../../parts/button';
import { Dialog } from '../../parts/dialog';
import { Field } from '../../parts/field';
import { ProblemNote } from '../../parts/problem';
import { useWork } from '../../parts/work';
import { place } from '../../router';
import { callbacks } from '../../words/callbacks';
import { moment } from '../../words/language';
import { operator } from '../../words/operator';
import { shell } from '../../words/shell';
import { ChannelChoice, nameOf } from '../operator/channels';
import { usePolled } from '../operator/polled';
import type { Channel, Job } from '../operator/types';

/** Sends again what was given up or cancelled, all that a filter means; and how far such jobs are. */
export function Replays({ channels, onClose }: { channels: readonly Channel[]; onClose: () => void }) {
  const words = callbacks().replays;
  const { query } = place.peek();
  const state = useSignal('dead');
  const channel = useSignal(query.get('channel') ?? '');
  const conversation = useSignal(query.get('conversation') ?? '');
  const task = useWork();
  const jobs = usePolled('replays', 1000, (signal) => listAsOperator<Job>('/admin/v1/replays', 'replays', signal));
  const begin = (): Promise<void> =>
    task.run(async () => {
      const filter = {
        state: state.value,
        ...(channel.value === '' ? {} : { channel_id: channel.value }),
        ...(conversation.value.trim() === '' ? {} : { conversation_id: conversation.value.trim() }),
      };
      await askAsOperator<Job>('/admin/v1/replays', { method: 'POST', body: filter });
      jobs.reload();
    });
  const cancel = (id: number): Promise<void> =>
    task.run(async () => {
      await askAsOperator<Job>(`/admin/v1/replays/${id}/cancel`, { method: 'POST', body: {} });
      jobs.reload();
    });
  const all = jobs.data.value ?? [];
  return (
    <Dialog title={words.title} onClose={onClose} wide>
      <form
        class="form"
        onSubmit={(event) => {
          event.preventDefault();
          void begin();
        }}
      >
        <p class="soft">{words.text}</p>
        <div class="buttons">
          <select aria-label={callbacks().state} value={state.value} onChange={(event) => (state.value = event.currentTarget.value)}>
            <option value="dead">{callbacks().states.dead}</option>
            <option value="cancelled">{callbacks().states.cancelled}</option>
          </select>
          <ChannelChoice all={channels} value={channel.value} onChoose={(id) => (channel.value = id)} />
        </div>
        <Field label={words.conversation} error={task.problem?.about('conversation_id')}>
          {(input) => (
            <input
              {...input}
              class="mono"
              value={conversation.value}
              onInput={(event) => {
                conversation.value = event.currentTarget.value;
              }}
            />
          )}
        </Field>
        {task.problem !== undefined && <ProblemNote problem={task.problem} />}
        <div class="actions">
          <Button type="submit" look="primary" icon="retry" busy={task.busy}>
            {words.submit}
          </Button>
        </div>
      </form>
      <h3>{words.jobs}</h3>
      {jobs.problem.value !== undefined && <ProblemNote problem={jobs.problem.value} />}
      {all.length === 0 ? (
        <p class="soft">{words.none}</p>
      ) : (
        <div class="scrolls" tabIndex={0}>
          <table>
            <tbody>
              {all.map((job) => (
                <tr key={job.id}>
                  <th scope="row">{job.id}</th>
                  <td>
                    {[
                      callbacks().states[job.filter.state === 'cancelled' ? 'cancelled' : 'dead'],
                      job.filter.channel_id === null ? operator().allChannels : nameOf(channels, job.filter.channel_id),
                      job.filter.conversation_id,
                    ]
                      .filter(Boolean)
                      .join(' · ')}
                  </td>
                  <td>{moment(job.began_at)}</td>
                  <td>
                    <Badge tone={job.state === 'done' ? 'good' : 'plain'} icon={job.state === 'done' ? 'check' : 'clock'}>
                      {words.states[job.state]}: {words.progress(job.replayed, job.skipped)}
                    </Badge>
                  </td>
                  <td>
                    {job.state === 'running' && (
                      <Button look="quiet" icon="close" onClick={() => void cancel(job.id)}>
                        {shell().cancel}
                      </Button>
                    )}
                  </td>
                </tr>
              ))}
            </tbody>
          </table>
        </div>
      )}
    </Dialog>
  );
}
