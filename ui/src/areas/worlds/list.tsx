import { useSignal } from '@preact/signals';
import type { ComponentChildren } from 'preact';
import { Badge } from '../../parts/badge';
import { Button } from '../../parts/button';
import { Choices } from '../../parts/choices';
import { Empty } from '../../parts/empty';
import type { Loaded } from '../../parts/load';
import { ProblemNote } from '../../parts/problem';
import { Skeleton } from '../../parts/skeleton';
import { typed } from '../../parts/typed';
import { WindowedList, reveal } from '../../parts/window';
import { narrow, place } from '../../router';
import { shell } from '../../words/shell';
import { worlds } from '../../words/worlds';
import { Moment } from '../operator/program';
import { Split } from '../operator/split';
import { useWalk } from '../operator/walk';
import { pageOf } from './address';
import { NoWorlds } from './no-worlds';
import type { World } from './types';

/** How high a row is, in pixels. */
const ROW = 60;

interface Props {
  loaded: Loaded<World[]>;
  selected: string | undefined;
  /** Beside the rows. */
  children: ComponentChildren;
}

/** The worlds that there are now, the newest first, by name and by whether something goes wrong in them on order. */
export function List({ loaded, selected, children }: Props) {
  const words = worlds();
  const text = useSignal('');
  const only = place.value.query.get('only') === 'faults' ? 'faults' : '';
  const all = loaded.data.value;
  const wanted = text.value.trim().toLowerCase();
  const rows = (all ?? []).filter(
    (world) => `${world.name ?? ''} ${world.id}`.toLowerCase().includes(wanted) && (only === '' || world.faults.length > 0),
  );
  useWalk({
    rows,
    selected,
    at: pageOf,
    words,
    onStep: (step) => reveal(document.querySelector('.split-list [data-scroller]'), step, ROW),
  });
  const clear = (): void => {
    text.value = '';
    narrow({ only: null });
  };
  const problem = loaded.problem.value;
  const filters = (
    <>
      <input type="search" aria-label={words.find} placeholder={words.find} {...typed(text)} />
      <Choices
        label={words.faults.filter}
        value={only}
        options={[
          { value: '', says: words.all },
          { value: 'faults', says: words.faults.only },
        ]}
        onChoose={(chosen) => narrow({ only: chosen })}
      />
    </>
  );
  return (
    <Split
      label={words.list}
      narrow={filters}
      isChosen={selected !== undefined}
      home="/worlds"
      rows={
        <>
          {problem !== undefined && <ProblemNote problem={problem} retry={loaded.reload} />}
          {all === undefined && problem === undefined && <Skeleton />}
          {all?.length === 0 && <NoWorlds />}
          {all !== undefined && all.length > 0 && rows.length === 0 && (
            <Empty title={words.nothing}>
              <Button onClick={clear}>{shell().clear}</Button>
            </Empty>
          )}
          {rows.length > 0 && (
            <WindowedList
              rows={rows}
              height={ROW}
              keyOf={(world) => world.id}
              label={words.list}
              render={(world) => <Row world={world} isSelected={world.id === selected} />}
            />
          )}
        </>
      }
    >
      {children}
    </Split>
  );
}

function Row({ world, isSelected }: { world: World; isSelected: boolean }) {
  const words = worlds();
  return (
    <a class="line" href={pageOf(world.id)} aria-current={isSelected ? 'true' : undefined} title={world.name ?? world.id}>
      <span>
        <bdi>{world.name ?? world.id}</bdi>
      </span>
      {world.faults.length > 0 && (
        <Badge tone="warn" icon="warning">
          {words.faults.count(world.faults.length)}
        </Badge>
      )}
      <span class="under">
        {world.name !== null && `${world.id} · `}
        {words.clock.modes[world.clock.mode]} · <Moment at={world.clock.now_ms / 1000} />
      </span>
    </a>
  );
}
