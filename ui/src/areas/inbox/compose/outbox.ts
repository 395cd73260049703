// Messages on their way to the service, of every conversation. What does not get through stays, in this browser too, until
// it is sent or thrown away: see `api/writings.ts` for how long and for whom.

import { effect, signal } from '@preact/signals';
import { Problem } from '../../../api/client';
import { me } from '../../../api/session';
import { keepWriting, onWritingForgotten, writings } from '../../../api/writings';
import type { TemplateButton } from '../types';

/** A template as it was when it was chosen: the service fills its markers anew. */
interface SaidByTemplate {
  type: 'template';
  template_id: number;
  text: string;
  buttons: readonly TemplateButton[];
  /** The name of its file. */
  name?: string;
}

type Said = { type: 'text'; text: string } | { type: 'picture' | 'file'; media_id: string; text?: string; name: string } | SaidByTemplate;

/**
 * A message to send: a text, an uploaded file, or a template. `resends` is the message that failed and is sent again by it, `seen`
 * the newest message that its writer has seen, `draft` the version of the draft that it was,
 * `reply_to` the message that it answers, `scheduled_reply` the scheduled reply that it was.
 */
export type Outgoing = Said & { resends?: string; seen?: string; draft?: number; reply_to?: string; scheduled_reply?: number };

/** A message on its way to the service. Its key makes a repeat the same message. */
export interface Pending {
  key: string;
  what: Outgoing;
  /** Why it did not get there; undefined while it is in progress. */
  problem: Problem | undefined;
}

/** By conversation, in the order in which they were written. */
export const outbox = signal<ReadonlyMap<string, readonly Pending[]>>(new Map());

interface Kept {
  what: Outgoing;
  at: number;
  /** Of the refusal; a message that was in progress when the page was left has none. */
  status?: number;
  detail?: string;
}

const nameOf = (conversation: string, key: string): string => `${conversation} ${key}`;

function change(conversation: string, make: (all: readonly Pending[]) => readonly Pending[]): void {
  outbox.value = new Map(outbox.peek()).set(conversation, make(outbox.peek().get(conversation) ?? []));
}

/** Puts a message there, or says what became of it. */
export function hold(conversation: string, pending: Pending): void {
  const { key, what, problem } = pending;
  const isThere = outbox.peek().get(conversation)?.some((known) => known.key === key) === true;
  change(conversation, (all) => (isThere ? all.map((known) => (known.key === key ? pending : known)) : [...all, pending]));
  const refusal = problem === undefined ? {} : { status: problem.status, detail: problem.detail };
  const text: Kept = { what, at: Date.now(), ...refusal };
  keepWriting('unsent', nameOf(conversation, key), JSON.stringify(text));
}

/** It was sent, or thrown away. */
export function release(conversation: string, key: string): void {
  change(conversation, (all) => all.filter((known) => known.key !== key));
  keepWriting('unsent', nameOf(conversation, key), null);
}

function read(text: string): Kept | undefined {
  try {
    const found = JSON.parse(text) as Partial<Kept>;
    return found.what?.type === undefined || typeof found.at !== 'number' ? undefined : (found as Kept);
  } catch {
    return undefined;
  }
}

/** What was left behind. Whether it got through the page that was left cannot know; sending it again makes no second one. */
function recall(): void {
  const left = writings('unsent').flatMap(({ name, text }) => {
    const [conversation = '', key = ''] = name.split(' ');
    const found = read(text);
    return found === undefined ? [] : [{ conversation, key, found }];
  });
  left.sort((a, b) => a.found.at - b.found.at);
  const all = new Map<string, Pending[]>();
  for (const { conversation, key, found } of left) {
    const problem = new Problem(found.status ?? 0, found.detail ?? '');
    all.set(conversation, [...(all.get(conversation) ?? []), { key, what: found.what, problem }]);
  }
  outbox.value = all;
}

onWritingForgotten('unsent', (name) => {
  const [conversation = '', key = ''] = name.split(' ');
  change(conversation, (all) => all.filter((known) => known.key !== key));
});

effect(() => {
  if (me.value === null) outbox.value = new Map();
  else if (me.value !== undefined) recall();
});
