import { askAsOperator } from '../../api/operator';
import { Badge, type Tone } from '../../parts/badge';
import { Button } from '../../parts/button';
import type { IconName } from '../../parts/icon';
import { ProblemNote } from '../../parts/problem';
import { useWork } from '../../parts/work';
import { health } from '../../words/health';
import { moment, number } from '../../words/language';
import { reasonOf } from '../../words/reasons';
import { answerOf } from '../callbacks/state';
import { nameOf } from '../operator/channels';
import type { Channel, Endpoint } from '../operator/types';

const LOOKS: Record<Endpoint['health'], readonly [Tone, IconName]> = {
  healthy: ['good', 'check'],
  failing: ['warn', 'warning'],
  slow_start: ['info', 'clock'],
  open: ['bad', 'warning'],
  paused: ['warn', 'paused'],
  disabled: ['bad', 'stopped'],
  switched_off: ['plain', 'paused'],
  no_address: ['plain', 'stopped'],
};

/** What needs somebody comes first. */
const URGENT: readonly Endpoint['health'][] = [
  'disabled',
  'open',
  'failing',
  'paused',
  'slow_start',
  'healthy',
  'switched_off',
  'no_address',
];

/** Every address that callbacks go to: whether it takes them, and what it said last when it did not. */
export function Endpoints({ endpoints, channels, onChange }: { endpoints: readonly Endpoint[]; channels: readonly Channel[]; onChange: () => void }) {
  const words = health().endpoints;
  const task = useWork();
  const enable = (endpoint: Endpoint): Promise<void> =>
    task.run(async () => {
      const path = `/admin/v1/endpoints/${encodeURIComponent(endpoint.channel_id)}/${endpoint.version}/enable`;
      await askAsOperator<void>(path, { method: 'POST', body: {} });
      onChange();
    });
  const sorted = [...endpoints].sort(
    (one, other) => URGENT.indexOf(one.health) - URGENT.indexOf(other.health) || other.queued - one.queued,
  );
  if (endpoints.length === 0) return <p class="soft">{words.none}</p>;
  return (
    <>
      {task.problem !== undefined && <ProblemNote problem={task.problem} />}
      <div class="scrolls" tabIndex={0}>
        <table class="endpoints">
          <thead>
            <tr>
              <th scope="col">{words.endpoint}</th>
              <th scope="col">{words.health}</th>
              <th scope="col">{words.queue}</th>
              <th scope="col">{words.lastError}</th>
              <th scope="col">{words.lastSuccess}</th>
            </tr>
          </thead>
          <tbody>
            {sorted.map((endpoint) => (
              <tr key={`${endpoint.channel_id} ${endpoint.version}`}>
                <th scope="row">
                  <a href={`/channels/${encodeURIComponent(endpoint.channel_id)}`}>{nameOf(channels, endpoint.channel_id)}</a>{' '}
                  {endpoint.version}
                  <div class="soft">{endpoint.address ?? words.noAddress}</div>
                </th>
                <td>
                  <Standing endpoint={endpoint} />
                  {endpoint.health === 'disabled' && (
                    <Button icon="check" busy={task.busy} onClick={() => void enable(endpoint)}>
                      {words.enable}
                    </Button>
                  )}
                </td>
                <td>
                  {number(endpoint.queued)}
                  {endpoint.oldest_queued_at !== null && <div class="soft">{words.since(moment(endpoint.oldest_queued_at))}</div>}
                </td>
                <td>
                  {endpoint.last_error === null ? (
                    '—'
                  ) : (
                    <>
                      <strong>{answerOf(endpoint.last_error)}</strong> <span class="soft">{moment(endpoint.last_error.at)}</span>
                      {endpoint.last_error.excerpt !== '' && <code class="excerpt" tabIndex={0}>{endpoint.last_error.excerpt}</code>}
                    </>
                  )}
                </td>
                <td>{endpoint.succeeded_at === null ? '—' : moment(endpoint.succeeded_at)}</td>
              </tr>
            ))}
          </tbody>
        </table>
      </div>
    </>
  );
}

function Standing({ endpoint }: { endpoint: Endpoint }) {
  const words = health().endpoints;
  const [tone, icon] = LOOKS[endpoint.health];
  return (
    <>
      <Badge tone={tone} icon={icon}>
        {words.states[endpoint.health]}
      </Badge>
      {reasonOf(endpoint) !== '' && <div class="soft">{reasonOf(endpoint)}</div>}
      {endpoint.next_probe_at !== undefined && <div class="soft">{words.probe(moment(endpoint.next_probe_at))}</div>}
      {/* One callback that fails is no trouble of an endpoint that accepts others. */}
      {endpoint.failing_since !== null && endpoint.health !== 'healthy' && <div class="soft">{words.failing(moment(endpoint.failing_since))}</div>}
    </>
  );
}
