import { useSignal } from '@preact/signals';
import type { ComponentChildren } from 'preact';
import { type Problem, asProblem } from '../../api/client';
import { askAsOperator } from '../../api/operator';
import { useShortcuts } from '../../keys';
import { Button } from '../../parts/button';
import { Empty } from '../../parts/empty';
import { ProblemNote } from '../../parts/problem';
import { Skeleton } from '../../parts/skeleton';
import { narrow, open, place } from '../../router';
import { callbacks } from '../../words/callbacks';
import { moment } from '../../words/language';
import { shell } from '../../words/shell';
import { ChannelChoice, nameOf } from '../operator/channels';
import { usePolled } from '../operator/polled';
import { Split } from '../operator/split';
import { type Channel, type DeliveryLine, STATES } from '../operator/types';
import { StateBadge, answerOf } from './state';

interface Rows {
  deliveries: DeliveryLine[];
  next: string | null;
}

const PAGE = 50;

/** A page of the list. One may be empty though there are more, so a few are asked for one after the other. */
async function rows(query: Record<string, string>, cursor: string | undefined, signal?: AbortSignal): Promise<Rows> {
  const all: DeliveryLine[] = [];
  let next: string | null | undefined = cursor;
  for (let asked = 0; asked < 20; asked += 1) {
    const how = { query: { ...query, limit: PAGE, cursor: next ?? undefined }, ...(signal === undefined ? {} : { signal }) };
    const page: Rows = await askAsOperator<Rows>('/admin/v1/deliveries', how);
    all.push(...page.deliveries);
    next = page.next;
    if (next === null || all.length > 0) break;
  }
  return { deliveries: all, next: next ?? null };
}

interface Props {
  selected: string | undefined;
  channels: readonly Channel[];
  /** Beside the rows. */
  children: ComponentChildren;
}

/** What has not arrived, by state, channel and conversation. */
export function List({ selected, channels, children }: Props) {
  const words = callbacks();
  const { query } = place.value;
  const wanted = {
    state: query.get('state') ?? '',
    channel_id: query.get('channel') ?? '',
    conversation_id: query.get('conversation') ?? '',
  };
  const key = JSON.stringify(wanted);
  const first = usePolled(key, 2000, (signal) => rows(wanted, undefined, signal));
  /** The pages behind the first one, as they were when they were asked for, and for which question. */
  const later = useSignal<Rows & { key: string }>({ key, deliveries: [], next: null });
  const trouble = useSignal<Problem | undefined>(undefined);
  const behind = later.value.key === key && later.value.deliveries.length > 0 ? later.value : undefined;
  const fresh = first.data.value?.deliveries ?? [];
  const ids = new Set(fresh.map((row) => row.id));
  const all = [...fresh, ...(behind?.deliveries ?? []).filter((row) => !ids.has(row.id))];
  const next = behind === undefined ? (first.data.value?.next ?? null) : behind.next;
  const more = async (): Promise<void> => {
    try {
      const page = await rows(wanted, next ?? undefined);
      later.value = { key, deliveries: [...(behind?.deliveries ?? []), ...page.deliveries], next: page.next };
      trouble.value = undefined;
    } catch (failure) {
      trouble.value = asProblem(failure);
    }
  };
  const at = (id: string): string => `/callbacks/${encodeURIComponent(id)}${location.search}`;
  const go = (step: number): void => {
    const here = all.findIndex((row) => row.id === selected);
    const found = all[Math.max(0, Math.min(all.length - 1, here + step))];
    if (found !== undefined) open(at(found.id));
  };
  useShortcuts([
    { keys: 'KeyJ', says: words.next, run: () => go(1) },
    { keys: 'ArrowDown', says: words.next, run: () => go(1) },
    { keys: 'KeyK', says: words.previous, run: () => go(-1) },
    { keys: 'ArrowUp', says: words.previous, run: () => go(-1) },
  ]);
  const problem = trouble.value ?? first.problem.value;
  const isNarrowed = Object.values(wanted).some((value) => value !== '');
  const filters = (
    <>
      <select aria-label={words.state} value={wanted.state} onChange={(event) => narrow({ state: event.currentTarget.value })}>
        <option value="">{words.allStates}</option>
        {STATES.map((state) => (
          <option key={state} value={state}>
            {words.states[state]}
          </option>
        ))}
      </select>
      <ChannelChoice all={channels} value={wanted.channel_id} onChoose={(channel) => narrow({ channel })} />
      <Find conversation={wanted.conversation_id} />
    </>
  );
  return (
    <Split
      label={words.list}
      narrow={filters}
      isChosen={selected !== undefined}
      home="/callbacks"
      rows={
        <>
          {problem !== undefined && <ProblemNote problem={problem} retry={first.reload} />}
          {first.data.value === undefined && problem === undefined && <Skeleton />}
          {first.data.value !== undefined && all.length === 0 && (
            <Empty title={isNarrowed ? words.nothing : words.empty}>
              {isNarrowed ? (
                <Button onClick={() => narrow({ state: null, channel: null, conversation: null })}>{shell().clear}</Button>
              ) : (
                <p>{words.emptyText}</p>
              )}
            </Empty>
          )}
          <ul>
            {all.map((row) => (
              <li key={row.id}>
                <a class="line" href={at(row.id)} aria-current={row.id === selected ? 'true' : undefined}>
                  <StateBadge state={row.state} />
                  <time dateTime={new Date(row.written_at * 1000).toISOString()}>{moment(row.written_at)}</time>
                  <span class="under">
                    {nameOf(channels, row.channel_id)} · {words.tries(row.attempts)}
                    {row.last_attempt !== null && ` · ${answerOf(row.last_attempt)} · ${row.last_attempt.took_ms} ms`}
                  </span>
                </a>
              </li>
            ))}
          </ul>
          {next !== null && <Button onClick={() => void more()}>{shell().loadMore}</Button>}
        </>
      }
    >
      {children}
    </Split>
  );
}

/** What was delivered is in no list: its id finds it. The id of a conversation narrows the list. */
function Find({ conversation }: { conversation: string }) {
  const words = callbacks();
  const text = useSignal('');
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault();
        const id = text.value.trim();
        if (id !== '') open(`/callbacks/${encodeURIComponent(id)}${location.search}`);
        text.value = '';
      }}
    >
      <input
        class="mono"
        aria-label={words.find}
        placeholder={words.find}
        value={text.value}
        onInput={(event) => {
          text.value = event.currentTarget.value;
        }}
      />
      {conversation !== '' && (
        <p class="soft">
          {words.ofConversation} <code>{conversation}</code>{' '}
          <Button look="quiet" icon="close" label={words.allConversations} onClick={() => narrow({ conversation: null })} />
        </p>
      )}
    </form>
  );
}
