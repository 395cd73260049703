// The list of conversations: loaded page by page, kept in order by the feed, and still while somebody reads in it.

import { computed, effect, signal } from '@preact/signals';
import type { ComponentChild } from 'preact';
import { type Ask, Problem, asProblem, ask, isAborted } from '../../../api/client';
import { me } from '../../../api/session';
import { on, whenBack } from '../../../live/events';
import { type Asked, Meanwhile } from '../../../live/meanwhile';
import type { ChannelKind } from '../../../parts/kind';
import { narrow, place } from '../../../router';
import { type ActingClient, authorOf, type Callback, type Conversation, type ConversationPage, type Lead, type Delivery, type Message, type Searched } from '../types';
import { isWhole, type Narrowing, narrowing, ofView, parameters, shown, take, WHOLE } from './filters';
import { CONVERSATIONS, FIRST, FURTHER } from './question';

/** How long a colleague is shown as writing, in seconds: their console says it anew every four. */
const COLLEAGUE = 6;

type Rows = ReadonlyMap<string, Conversation>;
/** What an answer makes the list, and what happens meanwhile changes. */
interface Listed {
  rows: Rows;
  order: readonly string[];
}

/** The rows in their order. What each one holds may be newer than its place: see `waiting`. */
const order = signal<readonly string[]>([]);
const known = signal<Rows>(new Map());
const next = signal<string | null>(null);
const meanwhile = new Meanwhile<Listed>();
/** Conversations that belong to the top and are not moved there yet, since somebody reads further down. */
const waiting = signal<ReadonlySet<string>>(new Set());
/** Whether the list is at its top, where rows may move. */
export const atTop = signal(true);
export const loading = signal(false);
export const problem = signal<Problem | undefined>(undefined);
/** How far the search went that is shown. */
export const searched = signal<Searched | undefined>(undefined);
/** Whether anything was told yet. */
export const told = signal(false);

/** The conversation that somebody came to step by step, and may be passing only. */
export const passing = signal<string | undefined>(undefined);

/** What stands around a row while conversations are chosen. */
export const around = signal<((conversation: Conversation, row: ComponentChild) => ComponentChild) | undefined>(undefined);

/** The responsible user in a row, and whether the customer has blocked the channel; set by a part that comes behind the list. */
export const owner = signal<((conversation: Conversation) => ComponentChild) | undefined>(undefined);

/** The picture of a channel in a row; set by the same part. */
export const picture = signal<((kind: ChannelKind) => ComponentChild) | undefined>(undefined);

/** Colleagues who are writing now, by conversation. */
export const colleagues = signal<ReadonlyMap<string, { name: string; until: number }>>(new Map());

/** How many pages in a row are read when a filter leaves few rows of each; then somebody has to ask for more. */
const PAGES_IN_A_ROW = 8;
/** With fewer rows than this the next page is read without being asked for. */
export const FEW = 25;
let inARow = 0;

/** Whether too little is there to be read. A page of a search takes the service up to a second: the first result will do. */
const isShort = (): boolean => rows.value.length < (searched.peek() === undefined ? FEW : 1);

export const hasMore = computed(() => next.value !== null);
export const waitingCount = computed(() => waiting.value.size);

export const rows = computed<readonly Conversation[]>(() => {
  const all = order.value.flatMap((id) => known.value.get(id) ?? []);
  return all.filter(fits);
});

/** Whether there is no conversation at all that could be shown. */
export const isEmpty = computed(
  () => told.value && order.value.length === 0 && next.value === null && isWhole(),
);

export function find(id: string): Conversation | undefined {
  return known.value.get(id);
}

/** Whether what the customer was to get did not arrive, and nobody has sent it again or let it be. */
export function hasFailed({ trouble }: Conversation): boolean {
  return trouble !== null && trouble !== undefined;
}

/** Whether the newest message is still to be taken by the integration, which did not take it at first. */
export function isHeldUp({ last_message: last }: Conversation): boolean {
  return last?.callback?.state === 'waiting' || last?.callback?.state === 'held';
}

/** What the service gave for the filter that is set: whose conversation is whose also depends on who answered in it. */
const given = signal<ReadonlySet<string>>(new Set());

/** Returns whether the service gave the conversation for the filter that is set. */
export const wasGiven = (id: string): boolean => given.peek().has(id);

/** Whether it still belongs under the filter: what happens since may have changed that. */
function fits(conversation: Conversation): boolean {
  const { filter, responsible, status, channel, tag, view } = shown.value;
  if (filter === 'unread' && conversation.unread === 0) return false;
  if (filter === 'failed' && !hasFailed(conversation)) return false;
  if (status !== 'all' && conversation.status !== status) return false;
  const { lead } = conversation;
  if (channel !== '' && conversation.channel?.id !== channel) return false;
  const isGiven = given.value.has(conversation.id);
  if (tag !== '' && lead?.tags.some(({ id }) => String(id) === tag) !== true) return false;
  // Not all that a view asks for is in a row.
  if (view !== '' && !isGiven) return false;
  const isOwn = lead?.responsible_user_id === me.value?.user.id;
  if (responsible === 'me' && !isOwn) return false;
  // Without a lead only the service can say.
  if (responsible === 'none' && (lead === null ? !isGiven : lead.responsible_user_id !== null)) return false;
  return filter === 'mine' ? isOwn || isGiven : filter !== 'mentioned' || isGiven;
}

let under: AbortController | undefined;

function page(cursor: string | undefined, signal: AbortSignal): Promise<ConversationPage> {
  const { show: state, q: query, ...others } = parameters(narrowing.peek());
  const asked = { limit: cursor === undefined ? FIRST : FURTHER, cursor, state, query, ...others };
  return ask<ConversationPage>(CONVERSATIONS, { query: asked, signal });
}

/** Reads the list from its top. What is shown stays until the answer is there. */
export function load(): Promise<void> {
  return turn(undefined);
}

/** Reads on behind what is loaded. */
export async function more(): Promise<void> {
  inARow = 0;
  if (next.peek() !== null && !loading.peek()) await turn(next.peek() ?? undefined);
}

async function turn(cursor: string | undefined): Promise<void> {
  under?.abort();
  const mine = new AbortController();
  under = mine;
  loading.value = true;
  try {
    await meanwhile.during(page(cursor, mine.signal), (answer, since) => {
      if (under === mine) show(answer, cursor, since);
    });
    if (under !== mine) return;
    problem.value = undefined;
    told.value = true;
    loading.value = false;
    inARow = cursor === undefined ? 0 : inARow + 1;
    // A page of a filtered list may be short, even empty, and have a next one.
    const behind = next.peek();
    if (behind !== null && isShort() && inARow < PAGES_IN_A_ROW) await turn(behind);
  } catch (failure) {
    if (under !== mine || isAborted(failure)) return;
    problem.value = asProblem(failure);
    loading.value = false;
  }
}

/** Puts a page where it belongs: at the top, or behind what is loaded. */
function show(answer: ConversationPage, cursor: string | undefined, since: (listed: Listed) => Listed): void {
  const found = new Map(known.peek());
  for (const conversation of answer.conversations) found.set(conversation.id, conversation);
  const fresh = answer.conversations.map((conversation) => conversation.id);
  const now = since({ rows: found, order: fresh });
  known.value = now.rows;
  given.value = new Set([...(cursor === undefined ? [] : given.peek()), ...fresh]);
  if (cursor === undefined) {
    order.value = now.order;
    waiting.value = new Set();
  } else {
    const there = new Set(order.peek());
    order.value = [...order.peek(), ...fresh.filter((id) => !there.has(id))];
  }
  next.value = answer.next;
  searched.value = answer.searched;
}

/** Puts what waits at the top. */
export function takeWaiting(): void {
  const ids = [...waiting.peek()].reverse();
  waiting.value = new Set();
  const moved = new Set(ids);
  order.value = [...ids, ...order.peek().filter((id) => !moved.has(id))];
}

effect(() => {
  if (atTop.value && waiting.value.size > 0) takeWaiting();
});

/** Until when somebody was said to be writing who has sent it by now: the service goes on saying so. */
const over = new Map<string, number>();

/** Without «writing» of somebody who has sent it by now. */
function settled(told: Conversation): Conversation {
  return told.typing !== null && over.get(told.id) === told.typing.until ? { ...told, typing: null } : told;
}

/** A conversation as it is now, or was when it was `asked` for; `moves` when something happened that brings it to the top. */
export function put(told: Conversation, moves: boolean, asked?: Asked): void {
  const conversation = settled(told);
  known.value = new Map(known.peek()).set(conversation.id, conversation);
  // Whether a search would find it only the service can tell: so it joins no result.
  const isSearch = narrowing.peek().query.trim() !== '';
  const comes = (among: readonly string[]): boolean => moves && (!isSearch || among.includes(conversation.id));
  meanwhile.note(({ rows, order }) => ({
    rows: new Map(rows).set(conversation.id, conversation),
    order: comes(order) ? [conversation.id, ...order.filter((id) => id !== conversation.id)] : order,
  }), asked);
  if (!comes(order.peek()) || order.peek()[0] === conversation.id) return;
  const ids = new Set(waiting.peek());
  ids.delete(conversation.id);
  waiting.value = ids.add(conversation.id);
}

/** What the feed says of a conversation that is known: now, and over the answers that are in progress. */
function change(id: string, make: (conversation: Conversation) => Conversation): void {
  const changed = (rows: Rows): Rows => {
    const found = rows.get(id);
    return found === undefined ? rows : new Map(rows).set(id, settled(make(found)));
  };
  known.value = changed(known.peek());
  meanwhile.note((listed) => ({ ...listed, rows: changed(listed.rows) }));
}

/** Conversations to be read anew, and whether they come to the top. */
const stale = new Map<string, boolean>();
/** How long changes are collected, in milliseconds: an import must not become a request for each of its messages. */
const COLLECT = 200;
/** When more than this change at once, the top of the list is read instead. */
const MANY = 20;
/** After how many seconds a conversation is read again that could not be read, unless the service says when. */
const READ_AGAIN = 5;
let collecting: number | undefined;
/** Whether some changes were left until the list is at its top, and read from there. */
const isBehind = signal(false);

/** Reads a conversation anew, soon. */
export function refresh(id: string, moves = false): void {
  stale.set(id, moves || stale.get(id) === true);
  collecting ??= setTimeout(() => {
    collecting = undefined;
    const all = [...stale];
    stale.clear();
    if (all.length > MANY) isBehind.value = true;
    if (all.length <= MANY || !atTop.peek()) for (const [id, moves] of all.slice(0, MANY)) void reread(id, moves);
  }, COLLECT);
}

effect(() => {
  if (!atTop.value || !isBehind.value) return;
  isBehind.value = false;
  void load();
});

/** Reads a conversation. */
export function read(id: string, moves = false, options: Ask = {}): Promise<Conversation> {
  return meanwhile.during(ask<Conversation>(`${CONVERSATIONS}/${id}`, options), (answer, since, asked) => {
    const row = since({ rows: new Map([[id, answer]]), order: [] }).rows.get(id) ?? answer;
    put(row, moves, asked);
    return row;
  });
}

/** Reads a conversation anew, at once, and again while the service is only busy or out of reach. */
export async function reread(id: string, moves = false): Promise<void> {
  try {
    await read(id, moves);
  } catch (failure) {
    if (!(failure instanceof Problem)) throw failure;
    const { status, retryAfter } = failure;
    const isPassing = status === 0 || status === 429 || status >= 500;
    // Out of sight by now, or nobody signed in: the list keeps what it has.
    if (!isPassing || me.peek() === null) return;
    setTimeout(() => refresh(id, moves), (retryAfter ?? READ_AGAIN) * 1000);
  }
}

/** At a time in seconds since 1970; not later than in a minute, as what says «writing» for longer says it again. */
function later(until: number, work: () => void): void {
  setTimeout(work, Math.max(0, Math.min(60_000, until * 1000 - Date.now())));
}

function changeLast(id: string, message: string, make: (last: Message) => Message): void {
  change(id, (conversation) =>
    conversation.last_message?.id === message
      ? { ...conversation, last_message: make(conversation.last_message) }
      : conversation,
  );
}

/** What has not arrived of a whole conversation only the service can tell: not the last message alone counts. */
function retell(id: string): void {
  if (known.peek().has(id)) refresh(id);
}

on<{ conversation_id: string; message: Message }>('message', ({ conversation_id: id, message }) => {
  const found = known.peek().get(id);
  // The list may have been read after the message came.
  if (found === undefined || found.last_message?.id === message.id) {
    refresh(id, true);
    return;
  }
  if (message.direction === 'in' && found.typing !== null) over.set(id, found.typing.until);
  const isNewest = (found.last_message?.msec_timestamp ?? 0) <= message.msec_timestamp;
  const counts = message.direction === 'in' && message.silent !== true;
  put(
    {
      ...found,
      messages: found.messages + 1,
      unread: counts ? found.unread + 1 : message.direction === 'out' ? 0 : found.unread,
      active_at: Math.max(found.active_at, message.timestamp),
      last_message: isNewest ? message : found.last_message,
      status: message.silent === true || found.snooze !== null ? found.status : message.direction === 'in' ? 'open' : 'waiting',
      typing: message.direction === 'in' ? null : found.typing,
    },
    true,
  );
  // What else it changed (the name, the lead, the count of unread) only the service can tell.
  refresh(id);
});
on<{ conversation_id: string }>('changed', ({ conversation_id: id }) => {
  if (known.peek().has(id)) refresh(id);
});
on<{ conversation_id: string; message_id: string; delivery: Delivery }>('delivery', (event) => {
  changeLast(event.conversation_id, event.message_id, (last) => ({ ...last, delivery: event.delivery }));
  retell(event.conversation_id);
});
on<{ conversation_id: string; message_id: string; callback: Callback }>('callback', (event) => {
  changeLast(event.conversation_id, event.message_id, (last) => withCallback(last, event.callback));
  retell(event.conversation_id);
});
on<{ conversation_id: string | null; lead: Lead }>('lead', ({ conversation_id: id, lead }) => {
  // A lead of a form or of a call has no chat.
  if (id === null) return;
  change(id, (conversation) => ({ ...conversation, lead }));
  // The status is not in the event.
  if (known.peek().has(id)) refresh(id);
});
on<{ conversation_id: string }>('avatar', ({ conversation_id: id }) => {
  if (known.peek().has(id)) refresh(id);
});
on<{ conversation_id: string }>('marked', ({ conversation_id: id }) => {
  if (known.peek().has(id)) refresh(id);
});
on<{ conversation_id: string }>('read', ({ conversation_id: id }) => {
  change(id, (conversation) => ({ ...conversation, unread: 0 }));
});
on<{ conversation_id: string; customer?: { id: string; until: number }; user?: { id: number; name: string; client?: ActingClient } }>('typing', (event) => {
  const { customer, user, conversation_id: id } = event;
  if (customer !== undefined) {
    change(id, (conversation) => ({ ...conversation, typing: customer }));
    later(customer.until, () => change(id, (it) => (it.typing?.until === customer.until ? { ...it, typing: null } : it)));
  } else if (user !== undefined && (user.id !== me.peek()?.user.id || user.client !== undefined)) {
    const until = Math.ceil(Date.now() / 1000) + COLLEAGUE;
    colleagues.value = new Map(colleagues.peek()).set(id, { name: authorOf(user), until });
    later(until, () => {
      if (colleagues.peek().get(id)?.until !== until) return;
      const others = new Map(colleagues.peek());
      others.delete(id);
      colleagues.value = others;
    });
  }
});
on('reset', () => void load());
whenBack(() => problem.peek(), () => void load());

/** A message whose callback is told anew: the integration accepted it, so that it counts as sent. */
export function withCallback(message: Message, callback: Callback): Message {
  const isSent = callback.state === 'delivered' && message.delivery?.status === 'queued';
  return { ...message, callback, ...(isSent ? { delivery: { status: 'sent' } } : {}) };
}

effect(() => {
  // Who signs in next must not see what somebody else has read.
  if (me.value !== null) return;
  [order.value, known.value, next.value, waiting.value] = [[], new Map(), null, new Set()];
  [told.value, problem.value, searched.value] = [false, undefined, undefined];
  narrowing.value = WHOLE;
});

/** Another filter or search: reads the list for it. A filter of the view that changes ends the view; its other filters stay. */
export function narrowTo(wanted: Partial<Narrowing>): void {
  const of = ofView.peek();
  narrowing.value = { ...narrowing.peek(), ...(Object.keys(wanted).some((name) => name in of) ? { ...of, view: '' } : {}), ...wanted };
  narrow(parameters(narrowing.peek()));
  void load();
}

// Whoever comes by an address finds the list as it says.
effect(() => {
  const { path, query } = place.value;
  if (!/^\/conversations(\/|$)/.test(path)) return;
  if (take(query) && told.peek()) void load();
});
