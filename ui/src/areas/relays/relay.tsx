import { useSignal } from '@preact/signals';
import { askAsOperator } from '../../api/operator';
import { Button } from '../../parts/button';
import { Confirm } from '../../parts/confirm';
import { ProblemNote } from '../../parts/problem';
import { Skeleton } from '../../parts/skeleton';
import { moment, number } from '../../words/language';
import { relays } from '../../words/relays';
import { Fact, Facts } from '../operator/facts';
import { usePolled } from '../operator/polled';
import { Hooks } from './hooks';
import { News, WrongSignatures } from './notes';
import { Replay } from './replay';
import { Troubles } from './standing';
import { Targets } from './targets';
import { type Relay, type RelayDetail, pathOf } from './types';

/** One relay: its targets, its hooks, what was refused, and what the operator may do about it. */
export function RelayView({ id, onChange }: { id: string; onChange: () => void }) {
  const words = relays();
  const loaded = usePolled(id, 2000, (signal) => askAsOperator<RelayDetail>(pathOf(id), { signal }));
  const turning = useSignal(false);
  const replaying = useSignal(false);
  const detail = loaded.data.value;
  const problem = loaded.problem.value;
  if (detail === undefined) return problem === undefined ? <Skeleton /> : <ProblemNote problem={problem} retry={loaded.reload} />;
  const { relay } = detail;
  const turn = async (): Promise<void> => {
    const changed = await askAsOperator<Relay>(`${pathOf(id)}/${relay.paused ? 'resume' : 'pause'}`, { method: 'POST', body: {} });
    loaded.data.value = { ...detail, relay: changed };
    turning.value = false;
    onChange();
  };
  return (
    <article>
      <header class="head">
        <h2>{relay.channel_id}</h2>
        <div class="buttons">
          <Button icon="retry" onClick={() => (replaying.value = true)}>
            {words.replay.open}
          </Button>
          <Button icon={relay.paused ? 'send' : 'paused'} look={relay.paused ? 'primary' : 'plain'} onClick={() => (turning.value = true)}>
            {relay.paused ? words.resume.open : words.pause.open}
          </Button>
        </div>
      </header>
      {problem !== undefined && <ProblemNote problem={problem} retry={loaded.reload} />}
      <p class="relay-state" role="status">
        <Troubles relay={relay} />
      </p>
      {relay.pages_since !== null && <p class="note bad">{words.pages(moment(relay.pages_since))}</p>}
      <Facts>
        <Fact name={words.path} copy={relay.from}>
          <code>{relay.from}</code>
        </Fact>
        <Fact name={words.taken}>{number(relay.taken)}</Fact>
        <Fact name={words.repeated}>{number(relay.repeated)}</Fact>
        <Fact name={words.refused}>{refusals(relay)}</Fact>
      </Facts>
      <Targets targets={relay.targets} />
      <Hooks relay={relay} />
      <WrongSignatures hooks={detail.wrong_signatures} />
      <News news={detail.news} />
      {turning.value && (
        <Confirm
          {...(relay.paused ? words.resume : words.pause)}
          icon={relay.paused ? 'send' : 'paused'}
          onConfirm={turn}
          onClose={() => (turning.value = false)}
        />
      )}
      {replaying.value && <Replay relay={relay} onDone={onChange} onClose={() => (replaying.value = false)} />}
    </article>
  );
}

/** The numbers of refused hooks, by reason. */
function refusals({ refused }: Relay): string {
  const { reasons } = relays();
  const some = Object.entries(refused).filter(([, count]) => count > 0);
  return some.map(([reason, count]) => `${reasons[reason] ?? reason}: ${number(count)}`).join(' · ') || number(0);
}
