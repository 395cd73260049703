import { useSignal } from '@preact/signals';
import { useEffect, useRef } from 'preact/hooks';
import { useBook } from '../../api/book';
import { useShortcuts } from '../../keys';
import { Button } from '../../parts/button';
import { Empty } from '../../parts/empty';
import { folded } from '../../parts/folded';
import { Page } from '../../parts/page';
import { ProblemNote } from '../../parts/problem';
import { Skeleton } from '../../parts/skeleton';
import { useWork } from '../../parts/work';
import { open } from '../../router';
import { leads } from '../../words/leads';
import { shell } from '../../words/shell';
import { AcceptAs, Decline } from './actions';
import './page.css';
import * as store from './store';
import { LeadTable } from './table';
import { Without } from './without';

const AGES = { any: 0, hour: 3_600, day: 86_400 } as const;
type Age = keyof typeof AGES;

/** With fewer rows than this, a filter reads the next page by itself. */
const FEW = 25;
/** How many pages in a row it reads; then somebody has to ask for more. */
const PAGES_IN_A_ROW = 8;

/** The leads that nobody has taken on, and why some conversations have none. */
export function UnsortedPage() {
  useBook();
  const words = leads();
  const text = useSignal('');
  const channel = useSignal('');
  const age = useSignal<Age>('any');
  const asking = useSignal<{ ids: readonly number[]; what: 'accept' | 'decline' } | undefined>(undefined);
  const chosen = useSignal<ReadonlySet<string>>(new Set());
  const list = useRef<HTMLDivElement>(null);
  useEffect(() => {
    if (!store.told.peek()) void store.load();
  }, []);
  const { busy, problem, run } = useWork();
  const all = store.unsorted.value;
  const wanted = folded(text.value).trim();
  const now = Date.now() / 1000;
  const shown = all.filter((lead) => {
    const { from, last_message_text: said, form_name: form, phone } = lead.metadata;
    const texts = [from, lead.source_name, said, form, phone, lead.uid];
    const fits = wanted === '' || texts.some((it) => it !== null && it !== undefined && folded(it).includes(wanted));
    return fits && (channel.value === '' || lead.source_name === channel.value) && now - lead.created_at >= AGES[age.value];
  });
  const isNarrowed = wanted !== '' || channel.value !== '' || age.value !== 'any';
  /** The pages that were read for this filter. */
  const pages = useRef({ filter: '', count: 0 });
  const isGoingOn = useSignal(false);
  const further = store.next.value;
  useEffect(() => {
    const filter = `${wanted} ${channel.value} ${age.value}`;
    if (pages.current.filter !== filter) pages.current = { filter, count: 0 };
    isGoingOn.value = isNarrowed && shown.length < FEW && further !== undefined && pages.current.count < PAGES_IN_A_ROW;
    if (!isGoingOn.value) return;
    pages.current.count += 1;
    void store.more();
  }, [wanted, channel.value, age.value, further]);
  const picked = shown.filter((lead) => chosen.value.has(lead.uid)).map((lead) => Number(lead.uid));
  /** Takes a lead on, and opens its conversation, if it has one: that is what comes next. */
  const accept = (lead: store.Unsorted): void =>
    void run(async () => {
      await store.accept(Number(lead.uid));
      const chat = lead.metadata.origin?.chat_id;
      if (chat !== undefined) open(`/conversations/${chat}`);
    });
  const acceptPicked = (): void =>
    void run(async () => {
      await store.each(picked, 'accepted', (id) => store.accept(id));
    });
  const cards = (): HTMLElement[] => [...(list.current?.querySelectorAll<HTMLElement>('[data-lead]') ?? [])];
  const step = (by: number): void => {
    const at = cards().findIndex((card) => card.contains(document.activeElement));
    cards()[Math.max(0, Math.min(cards().length - 1, at + by))]?.focus();
  };
  const acceptSelected = (): void => {
    const selected = cards().find((card) => card.contains(document.activeElement));
    const lead = shown.find((lead) => lead.uid === selected?.dataset.lead);
    if (lead !== undefined) accept(lead);
  };
  useShortcuts([
    { keys: 'KeyJ', says: words.next, run: () => step(1) },
    { keys: 'KeyK', says: words.previous, run: () => step(-1) },
    { keys: 'KeyE', says: words.acceptSelected, run: acceptSelected },
  ]);
  const channels = [...new Set(all.map((lead) => lead.source_name))];
  const asked = asking.value;
  const close = (): void => {
    asking.value = undefined;
  };
  return (
    <Page title={words.title}>
      <p class="soft">{words.about}</p>
      <p class="done" role="status">
        {store.done.value === undefined ? '' : words.done[store.done.value.what](store.done.value.ids)}
      </p>
      {all.length > 0 && (
        <div class="narrow-row">
          <input
            type="search"
            aria-label={words.filter}
            placeholder={words.filter}
            value={text.value}
            onInput={(event) => (text.value = event.currentTarget.value)}
          />
          <select aria-label={words.channel} value={channel.value} onChange={(event) => (channel.value = event.currentTarget.value)}>
            <option value="">{words.allChannels}</option>
            {channels.map((name) => (
              <option key={name}>{name}</option>
            ))}
          </select>
          <select aria-label={words.age} value={age.value} onChange={(event) => (age.value = event.currentTarget.value as Age)}>
            {(Object.keys(AGES) as Age[]).map((name) => (
              <option key={name} value={name}>
                {words.ages[name]}
              </option>
            ))}
          </select>
        </div>
      )}
      {store.problem.value !== undefined && <ProblemNote problem={store.problem.value} retry={() => void store.load()} />}
      {problem !== undefined && <ProblemNote problem={problem} />}
      {!store.told.value && store.problem.value === undefined && <Skeleton rows={3} />}
      {store.told.value && all.length === 0 && (
        <Empty byRights title={words.empty} command={'send "Hello, is it in stock?"'}>
          <p>{words.emptyText}</p>
        </Empty>
      )}
      {isNarrowed && further !== undefined && (
        <p class="soft" role="status">
          {isGoingOn.value ? shell().loading : words.filteredOf(all.length)}
        </p>
      )}
      {all.length > 0 && shown.length === 0 && !isGoingOn.value && (
        <Empty title={words.nothing}>
          <Button onClick={() => ([text.value, channel.value, age.value] = ['', '', 'any'])}>{shell().clear}</Button>
        </Empty>
      )}
      {shown.length > 0 && (
        <>
          {picked.length > 0 && (
            <div class="picked" role="group" aria-label={words.chosen(picked.length)}>
              <span>{words.chosen(picked.length)}</span>
              <Button look="primary" busy={busy} onClick={acceptPicked}>
                {words.accept}
              </Button>
              <Button onClick={() => (asking.value = { ids: picked, what: 'accept' })}>{words.acceptAs}</Button>
              <Button onClick={() => (asking.value = { ids: picked, what: 'decline' })}>{words.decline}</Button>
            </div>
          )}
          <div ref={list}>
            <LeadTable leads={shown} chosen={chosen} busy={busy} onAccept={accept} onAsk={(ids, what) => (asking.value = { ids, what })} />
          </div>
        </>
      )}
      {store.next.value !== undefined && <Button onClick={() => void store.more()}>{shell().loadMore}</Button>}
      <Without />
      {asked?.what === 'accept' && <AcceptAs ids={asked.ids} pipeline={all[0]?.pipeline_id ?? 0} onClose={close} />}
      {asked?.what === 'decline' && <Decline ids={asked.ids} onClose={close} />}
    </Page>
  );
}
