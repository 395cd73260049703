import { useSignal, useSignalEffect } from '@preact/signals';
import { useEffect, useRef } from 'preact/hooks';
import { useShortcuts } from '../../../keys';
import { counts } from '../../../live/counts';
import { Button } from '../../../parts/button';
import { Choices } from '../../../parts/choices';
import { Empty } from '../../../parts/empty';
import { later } from '../../../parts/later';
import { ProblemNote } from '../../../parts/problem';
import { Skeleton } from '../../../parts/skeleton';
import { useSkipTo } from '../../../parts/skip';
import { WindowedList, reveal } from '../../../parts/window';
import { open } from '../../../router';
import { inbox } from '../../../words/inbox';
import { moment } from '../../../words/language';
import { shell } from '../../../words/shell';
import { addressOf, FILTERS, isWhole, narrowing, shown, WHOLE } from './filters';
import './list.css';
import { ROW, Row } from './row';
import * as store from './store';

/** Fetched when the list is there, as what is opened next is. */
const Narrow = later(() => import('../../../work').then((it) => it.Narrow));

/** How long the search waits for another letter, in milliseconds. */
const TYPING = 250;

/** The id of the rows. */
const ROWS = 'conversations';

/** The conversations, newest activity first, with a search and a few filters. */
export function List({ selected }: { selected: string | undefined }) {
  const words = inbox().list;
  const pane = useRef<HTMLElement>(null);
  const search = useRef<HTMLInputElement>(null);
  const timer = useRef<number | undefined>(undefined);
  /** What is being written and not searched for yet. */
  const written = useSignal<string | undefined>(undefined);
  useEffect(() => {
    if (!store.told.peek()) void store.load();
  }, []);
  useSignalEffect(() => {
    // What is shown of the list follows the account: a new sign-in reads it anew.
    if (!store.told.value && !store.loading.peek() && store.problem.peek() === undefined) void store.load();
  });
  const rows = store.rows.value;
  useSkipTo(ROWS, () => inbox().list.skip, rows.length > 0);
  const scroller = (): Element | null => pane.current?.querySelector('[data-scroller]') ?? null;
  const go = (step: (at: number) => number): void => {
    const at = rows.findIndex((row) => row.id === selected);
    const found = rows[Math.max(0, Math.min(rows.length - 1, step(at)))];
    if (found === undefined) return;
    reveal(scroller(), rows.indexOf(found), ROW);
    open(addressOf(found.id));
  };
  const pass = (by: number): void => {
    const at = rows.findIndex((row) => row.id === selected);
    const found = rows[Math.max(0, Math.min(rows.length - 1, at + by))];
    store.passing.value = found?.id;
    go((at) => at + by);
  };
  const goToUnread = (): void => {
    const at = rows.findIndex((row) => row.id === selected);
    const later = rows.findIndex((row, place) => place > at && row.unread > 0);
    const found = later >= 0 ? later : rows.findIndex((row) => row.unread > 0);
    store.passing.value = undefined;
    if (found >= 0) go(() => found);
  };
  useShortcuts([
    { keys: 'KeyJ', says: words.next, run: () => pass(1) },
    { keys: 'ArrowDown', says: words.next, run: () => pass(1) },
    { keys: 'KeyK', says: words.previous, run: () => pass(-1) },
    { keys: 'ArrowUp', says: words.previous, run: () => pass(-1) },
    { keys: 'KeyN', says: words.nextUnread, run: goToUnread },
    { keys: 'Slash', says: shell().shortcuts.search, run: () => search.current?.focus() },
    { keys: 'Control+KeyK', says: shell().shortcuts.search, run: () => search.current?.focus() },
  ]);
  const fresh = store.waitingCount.value;
  return (
    <section class="conversation-list" aria-label={words.label} ref={pane}>
      <div class="narrow">
        <input
          ref={search}
          type="search"
          aria-label={words.search}
          placeholder={words.search}
          value={written.value ?? narrowing.value.query}
          maxLength={100}
          onInput={(event) => {
            const text = event.currentTarget.value;
            written.value = text;
            clearTimeout(timer.current);
            timer.current = setTimeout(() => {
              written.value = undefined;
              store.narrowTo({ query: text });
            }, TYPING);
          }}
        />
        <Choices
          label={words.filter}
          value={shown.value.filter as (typeof FILTERS)[number]}
          options={FILTERS.map((value) => ({
            value,
            says: words.filters[value],
            count: value === 'failed' || value === 'unread' ? counts.value[value] : undefined,
          }))}
          onChoose={(filter) => store.narrowTo({ filter })}
        />
        <div class="narrow-more">{store.told.value && <Narrow />}</div>
      </div>
      {store.problem.value !== undefined && <ProblemNote problem={store.problem.value} retry={() => void store.load()} />}
      {fresh > 0 && (
        <button
          type="button"
          class="fresh"
          onClick={() => {
            store.takeWaiting();
            const element = scroller();
            if (element !== null) element.scrollTop = 0;
          }}
        >
          ▲ {words.fresh(fresh)}
        </button>
      )}
      {!store.told.value && store.problem.value === undefined && <Skeleton />}
      {store.told.value && rows.length === 0 && !store.loading.value && !store.hasMore.value && <Nothing />}
      {store.told.value && rows.length === 0 && (store.loading.value || store.hasMore.value) && (
        <p class="further" role="status">
          {store.loading.value ? shell().loading : words.nothingSoFar}
        </p>
      )}
      {store.told.value && rows.length < store.FEW && store.hasMore.value && (
        <p class="further">
          <SearchedTo />
          <Button busy={store.loading.value} onClick={() => void store.more()}>
            {words.further}
          </Button>
        </p>
      )}
      {rows.length > 0 && (
        <WindowedList
          rows={rows}
          height={ROW}
          keyOf={(row) => row.id}
          label={words.label}
          id={ROWS}
          onTop={(atTop) => {
            store.atTop.value = atTop;
          }}
          onEnd={() => void store.more()}
          render={(row) => <Row conversation={row} isSelected={row.id === selected} />}
        />
      )}
    </section>
  );
}

/** How far the search went, while it is not at its end. */
function SearchedTo() {
  const { part, back_to: time } = store.searched.value ?? { part: 'keys', back_to: null };
  if (time === null || (part !== 'conversations' && part !== 'messages')) return null;
  return <span role="status">{inbox().list.searchedTo[part](moment(time))} </span>;
}

function Nothing() {
  const words = inbox().list;
  const { filter, responsible, status } = shown.value;
  if (isWhole()) {
    return (
      <Empty byRights title={words.empty} command={'send "Hello, is it in stock?"'}>
        <p>{words.emptyText}</p>
      </Empty>
    );
  }
  return (
    <Empty title={words.nothing[responsible === 'all' && status === 'all' && filter !== 'mentioned' ? filter : 'all']}>
      <Button onClick={() => store.narrowTo(WHOLE)}>{shell().clear}</Button>
    </Empty>
  );
}
