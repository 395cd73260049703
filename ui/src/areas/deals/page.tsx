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
import { isVisible } from '../../parts/visible';
import { useWork } from '../../parts/work';
import { deals } from '../../words/deals';
import { inbox } from '../../words/inbox';
import { shortMoment } from '../../words/language';
import { shell } from '../../words/shell';
import { AcceptAs, Decline } from './actions';
import './page.css';
import * as store from './store';
import { Without } from './without';

const AGES = { any: 0, hour: 3_600, day: 86_400 } as const;
type Age = keyof typeof AGES;

/** Whose deal it is; a name may be nothing that is seen. */
function fromOf({ metadata }: store.Unsorted): string {
  return isVisible(metadata.from) ? metadata.from : deals().nameless;
}

/** What the customer said last, or of what kind it was. */
function Said({ deal: { metadata } }: { deal: store.Unsorted }) {
  const { last_message_text: text, last_message_type: kind } = metadata;
  if (text !== null && text !== '') {
    return (
      <p class="said" dir="auto">
        {text}
      </p>
    );
  }
  return <p class="said soft">{kind === null ? deals().noText : inbox().kinds[kind]}</p>;
}

/** The deals that nobody has taken on, and why some conversations have none. */
export function UnsortedPage() {
  useBook();
  const words = deals();
  const text = useSignal('');
  const channel = useSignal('');
  const age = useSignal<Age>('any');
  const asking = useSignal<{ deal: store.Unsorted; what: 'accept' | 'decline' } | undefined>(undefined);
  const list = useRef<HTMLUListElement>(null);
  useEffect(() => {
    if (!store.told.peek()) void store.load();
  }, []);
  const { busy, problem, run } = useWork();
  const all = store.unsorted.value;
  const wanted = folded(text.value).trim();
  const now = Date.now() / 1000;
  const shown = all.filter((deal) => {
    const texts = [deal.metadata.from, deal.source_name, deal.metadata.last_message_text, deal.uid];
    const fits = wanted === '' || texts.some((it) => it !== null && it !== undefined && folded(it).includes(wanted));
    return fits && (channel.value === '' || deal.source_name === channel.value) && now - deal.created_at >= AGES[age.value];
  });
  const cards = (): HTMLElement[] => [...(list.current?.querySelectorAll<HTMLElement>('[data-deal]') ?? [])];
  const step = (by: number): void => {
    const at = cards().findIndex((card) => card.contains(document.activeElement));
    cards()[Math.max(0, Math.min(cards().length - 1, at + by))]?.focus();
  };
  const acceptSelected = (): void => {
    const selected = cards().find((card) => card.contains(document.activeElement));
    if (selected !== undefined) void run(() => store.accept(Number(selected.dataset.deal)));
  };
  useShortcuts([
    { keys: 'KeyJ', says: words.next, run: () => step(1) },
    { keys: 'KeyK', says: words.previous, run: () => step(-1) },
    { keys: 'KeyE', says: words.acceptSelected, run: acceptSelected },
  ]);
  const channels = [...new Set(all.map((deal) => deal.source_name))];
  const asked = asking.value;
  const close = (): void => {
    asking.value = undefined;
  };
  return (
    <Page title={words.title}>
      <p class="soft">{words.about}</p>
      <p class="done" role="status">
        {store.done.value === undefined ? '' : words.done[store.done.value.what](store.done.value.id)}
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
      {all.length > 0 && shown.length === 0 && (
        <Empty title={words.nothing}>
          <Button onClick={() => ([text.value, channel.value, age.value] = ['', '', 'any'])}>{shell().clear}</Button>
        </Empty>
      )}
      <ul class="deals" aria-label={words.list} ref={list}>
        {shown.map((deal) => (
          <li key={deal.uid} class="card deal" data-deal={deal.uid} tabIndex={-1}>
            <h2>
              <a href={`/conversations/${deal.metadata.origin.chat_id}`} title={words.open}>
                <span class="soft">#{deal.uid}</span> <bdi>{fromOf(deal)}</bdi>
              </a>
            </h2>
            <span class="soft source">{deal.source_name}</span>
            <Said deal={deal} />
            <time class="soft" dateTime={new Date(deal.created_at * 1000).toISOString()}>
              {shortMoment(deal.created_at)}
            </time>
            <div class="deal-actions">
              <Button look="primary" busy={busy} onClick={() => void run(() => store.accept(Number(deal.uid)))}>
                {words.accept}
              </Button>
              <Button onClick={() => (asking.value = { deal, what: 'accept' })}>{words.acceptAs}</Button>
              <Button onClick={() => (asking.value = { deal, what: 'decline' })}>{words.decline}</Button>
            </div>
          </li>
        ))}
      </ul>
      {store.next.value !== undefined && <Button onClick={() => void store.more()}>{shell().loadMore}</Button>}
      <Without />
      {asked?.what === 'accept' && (
        <AcceptAs deal={{ id: Number(asked.deal.uid), pipeline_id: asked.deal.pipeline_id, status_id: 0 }} onClose={close} />
      )}
      {asked?.what === 'decline' && <Decline id={Number(asked.deal.uid)} onClose={close} />}
    </Page>
  );
}
