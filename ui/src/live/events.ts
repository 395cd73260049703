// The live feed: `GET /inbox/v1/events`, resumed behind the last event that arrived, with an honest state.
//
// `EventSource` tells neither a 401 from a broken line, nor can it be resumed after it gave up; so this reads the
// stream itself.

import { signal } from '@preact/signals';
import { takenLastEvent } from '../api/begun';
import { type Problem, ask, asProblem, isAborted } from '../api/client';
import { me, signedOut } from '../api/session';

export type Connection =
  /** What is shown is what is. */
  | { is: 'live' }
  /** The line opens for the first time, or broke a moment ago. */
  | { is: 'connecting'; again: boolean }
  /** No line for a while: what is shown may be old. Seconds since 1970. */
  | { is: 'stale'; since: number }
  /** Somebody stopped the live updates. */
  | { is: 'paused'; since: number }
  | { is: 'signed-out' };

export const connection = signal<Connection>({ is: 'connecting', again: false });
/** Whether somebody stopped the live updates. */
export const paused = signal(false);

type Listener = (data: unknown) => void;
const listeners = new Map<string, Set<Listener>>();

/**
 * Listens to a kind of event; gives the function that ends it. `reset` says: read again what you show. `back` says that
 * the service is there again: what could not be read before can be now.
 */
export function on<T>(kind: string, listener: (data: T) => void): () => void {
  const known = listeners.get(kind) ?? new Set();
  listeners.set(kind, known);
  known.add(listener as Listener);
  return () => known.delete(listener as Listener);
}

/** Events that came before the code that listens to them; nothing is kept once that code is here. */
let early: { kind: string; data: unknown }[] | undefined = [];
/** How many of them are kept: the newest. */
const EARLY = 100;

function tell(kind: string, data: unknown): void {
  const known = listeners.get(kind);
  if (known === undefined) early = early?.concat({ kind, data }).slice(-EARLY);
  for (const listener of known ?? []) listener(data);
}

/** Says that all code which listens from the beginning is here: it hears what came before it. */
export function tellEarly(): void {
  const missed = early ?? [];
  early = undefined;
  for (const { kind, data } of missed) tell(kind, data);
}

/** Does it once more when the service is back, if the service was why it failed; gives the function that ends that. */
export function whenBack(failed: () => Problem | undefined, work: () => void): () => void {
  return on('back', () => {
    const status = failed()?.status;
    if (status === 0 || (status !== undefined && status >= 500)) work();
  });
}

/** After this long without any byte the line is dead: the service sends something every 15 seconds. */
const SILENCE = 40_000;
/** Without a line for this long, what is shown is called stale. */
const STALE = 8_000;
/** A hidden page gives its line back after this long: browsers allow six to one host. */
const HIDDEN = 10_000;
const WAITS = [250, 1_000, 2_000, 4_000, 8_000, 15_000];

/** Whether this hidden page keeps its line all the same: the code of notifications decides, once it is here. */
export const whileHidden = { keeps: (): boolean => false };

let last: string | undefined;
let line: AbortController | undefined;
let failures = 0;
let lostAt: number | undefined;
/** Whether there has been a line since somebody signed in. */
let wasLive = false;
let timer: number | undefined;
let staleTimer: number | undefined;
let hiddenTimer: number | undefined;

const now = (): number => Math.floor(Date.now() / 1000);

function lost(): void {
  lostAt ??= now();
  if (connection.peek().is === 'stale') return;
  connection.value = { is: 'connecting', again: wasLive };
  const since = lostAt;
  staleTimer ??= setTimeout(() => {
    if (lostAt !== undefined) connection.value = { is: 'stale', since };
  }, STALE);
}

function found(): void {
  clearTimeout(staleTimer);
  staleTimer = undefined;
  const wasLost = lostAt !== undefined;
  lostAt = undefined;
  failures = 0;
  wasLive = true;
  connection.value = { is: 'live' };
  if (wasLost) tell('back', {});
}

/** Opens the feed, and keeps it open as long as somebody is signed in. */
export function connect(): void {
  stop();
  if (paused.peek()) return;
  line = new AbortController();
  void read(line);
}

/** Closes the feed. What was shown stays; the next `connect` goes on behind it. */
function stop(): void {
  clearTimeout(timer);
  line?.abort();
  line = undefined;
}

/** Somebody signed out: nothing of the feed is theirs any more. */
export function disconnect(): void {
  stop();
  clearTimeout(staleTimer);
  staleTimer = undefined;
  [last, lostAt, failures, wasLive] = [undefined, undefined, 0, false];
  early &&= [];
  paused.value = false;
  connection.value = { is: 'signed-out' };
}

/** Stops the live updates, or goes on with them behind what was missed. */
export function pause(on: boolean): void {
  paused.value = on;
  if (on) {
    stop();
    clearTimeout(staleTimer);
    staleTimer = undefined;
    connection.value = { is: 'paused', since: now() };
  } else {
    connection.value = { is: 'connecting', again: wasLive };
    connect();
  }
}

async function read(mine: AbortController): Promise<void> {
  if (connection.peek().is !== 'live') lost();
  let watchdog: number | undefined;
  const alive = (): void => {
    clearTimeout(watchdog);
    watchdog = setTimeout(() => mine.abort('silent'), SILENCE);
  };
  try {
    alive();
    const headers: Record<string, string> = { Accept: 'text/event-stream' };
    last ??= await takenLastEvent();
    if (last !== undefined) headers['Last-Event-ID'] = last;
    const response = await fetch('/inbox/v1/events', {
      headers,
      credentials: 'same-origin',
      cache: 'no-store',
      signal: mine.signal,
    });
    if (response.status === 401) return signedOut();
    if (!response.ok || response.body === null) throw new Error(`the feed answered ${response.status}`);
    const reader = response.body.pipeThrough(new TextDecoderStream()).getReader();
    let text = '';
    for (;;) {
      const { done, value } = await reader.read();
      if (done) break;
      alive();
      text += value;
      const blocks = text.split('\n\n');
      text = blocks.pop() ?? '';
      for (const block of blocks) take(block);
    }
  } catch {
    // A broken line is nothing to show by itself: the state of the connection tells.
  } finally {
    clearTimeout(watchdog);
  }
  if (line !== mine) return;
  // The stream ends when the service stops, when the user was switched off, and when the line breaks.
  line = undefined;
  lost();
  const wait = WAITS[Math.min(failures, WAITS.length - 1)] ?? 15_000;
  failures += 1;
  timer = setTimeout(() => void again(), wait);
}

async function again(): Promise<void> {
  if (me.peek() === null) return;
  connect();
}

function take(block: string): void {
  let kind = 'message';
  let data = '';
  for (const row of block.split('\n')) {
    const [field, value] = [row.slice(0, row.indexOf(':')), row.slice(row.indexOf(':') + 1).trimStart()];
    if (field === 'id') last = value;
    else if (field === 'event') kind = value;
    else if (field === 'data') data += value;
  }
  if (data === '') return;
  if (kind === 'ready') found();
  try {
    tell(kind, JSON.parse(data));
  } catch (failure) {
    // One event that nobody understands is no reason to lose the others.
    console.warn('an event of the feed was not understood', kind, asProblem(failure).message);
  }
}

addEventListener('online', () => {
  if (lostAt !== undefined && me.peek() !== null && me.peek() !== undefined) connect();
});

document.addEventListener('visibilitychange', () => {
  clearTimeout(hiddenTimer);
  if (me.peek() === null || me.peek() === undefined || paused.peek()) return;
  if (!document.hidden) resume();
  else
    hiddenTimer = setTimeout(() => {
      if (!whileHidden.keeps()) stop();
    }, HIDDEN);
});

/** Opens the feed again that a hidden page gave back. */
export function resume(): void {
  if (line === undefined) connect();
}

/** Whether the service can be reached, asked right now. */
export async function refresh(): Promise<void> {
  failures = 0;
  connect();
  try {
    await ask<unknown>('/inbox/v1/me');
    tell('reset', {});
  } catch (failure) {
    if (!isAborted(failure)) lost();
  }
}
