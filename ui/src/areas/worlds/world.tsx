import { useSignal } from '@preact/signals';
import { useRef } from 'preact/hooks';
import { askAsOperator } from '../../api/operator';
import { Button } from '../../parts/button';
import { Confirm } from '../../parts/confirm';
import { Empty } from '../../parts/empty';
import { ProblemNote } from '../../parts/problem';
import { Skeleton } from '../../parts/skeleton';
import { moment } from '../../words/language';
import { worlds } from '../../words/worlds';
import { pathOf, secondsOf } from './address';
import { Clock } from './clock';
import { WorldFacts } from './facts';
import { Faults } from './faults';
import { Journal } from './journal';
import { useJournal } from './happened';
import type { Ended, World } from './types';

interface Props {
  id: string;
  /** Undefined before it is known, and when it is no more. */
  world: World | undefined;
  /** Somebody changed it: it is to be looked at again. */
  onChange: () => void;
}

/** The statuses of a world that never was, and of one that ended too long ago for its journal to be kept. */
const [MISSING, GONE] = [404, 410];

/** One world: how it is reached, its clock, what goes wrong in it on order, and what happened. */
export function WorldView({ id, world, onChange }: Props) {
  const words = worlds();
  const journal = useJournal(id);
  const ending = useSignal(false);
  /** What was last known of it: it stays when the world is no more. */
  const known = useRef(world);
  known.current = world ?? known.current;
  const shown = known.current;
  const path = pathOf(id);
  const happened = journal.data.value;
  const problem = journal.problem.value;
  const change = (): void => {
    onChange();
    journal.reload();
  };
  const end = async (): Promise<void> => {
    await askAsOperator<void>(path, { method: 'DELETE' });
    ending.value = false;
    change();
  };
  if (happened === undefined && problem === undefined) return <Skeleton />;
  if (happened === undefined && problem?.status === MISSING) return <Empty title={words.missing} />;
  if (happened === undefined && problem?.status === GONE) {
    return (
      <Empty title={words.gone}>
        <p lang="en">{problem.detail}</p>
      </Empty>
    );
  }
  const ended = happened?.ended ?? undefined;
  const isThere = world !== undefined && ended === undefined;
  return (
    <article>
      <header class="head">
        <h2>
          <bdi>{shown?.name ?? id}</bdi> {shown?.name != null && <span class="soft">{id}</span>}
        </h2>
        {isThere && (
          <Button icon="trash" onClick={() => (ending.value = true)}>
            {words.end}
          </Button>
        )}
      </header>
      {problem !== undefined && <ProblemNote problem={problem} retry={journal.reload} />}
      {ended !== undefined && <EndNote ended={ended} />}
      {isThere && world.faults.length > 0 && <Faults faults={world.faults} path={path} onChange={change} />}
      {shown !== undefined && <WorldFacts world={shown} />}
      {isThere && <Clock clock={world.clock} path={path} onChange={change} />}
      {happened !== undefined && <Journal id={id} happened={happened} />}
      {ending.value && (
        <Confirm
          title={words.endTitle(shown?.name ?? id)}
          text={words.endText}
          action={words.end}
          icon="trash"
          onConfirm={end}
          onClose={() => (ending.value = false)}
        />
      )}
    </article>
  );
}

/** That a world is no more, since when and why. */
function EndNote({ ended }: { ended: Ended }) {
  const words = worlds();
  return (
    <div class="note" role="status">
      <p>
        <strong>{words.ended(moment(secondsOf(ended.at)))}</strong>
      </p>
      <p lang="en">{ended.why}</p>
    </div>
  );
}
