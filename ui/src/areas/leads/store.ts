// The unsorted leads, kept true by the feed.

import { effect, signal } from '@preact/signals';
import { type Problem, asProblem, ask } from '../../api/client';
import { me } from '../../api/session';
import { on, whenBack } from '../../live/events';
import type { Lead, Kind } from '../inbox/types';

/** A lead that a conversation, a form or a call opened and nobody has taken on. */
export interface Unsorted {
  /** The number of the lead, as text. */
  uid: string;
  source_name: string;
  pipeline_id: number;
  created_at: number;
  category: 'chats' | 'forms' | 'sip';
  /** Those of one category. */
  metadata: {
    from?: string | null;
    origin?: { chat_id: string };
    last_message_text?: string | null;
    last_message_type?: Kind | null;
    form_name?: string | null;
    phone?: string | null;
  };
}

const PAGE = 250;

export const unsorted = signal<readonly Unsorted[]>([]);
export const told = signal(false);
export const problem = signal<Problem | undefined>(undefined);
/** The next page: leads that wait for less long. */
export const next = signal<string | undefined>(undefined);

interface Answer {
  _embedded: { unsorted: Unsorted[] };
  _links: { next?: { href: string } };
}

async function read(address: string): Promise<readonly Unsorted[]> {
  // An empty list has no body.
  const answer = await ask<Answer | undefined>(address);
  const link = answer?._links.next?.href;
  // Links begin with the public address, which may be another than the one this page was opened by.
  next.value = link === undefined ? undefined : new URL(link).pathname + new URL(link).search;
  problem.value = undefined;
  told.value = true;
  return answer?._embedded.unsorted ?? [];
}

export async function load(): Promise<void> {
  try {
    unsorted.value = await read(`/api/v4/leads/unsorted?limit=${PAGE}&order[created_at]=asc`);
  } catch (failure) {
    problem.value = asProblem(failure);
  }
}

export async function more(): Promise<void> {
  if (next.peek() === undefined) return;
  try {
    const older = await read(next.peek() ?? '');
    const known = new Set(unsorted.peek().map((lead) => lead.uid));
    unsorted.value = [...unsorted.peek(), ...older.filter((lead) => !known.has(lead.uid))];
  } catch (failure) {
    problem.value = asProblem(failure);
  }
}

/** Takes a lead on: into the first stage and as one's own, unless something else is said. */
export async function accept(id: number, how: { status_id?: number; user_id?: number } = {}): Promise<void> {
  await ask<unknown>(`/api/v4/leads/unsorted/${id}/accept`, { method: 'POST', body: how });
  gone('accepted', id);
}

export async function decline(id: number): Promise<void> {
  await ask<unknown>(`/api/v4/leads/unsorted/${id}/decline`, { method: 'DELETE' });
  gone('declined', id);
}

type What = 'accepted' | 'declined';

/** What was last done here, to be said. */
export const done = signal<{ what: What; ids: readonly number[] } | undefined>(undefined);

/** Does it with several, one after the other, until one cannot be done. */
export async function each(ids: readonly number[], what: What, work: (id: number) => Promise<void>): Promise<void> {
  const reached: number[] = [];
  try {
    for (const id of ids) {
      await work(id);
      reached.push(id);
    }
  } finally {
    if (reached.length > 0) done.value = { what, ids: reached };
  }
}

function gone(what: What, id: number): void {
  done.value = { what, ids: [id] };
  unsorted.value = unsorted.peek().filter((lead) => lead.uid !== String(id));
}

let timer: number | undefined;

on<{ lead: Lead }>('lead', () => {
  // Many leads may come at once; the list is read once for all of them, and only by those who have looked at it.
  clearTimeout(timer);
  if (told.peek()) timer = setTimeout(() => void load(), 300);
});
on('reset', () => {
  if (told.peek()) void load();
});
whenBack(() => problem.peek(), () => void load());

effect(() => {
  if (me.value !== null) return;
  [unsorted.value, told.value, problem.value, next.value] = [[], false, undefined, undefined];
  done.value = undefined;
});
