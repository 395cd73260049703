// How much waits for whoever is signed in: counted by the service, the same on every page, and kept true by the feed.

import { effect, signal } from '@preact/signals';
import { Problem, ask } from '../api/client';
import { me } from '../api/session';
import { number } from '../words/language';
import { on } from './events';

export interface Count {
  count: number;
  /** There may be more: the service ended counting. */
  capped: boolean;
}

export interface Counts {
  /** Conversations with something unread. */
  unread: Count;
  /** Conversations in which something has not arrived. */
  failed: Count;
  unsorted: Count;
  /** Webhooks that get nothing until an administrator enables them; none for others. */
  disabled_webhooks: Count;
}

const NONE: Count = { count: 0, capped: false };
/** Before the first count. */
export const NOTHING: Counts = { unread: NONE, failed: NONE, unsorted: NONE, disabled_webhooks: NONE };

export const counts = signal<Counts>(NOTHING);

/** «12», or «250+». */
export const counted = ({ count, capped }: Count): string => `${number(count)}${capped ? '+' : ''}`;

/** How long changes are collected, in milliseconds. */
const COLLECT = 1_000;
/** What changes a count. */
const CAUSES = ['message', 'read', 'marked', 'changed', 'lead', 'delivery', 'callback', 'webhook', 'reset', 'back'];

let collecting: number | undefined;
let asking = false;
let again = false;

/** Counts anew, soon. One question at a time: what happens during one is counted by the next. */
function recount(): void {
  collecting ??= setTimeout(() => {
    collecting = undefined;
    void read();
  }, COLLECT);
}

async function read(): Promise<void> {
  if (asking) {
    again = true;
    return;
  }
  const who = me.peek();
  if (who === null || who === undefined) return;
  asking = true;
  try {
    const answer = await ask<Counts>('/inbox/v1/counts');
    if (me.peek()?.chat_id === who.chat_id) counts.value = answer;
  } catch (failure) {
    // The last counts stay, and the connection says that they may be old.
    if (!(failure instanceof Problem)) throw failure;
  }
  asking = false;
  if (again) {
    again = false;
    recount();
  }
}

for (const cause of CAUSES) on(cause, recount);

effect(() => {
  if (me.value === null) counts.value = NOTHING;
  else if (me.value !== undefined) void read();
});
