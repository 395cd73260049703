// The scheduled replies of one conversation, oldest first, kept true by the feed.

import { type Signal, signal } from '@preact/signals';
import { Problem, asProblem, ask, isAborted } from '../../../api/client';
import { isAdministrator, me } from '../../../api/session';
import { on, whenBack } from '../../../live/events';
import { Meanwhile } from '../../../live/meanwhile';
import type { ActingClient } from '../types';
import type { Outgoing } from './outbox';

export type HoldCode = 'customer_wrote' | 'answered' | 'no_right' | 'not_connected' | 'window_closed' | 'quota' | 'template' | 'message_gone';

interface Content {
  type: 'text' | 'picture' | 'file';
  text: string;
  file: { url: string; name: string } | null;
  template_id: number | null;
  reply_to: string | null;
}

export interface ScheduledReply {
  number: number;
  version: number;
  user: { id: number; name: string; client?: ActingClient };
  send_at: number;
  unless_customer_wrote: boolean;
  status: 'waiting' | 'held' | 'sent' | 'cancelled';
  held: { code: HoldCode; detail: string } | null;
  /** Null once it was sent or cancelled. */
  content: Content | null;
}

/** A change; what is not there stays as it is. */
export interface ScheduledChange {
  text?: string;
  send_at?: number;
  unless_customer_wrote?: boolean;
  seen?: string | undefined;
}

type Change = 'created' | 'changed' | 'cancelled' | 'sent' | 'held';

/** Its writer and administrators change a scheduled reply and take it away. */
export function mayChange({ user }: ScheduledReply): boolean {
  return user.id === me.value?.user.id || isAdministrator.value;
}

/** The message to send in its place; undefined if its file cannot be named any more. */
export function messageOf({ number, content }: ScheduledReply): Outgoing | undefined {
  if (content === null) return undefined;
  const { type, text, file, template_id: template } = content;
  const scheduled = { scheduled_reply: number, ...(content.reply_to === null ? {} : { reply_to: content.reply_to }) };
  if (template !== null) return { type: 'template', template_id: template, text, buttons: [], ...(file === null ? {} : { name: file.name }), ...scheduled };
  if (type === 'text' || file === null) return { type: 'text', text, ...scheduled };
  const media = /\/media\/([0-9a-f-]{16,})\//.exec(file.url)?.[1];
  return media === undefined ? undefined : { type, media_id: media, name: file.name, ...(text === '' ? {} : { text }), ...scheduled };
}

export class ScheduledReplies {
  readonly all: Signal<readonly ScheduledReply[]> = signal([]);
  readonly problem: Signal<Problem | undefined> = signal(undefined);
  /** The newest one that was held while the thread was shown, to be read aloud. */
  readonly held: Signal<ScheduledReply | undefined> = signal(undefined);
  readonly #address: string;
  readonly #meanwhile = new Meanwhile<readonly ScheduledReply[]>();
  readonly #ends: (() => void)[] = [];
  readonly #closed = new AbortController();

  constructor(conversation: string) {
    this.#address = `/inbox/v1/conversations/${conversation}/scheduled-replies`;
    this.#ends.push(
      on<{ conversation_id: string; change: Change; scheduled_reply: ScheduledReply }>('scheduled_reply', (event) => {
        if (event.conversation_id !== conversation) return;
        if (event.change === 'held') this.held.value = event.scheduled_reply;
        this.#apply(event.scheduled_reply);
      }),
      on('reset', () => void this.open()),
      // The feed does not repeat what it said of them while there was no line.
      on('ready', () => void this.open()),
      whenBack(() => this.problem.peek(), () => void this.open()),
    );
    void this.open();
  }

  close(): void {
    this.#closed.abort();
    for (const end of this.#ends) end();
  }

  async open(): Promise<void> {
    try {
      const question = ask<{ scheduled_replies: readonly ScheduledReply[] }>(this.#address, { signal: this.#closed.signal });
      await this.#meanwhile.during(question, (answer, since) => {
        this.all.value = since(answer.scheduled_replies);
      });
      this.problem.value = undefined;
    } catch (failure) {
      if (!isAborted(failure)) this.problem.value = asProblem(failure);
    }
  }

  /** Schedules a reply. A repeat with the same key is the same one. */
  create(body: Record<string, unknown>, key: string): Promise<void> {
    return this.#store(ask<ScheduledReply>(this.#address, { method: 'POST', body, headers: { 'Idempotency-Key': key } }));
  }

  /** Changes a version. If another one is stored by now, that one is shown. */
  async update({ number, version }: ScheduledReply, change: ScheduledChange): Promise<void> {
    const body = { based_on: version, ...change };
    try {
      await this.#store(ask<ScheduledReply>(`${this.#address}/${number}`, { method: 'PATCH', body }));
    } catch (failure) {
      const newer = failure instanceof Problem ? (failure.parts.scheduled_reply as ScheduledReply | undefined) : undefined;
      if (newer !== undefined) this.#apply(newer);
      throw failure;
    }
  }

  /** Cancels one. One that was sent or cancelled meanwhile is gone from the list, too. */
  async delete(reply: ScheduledReply): Promise<void> {
    try {
      await ask<void>(`${this.#address}/${reply.number}`, { method: 'DELETE' });
      this.#apply({ ...reply, version: reply.version + 1, status: 'cancelled' });
    } catch (failure) {
      void this.open();
      throw failure;
    }
  }

  async #store(question: Promise<ScheduledReply>): Promise<void> {
    await this.#meanwhile.during(question, (reply, since) => {
      this.all.value = since(placed(this.all.peek(), reply));
    });
  }

  /** What is known of one: now, and over the answers that are in progress. */
  #apply(reply: ScheduledReply): void {
    const change = (known: readonly ScheduledReply[]): readonly ScheduledReply[] => placed(known, reply);
    this.all.value = change(this.all.peek());
    this.#meanwhile.note(change);
  }
}

/** With one in its place. One that was sent or cancelled goes, and an older version changes nothing. */
function placed(known: readonly ScheduledReply[], reply: ScheduledReply): readonly ScheduledReply[] {
  const there = known.find(({ number }) => number === reply.number);
  if (there !== undefined && there.version > reply.version) return known;
  const others = known.filter(({ number }) => number !== reply.number);
  if (reply.status === 'sent' || reply.status === 'cancelled') return others;
  return [...others, reply].sort((a, b) => a.number - b.number);
}
