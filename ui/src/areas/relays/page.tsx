import { listAsOperator } from '../../api/operator';
import { Empty } from '../../parts/empty';
import { OperatorGate } from '../../parts/operator-gate';
import { Page } from '../../parts/page';
import { ProblemNote } from '../../parts/problem';
import { Skeleton } from '../../parts/skeleton';
import { number } from '../../words/language';
import { relays as dictionary } from '../../words/relays';
import { open, percentile, read } from '../health/metrics';
import { Pause } from '../operator/pause';
import { usePolled } from '../operator/polled';
import { Split } from '../operator/split';
import { useWalk } from '../operator/walk';
import { RelayView } from './relay';
import './relays.css';
import { Troubles } from './standing';
import { ALL, type Relay } from './types';

/** All relays: page by page, as every list. */
const relays = (signal: AbortSignal): Promise<Relay[]> => listAsOperator<Relay>(ALL, 'relays', signal);

export function RelaysPage({ id }: { id?: string | undefined }) {
  return <OperatorGate title={dictionary().title}>{() => <Relays id={id} />}</OperatorGate>;
}

const at = (id: string): string => `/relays/${encodeURIComponent(id)}`;

/** All relays of the configuration, and the one that the address names, or the only one. */
function Relays({ id }: { id: string | undefined }) {
  const words = dictionary();
  const loaded = usePolled('relays', 2000, relays);
  const all = loaded.data.value;
  const problem = loaded.problem.value;
  const only = all?.length === 1 ? all[0]?.channel_id : undefined;
  const chosen = id ?? only;
  useWalk({ rows: (all ?? []).map((it) => ({ id: it.channel_id })), selected: id, at, words });
  return (
    <Page title={words.title} about={id} actions={<Pause />} fills>
      <Split
        label={words.list}
        narrow={<Answers />}
        isChosen={id !== undefined}
        home="/relays"
        rows={
          <>
            {problem !== undefined && <ProblemNote problem={problem} retry={loaded.reload} />}
            {all === undefined && problem === undefined && <Skeleton />}
            {all?.length === 0 && (
              <Empty title={words.empty}>
                <p>{words.emptyText}</p>
              </Empty>
            )}
            <ul>
              {all?.map((relay) => (
                <li key={relay.channel_id}>
                  <a class="line" href={at(relay.channel_id)} aria-current={relay.channel_id === chosen ? 'true' : undefined}>
                    <span>{relay.channel_id}</span>
                    <span class="under relay-told">
                      <Troubles relay={relay} />
                    </span>
                    <span class="under relay-told">{numbers(relay)}</span>
                  </a>
                </li>
              ))}
            </ul>
          </>
        }
      >
        {chosen === undefined ? all !== undefined && all.length > 0 && <Empty title={words.choose} /> : <RelayView key={chosen} id={chosen} onChange={loaded.reload} />}
      </Split>
    </Page>
  );
}

/** How much a relay has taken, and how much waits at all of its targets, or was given up there. */
function numbers({ taken, targets }: Relay): string {
  const words = dictionary();
  const sum = (count: 'waiting' | 'delivered' | 'dead'): number => targets.reduce((total, target) => total + target[count], 0);
  const shown: readonly [string, number][] = [
    [words.taken, taken],
    [words.waiting, sum('waiting')],
    [words.delivered, sum('delivered')],
    [words.dead, sum('dead')],
  ];
  return shown.map(([name, count]) => `${name}: ${number(count)}`).join(' · ');
}

/** The time within which 99 of 100 hooks were answered, of all relays together. */
function Answers() {
  const words = dictionary();
  const loaded = usePolled('relay-answers', 5000, async (signal) => read(await open('/metrics', signal)));
  const most = loaded.data.value === undefined ? undefined : percentile(loaded.data.value, 'relay_answer_seconds', 0.99);
  return <p class="soft">{most === undefined ? words.text : words.answers(most === Infinity ? words.longest : words.milliseconds(number(most * 1000)))}</p>;
}
