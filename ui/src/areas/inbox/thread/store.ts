// One thread: its messages, oldest first, kept true by the feed; and what is being sent in it.

import { type Signal, batch, computed, signal } from '@preact/signals';
import { Problem, asProblem, ask, isAborted } from '../../../api/client';
import { on, whenBack } from '../../../live/events';
import { Meanwhile } from '../../../live/meanwhile';
import { type Outgoing, type Pending, hold, outbox, release } from '../compose/outbox';
import * as list from '../list/store';
import type { Callback, Check, Conversation, Delivery, Message, MessagePage } from '../types';

const PAGE = 50;
/** For how long a message is in view before it counts as seen, in milliseconds. */
const GLANCE = 1_000;

/** The answers because of which something was not sent, newest first. */
export function answersIn(problem: Problem | undefined): readonly Message[] {
  return (problem?.parts.answers ?? []) as readonly Message[];
}

export class Thread {
  readonly id: string;
  readonly messages: Signal<readonly Message[]> = signal([]);
  /** Where older messages begin; null when all are there, undefined before the first answer. */
  readonly next: Signal<string | null | undefined> = signal(undefined);
  readonly problem: Signal<Problem | undefined> = signal(undefined);
  readonly loading = signal(false);
  readonly pending = computed<readonly Pending[]>(() => outbox.value.get(this.id) ?? []);
  /** The first message that was unread when the thread was opened. */
  readonly firstUnread: Signal<string | undefined> = signal(undefined);
  /** What arrived last while the thread was shown, to be read aloud. */
  readonly arrived: Signal<Message | undefined> = signal(undefined);
  readonly conversation = computed<Conversation | undefined>(() => list.find(this.id));
  readonly #ends: (() => void)[] = [];
  readonly #meanwhile = new Meanwhile<readonly Message[]>();
  readonly #closed = new AbortController();

  constructor(id: string) {
    this.id = id;
    const mine = <T extends { conversation_id: string }>(kind: string, take: (event: T) => void): void => {
      this.#ends.push(
        on<T>(kind, (event) => {
          if (event.conversation_id === id) take(event);
        }),
      );
    };
    mine<{ conversation_id: string; message: Message }>('message', ({ message }) => {
      if (this.#mayBeOnItsWay(message)) {
        this.#held.push(message);
        return;
      }
      this.#add(message);
      const { pressed } = message;
      if (message.direction === 'in' && pressed !== undefined) {
        this.#change(pressed.message_id, (it) => ({ ...it, pressed: { message_id: message.id, text: pressed.text } }));
      }
      if (message.direction === 'in' && message.silent !== true) this.arrived.value = message;
    });
    mine<{ conversation_id: string; message_id: string; delivery: Delivery }>('delivery', (event) => {
      this.#change(event.message_id, (message) => ({ ...message, delivery: event.delivery }));
    });
    mine<{ conversation_id: string; message_id: string; callback: Callback }>('callback', (event) => {
      this.#change(event.message_id, (message) => list.withCallback(message, event.callback));
    });
    mine<{ conversation_id: string; message_id: string; check: Check | null }>('media', ({ message_id: id, check }) => {
      if (check !== null) this.#change(id, (message) => ({ ...message, media_check: check }));
    });
    mine<{ conversation_id: string; message_id: string }>('changed', () => void this.#refresh());
    this.#ends.push(on('reset', () => void this.#refresh()));
    this.#ends.push(whenBack(() => this.problem.peek(), () => void this.#refresh()));
  }

  close(): void {
    this.#closed.abort();
    for (const end of this.#ends) end();
  }

  /** Reads the newest messages, and marks where the unread ones begin. */
  async open(): Promise<void> {
    this.loading.value = true;
    try {
      const conversation = await list.read(this.id, false, { signal: this.#closed.signal });
      const size = Math.min(250, Math.max(PAGE, conversation.unread + 10));
      await this.#meanwhile.during(this.#ask<MessagePage>('/messages', size), (page, since) => {
        const messages = since([...page.messages].reverse());
        const unread = messages.filter((message) => message.direction === 'in' && message.silent !== true);
        // At once: the thread opens where the unread ones begin.
        batch(() => {
          if (conversation.unread > 0) this.firstUnread.value = unread.at(-Math.min(conversation.unread, unread.length))?.id;
          this.messages.value = messages;
          this.next.value = page.next;
        });
      });
      this.problem.value = undefined;
    } catch (failure) {
      if (!isAborted(failure)) this.problem.value = asProblem(failure);
    }
    this.loading.value = false;
  }

  /** Reads older messages. */
  async older(): Promise<void> {
    const before = this.next.peek();
    if (before === null || before === undefined || this.loading.peek()) return;
    this.loading.value = true;
    try {
      await this.#meanwhile.during(this.#ask<MessagePage>('/messages', PAGE, before), (page, since) => {
        const there = new Set(this.messages.peek().map((message) => message.id));
        const more = page.messages.filter((message) => !there.has(message.id)).reverse();
        this.messages.value = since([...more, ...this.messages.peek()]);
        this.next.value = page.next;
      });
      this.problem.value = undefined;
    } catch (failure) {
      if (!isAborted(failure)) this.problem.value = asProblem(failure);
    }
    this.loading.value = false;
  }

  /** Says that somebody has read what there is. */
  async read(): Promise<void> {
    if ((this.conversation.peek()?.unread ?? 0) === 0) return;
    try {
      await ask<void>(`/inbox/v1/conversations/${this.id}/read`, { method: 'POST' });
    } catch (failure) {
      // It stays unread, which is seen; nothing was lost.
      if (!(failure instanceof Problem)) throw failure;
    }
  }

  /** Sees to it that a message that waits is not sent. The feed says what became of it. */
  withdraw(message: string): Promise<void> {
    return this.#act(`/messages/${message}/withdraw`);
  }

  /** Lets the failures of the conversation be. */
  dismiss(): Promise<void> {
    return this.#act('/dismiss-failures');
  }

  async #act(path: string): Promise<void> {
    try {
      await ask<void>(`/inbox/v1/conversations/${this.id}${path}`, { method: 'POST' });
      this.problem.value = undefined;
    } catch (failure) {
      if (!isAborted(failure)) this.problem.value = asProblem(failure);
    }
  }

  /** What came by the feed and may be what is being sent: the answer to that tells, so that nothing is shown twice. */
  #held: Message[] = [];

  #mayBeOnItsWay(message: Message): boolean {
    return message.direction === 'out' && this.pending.peek().some(({ what, problem }) => problem === undefined && mayBe(what, message));
  }

  #release(): void {
    for (const message of this.#held.splice(0)) this.#add(message);
  }

  #typed = 0;

  /** Says that somebody writes, at most every few seconds. Nothing depends on it. */
  typing(): void {
    if (Date.now() - this.#typed < 4_000) return;
    this.#typed = Date.now();
    ask<void>(`/inbox/v1/conversations/${this.id}/typing`, { method: 'POST' }).catch(() => {});
  }

  /** The newest message that whoever looks at the thread has had time to see. */
  #seen: string | undefined;
  #shown: string | undefined;

  /** Notes that the newest message is in view; an answer that comes in the last moment before a send was not seen. */
  look(): void {
    const newest = this.messages.peek().at(-1)?.id;
    if (newest === undefined || newest === this.#shown) return;
    this.#shown = newest;
    if (this.#seen === undefined) this.#seen = newest;
    else setTimeout(() => this.#see(newest), GLANCE);
  }

  #see(message: string): void {
    if (this.#shown === message) this.#seen = message;
  }

  /** The newest message that its reader has had time to see. */
  get seen(): string | undefined {
    return this.#seen;
  }

  /** Sends what was just written: it answers what its writer has seen. */
  write(what: Outgoing): Promise<boolean> {
    return this.send(this.#seen === undefined ? what : { ...what, seen: this.#seen });
  }

  /** Sends what another answer overtook, to a customer who has that answer too. */
  sendAllTheSame({ key, what, problem }: Pending): Promise<boolean> {
    const newest = answersIn(problem)[0]?.id ?? this.messages.peek().at(-1)?.id;
    return this.send(newest === undefined ? what : { ...what, seen: newest }, key);
  }

  /** Sends. What cannot be sent stays, with the reason, until it is sent or thrown away. */
  async send(what: Outgoing, key: string = crypto.randomUUID?.() ?? `${Date.now()}-${Math.random()}`): Promise<boolean> {
    hold(this.id, { key, what, problem: undefined });
    const { type, resends, seen, draft, reply_to, scheduled_reply } = what;
    // What has no value is not sent.
    const body = { type, ...contentOf(what), resends, seen, draft, reply_to, scheduled_reply };
    try {
      const address = `/inbox/v1/conversations/${this.id}/messages`;
      const question = ask<Message>(address, { method: 'POST', body, headers: { 'Idempotency-Key': key } });
      // The integration may have it before the answer is here: what the feed said of it until then counts.
      await this.#meanwhile.during(question, (message, since) => {
        this.discard(key);
        this.messages.value = since(withMessage(this.messages.peek(), message));
      });
      this.#release();
      return true;
    } catch (failure) {
      hold(this.id, { key, what, problem: asProblem(failure) });
      this.#release();
      return false;
    }
  }

  discard(key: string): void {
    release(this.id, key);
  }

  /** Throws a message away that was not sent, with the draft that it was. A newer draft stays. */
  throwAway({ key, what }: Pending): void {
    this.discard(key);
    if (what.draft === undefined) return;
    const body = { based_on: what.draft, text: '' };
    ask<void>(`/inbox/v1/conversations/${this.id}/drafts/reply`, { method: 'PATCH', body }).catch(() => {});
  }

  /** Reads the newest page again and puts what it says over what is there. */
  async #refresh(): Promise<void> {
    if (this.next.peek() === undefined) return this.open();
    try {
      const size = Math.min(250, Math.max(PAGE, this.messages.peek().length));
      await this.#meanwhile.during(this.#ask<MessagePage>('/messages', size), (page, since) => {
        const fresh = [...page.messages].reverse();
        const known = this.messages.peek();
        const at = known.findIndex((message) => message.id === fresh[0]?.id);
        // Without a common message something between is missing: the thread begins anew.
        if (at < 0) this.next.value = page.next;
        this.messages.value = since([...known.slice(0, Math.max(0, at)), ...fresh]);
      });
      this.problem.value = undefined;
    } catch (failure) {
      if (!isAborted(failure)) this.problem.value = asProblem(failure);
    }
  }

  #ask<T>(path: string, limit?: number, before?: string): Promise<T> {
    const query = { limit, before };
    return ask<T>(`/inbox/v1/conversations/${this.id}${path}`, { query, signal: this.#closed.signal });
  }

  #add(message: Message): void {
    this.#apply((known) => withMessage(known, message));
  }

  #change(id: string, make: (message: Message) => Message): void {
    this.#apply((known) => known.map((message) => (message.id === id ? make(message) : message)));
  }

  /** What the feed says: now, and over the answers that are in progress. */
  #apply(change: (known: readonly Message[]) => readonly Message[]): void {
    this.messages.value = change(this.messages.peek());
    this.#meanwhile.note(change);
  }
}

/** The part of a request that says what is sent. */
function contentOf(what: Outgoing): Record<string, unknown> {
  if (what.type === 'template') return { template_id: what.template_id };
  return { text: what.text || undefined, media_id: what.type === 'text' ? undefined : what.media_id };
}

/** Returns whether a message may be the one that is sent. The markers of a template may have other values by then. */
function mayBe(what: Outgoing, message: Message): boolean {
  if (what.type === 'template') return message.template?.id === what.template_id;
  return message.template === undefined && what.type === message.type && (what.text ?? '') === message.text;
}

/** With a message at the end, unless it is there: then that one has heard more by now. */
function withMessage(known: readonly Message[], message: Message): readonly Message[] {
  return known.some((it) => it.id === message.id) ? known : [...known, message];
}
