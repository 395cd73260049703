import { listAsOperator } from '../../api/operator';
import { Problem } from '../../api/client';
import { Badge } from '../../parts/badge';
import { OperatorGate } from '../../parts/operator-gate';
import { Page } from '../../parts/page';
import { ProblemNote } from '../../parts/problem';
import { Skeleton } from '../../parts/skeleton';
import { health } from '../../words/health';
import { moment, number } from '../../words/language';
import { lasting } from '../../words/shell';
import { useChannels } from '../operator/channels';
import { Fact, Facts, Part } from '../operator/facts';
import { Pause } from '../operator/pause';
import { usePolled } from '../operator/polled';
import type { Endpoint } from '../operator/types';
import { ALL, type Relay } from '../relays/types';
import { Endpoints } from './endpoints';
import { Figures } from './figures';
import './health.css';
import { type Metrics, labelOf, open, read, sum } from './metrics';
import { type Node, SharedLog } from './node';
import { Relays } from './relays';

interface Ready {
  ready: boolean;
  checks: { store: string; draining: boolean };
  /** Only with a shared log. */
  node?: Node;
}

interface State {
  ready: Ready;
  metrics: Metrics;
  /** Or why there are none: a node that does not own the shared log answers only how it is. */
  endpoints: Endpoint[] | Problem;
  relays: Relay[];
}

async function load(signal: AbortSignal): Promise<State> {
  const without = (failure: unknown): Problem => {
    if (failure instanceof Problem && failure.status === 503) return failure;
    throw failure;
  };
  const [answer, metrics, endpoints, relays] = await Promise.all([
    open('/readyz', signal),
    open('/metrics', signal),
    listAsOperator<Endpoint>('/admin/v1/endpoints', 'endpoints', signal).catch(without),
    listAsOperator<Relay>(ALL, 'relays', signal).catch(without),
  ]);
  const ready = JSON.parse(answer) as Ready;
  if (endpoints instanceof Problem && (ready.ready || ready.node === undefined)) throw endpoints;
  return { ready, metrics: read(metrics), endpoints, relays: relays instanceof Problem ? [] : relays };
}

/** In one sentence whether the service takes work, and why not. */
function standing({ ready, checks, node }: Ready): string {
  const words = health();
  if (ready) return words.ready;
  if (checks.draining) return words.draining;
  // What else keeps the node of a shared log from work.
  return node !== undefined && checks.store === 'ok' ? words.sharedLog.unconfirmed : words.notReady(checks.store);
}

export function HealthPage() {
  return <OperatorGate title={health().title}>{() => <Health />}</OperatorGate>;
}

/** How the service is, and the addresses that callbacks go to. */
function Health() {
  const words = health();
  const loaded = usePolled('health', 3000, load);
  const channels = useChannels();
  const state = loaded.data.value;
  const node = state?.ready.node;
  return (
    <Page title={words.title} actions={<Pause />}>
      {loaded.problem.value !== undefined && <ProblemNote problem={loaded.problem.value} retry={loaded.reload} />}
      {state === undefined && loaded.problem.value === undefined && <Skeleton />}
      {state !== undefined && (
        <div class="health">
          <p class={state.ready.ready ? 'note good' : 'note bad'} role="status">
            <Badge tone={state.ready.ready ? 'good' : 'bad'} icon={state.ready.ready ? 'check' : 'warning'}>
              {standing(state.ready)}
            </Badge>
          </p>
          {/* An owner that the log does not confirm cannot know what it lacks. */}
          {node !== undefined && <SharedLog node={node} lag={node.role === 'standby' || state.ready.ready} />}
          {state.endpoints instanceof Problem ? (
            <ProblemNote problem={state.endpoints} retry={loaded.reload} />
          ) : (
            <>
              <Figures metrics={state.metrics} />
              {state.relays.length > 0 && <Relays relays={state.relays} />}
              <Part title={words.endpoints.title}>
                <Endpoints endpoints={state.endpoints} channels={channels} onChange={loaded.reload} />
              </Part>
              <details class="rest">
                <summary>{words.rest}</summary>
                <Numbers metrics={state.metrics} />
              </details>
            </>
          )}
        </div>
      )}
    </Page>
  );
}

function Numbers({ metrics }: { metrics: Metrics }) {
  const words = health();
  const of = (name: string): string => number(sum(metrics, name));
  const requests = (status: string): string => number(metrics.get(`switchboard_http_requests_total{status="${status}"}`) ?? 0);
  return (
    <div class="numbers">
      <Part title={words.callbacks.title}>
        <Facts>
          <Fact name={words.callbacks.held}>{of('dispatch_held')}</Fact>
          <Fact name={words.callbacks.inFlight}>{of('dispatch_in_flight')}</Fact>
          <Fact name={words.callbacks.delivered}>{of('dispatch_delivered_total')}</Fact>
          <Fact name={words.callbacks.refused}>{of('dispatch_refused_total')}</Fact>
        </Facts>
      </Part>
      <Part title={words.data.title}>
        <Facts>
          <Fact name={words.data.writable}>{sum(metrics, 'journal_writable') > 0 ? words.yes : words.no}</Fact>
          <Fact name={words.data.records}>{of('journal_records_total')}</Fact>
          <Fact name={words.data.pending}>{of('index_pending_records')}</Fact>
          <Fact name={words.data.failed}>{of('index_checkpoints_failed_total')}</Fact>
        </Facts>
      </Part>
      {metrics.has('switchboard_archive_age_seconds') && (
        <Part title={words.archive.title}>
          <Facts>
            <Fact name={words.archive.works}>{sum(metrics, 'archive_failing') > 0 ? words.no : words.yes}</Fact>
            <Fact name={words.archive.records}>{of('archive_records_total')}</Fact>
            <Fact name={words.archive.age}>{lasting(sum(metrics, 'archive_age_seconds'))}</Fact>
          </Facts>
        </Part>
      )}
      <Part title={words.service.title}>
        <Facts>
          <Fact name={words.service.version}>{labelOf(metrics, 'build_info', 'version')}</Fact>
          <Fact name={words.service.since}>{moment(sum(metrics, 'process_start_time_seconds'))}</Fact>
          <Fact name={words.service.answered}>{requests('2xx')}</Fact>
          <Fact name={words.service.refused}>{requests('4xx')}</Fact>
          <Fact name={words.service.failed}>{requests('5xx')}</Fact>
          <Fact name={words.service.actors}>{of('actors_live')}</Fact>
          <Fact name={words.service.deaths}>{of('actors_deaths_total')}</Fact>
        </Facts>
      </Part>
    </div>
  );
}
