import { useSignal } from '@preact/signals';
import { useEffect } from 'preact/hooks';
import { askAsOperator } from '../../api/operator';
import { Button } from '../../parts/button';
import { ProblemNote } from '../../parts/problem';
import { Skeleton } from '../../parts/skeleton';
import { useWork } from '../../parts/work';
import { callbacks } from '../../words/callbacks';
import { moment } from '../../words/language';
import { operator } from '../../words/operator';
import { reasonOf } from '../../words/reasons';
import { nameOf } from '../operator/channels';
import { Fact, Facts } from '../operator/facts';
import { usePolled } from '../operator/polled';
import type { Channel, Delivery } from '../operator/types';
import { Attempts } from './attempts';
import { Replay, isOver } from './replay';
import { Request } from './request';
import { StateBadge } from './state';

/** One callback: where it stands, what was tried, what is sent, and what may be done about it. */
export function Callback({ id, channels }: { id: string; channels: readonly Channel[] }) {
  const words = callbacks();
  const path = `/admin/v1/deliveries/${encodeURIComponent(id)}`;
  const loaded = usePolled(id, 2000, (signal) => askAsOperator<Delivery>(path, { signal }));
  const task = useWork();
  const sure = useSignal(false);
  const delivery = loaded.data.value;
  const act = (what: string): Promise<void> =>
    task.run(async () => {
      loaded.data.value = await askAsOperator<Delivery>(`${path}/${what}`, { method: 'POST', body: {} });
      sure.value = false;
    });
  const state = delivery?.state;
  // A second wish is one for what was seen when the first was made.
  useEffect(() => {
    sure.value = false;
  }, [state]);
  if (delivery === undefined) {
    return loaded.problem.value === undefined ? <Skeleton /> : <ProblemNote problem={loaded.problem.value} retry={loaded.reload} />;
  }
  return (
    <article>
      <header class="head">
        <h2 aria-live="polite">
          <StateBadge state={delivery.state} />
        </h2>
        <div class="buttons">
          <Replay state={delivery.state} says={words.replay} busy={task.busy} onReplay={() => void act('replay')} />
          {!isOver(delivery.state) &&
            (sure.value ? (
              <Button look="danger" icon="trash" busy={task.busy} onClick={() => void act('discard')}>
                {words.discardSure}
              </Button>
            ) : (
              <Button icon="trash" onClick={() => (sure.value = true)}>
                {words.discard}
              </Button>
            ))}
        </div>
      </header>
      {task.problem !== undefined && <ProblemNote problem={task.problem} />}
      {loaded.problem.value !== undefined && <ProblemNote problem={loaded.problem.value} retry={loaded.reload} />}
      {reasonOf(delivery) !== '' && <p class="note">{reasonOf(delivery)}</p>}
      <Facts>
        <Fact name={words.message} copy={delivery.id}>
          <code>{delivery.id}</code>
        </Fact>
        <Fact name={words.type}>{words.types[delivery.type]}</Fact>
        <Fact name={words.conversation} copy={delivery.conversation_id}>
          <a href={`/conversations/${encodeURIComponent(delivery.conversation_id)}`}>
            <code>{delivery.conversation_id}</code>
          </a>
        </Fact>
        <Fact name={operator().channel}>
          <a href={`/channels/${encodeURIComponent(delivery.channel_id)}`}>{nameOf(channels, delivery.channel_id)}</a>
        </Fact>
        <Fact name={operator().scope} copy={delivery.scope_id}>
          <code>{delivery.scope_id}</code>
        </Fact>
        <Fact name={words.written}>{moment(delivery.written_at)}</Fact>
        {delivery.next_attempt_at !== null && <Fact name={words.nextAttempt}>{moment(delivery.next_attempt_at)}</Fact>}
        {delivery.replays > 0 && <Fact name={words.replayed}>{words.times(delivery.replays)}</Fact>}
      </Facts>
      <Attempts log={delivery.log} omitted={delivery.log_omitted} />
      <Request path={path} attempts={delivery.attempts} />
    </article>
  );
}
