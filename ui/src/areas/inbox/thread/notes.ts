// The notes of the team in one conversation, oldest first, kept true by the feed.

import { type Signal, batch, computed, signal } from '@preact/signals';
import { type Problem, asProblem, ask, isAborted } from '../../../api/client';
import { me } from '../../../api/session';
import { on } from '../../../live/events';
import { Meanwhile } from '../../../live/meanwhile';
import type { ActingClient } from '../types';

export interface Note {
  number: number;
  user: { id: number; name: string; client?: ActingClient };
  created_at: number;
  updated_at: number | null;
  /** Null once the note was deleted. */
  text: string | null;
  /** The users whom it mentions. */
  mentions: readonly number[];
  /** The user who deleted it. */
  deleted_by: number | null;
}

interface NotePage {
  /** Newest first. */
  notes: readonly Note[];
  /** The cursor of the next page. */
  next: number | null;
}

const PAGE = 50;
/** The most pages that are read in a row: a reader asks for more. */
const PAGES_IN_A_ROW = 4;

export class Notes {
  readonly all: Signal<readonly Note[]> = signal([]);
  /** The cursor of older notes; null when all are there, undefined before the first answer. */
  readonly next: Signal<number | null | undefined> = signal(undefined);
  readonly problem: Signal<Problem | undefined> = signal(undefined);
  /** The newest note of a colleague that came while the thread was shown, to be read aloud. */
  readonly arrived: Signal<Note | undefined> = signal(undefined);
  /** The time from which on notes are shown, in seconds: older ones come with the messages of their time. */
  readonly since: Signal<number> = signal(Number.POSITIVE_INFINITY);
  /** The notes beside the messages that are there. */
  readonly shown = computed(() => this.all.value.filter((note) => note.created_at >= this.since.value));
  /** True while notes are missing beside messages that are there. */
  readonly lacks = computed(() => {
    const oldest = this.all.value[0]?.created_at ?? Number.POSITIVE_INFINITY;
    return typeof this.next.value === 'number' && oldest >= this.since.value;
  });
  readonly #address: string;
  readonly #meanwhile = new Meanwhile<readonly Note[]>();
  readonly #ends: (() => void)[] = [];
  /** The reading in progress. */
  #reading: AbortController | undefined;

  constructor(readonly conversation: string) {
    this.#address = `/inbox/v1/conversations/${conversation}/notes`;
    this.#ends.push(
      on<{ conversation_id: string; note: Note }>('note', (event) => {
        if (event.conversation_id === conversation) this.#hear(event.note);
      }),
      on('reset', () => void this.open()),
      // The feed does not repeat what it said of notes while there was no line.
      on('ready', () => void this.open()),
    );
  }

  close(): void {
    this.#reading?.abort();
    for (const end of this.#ends) end();
  }

  /** Reads the notes anew, from the newest on. What is shown stays until the answer is there. */
  open(): Promise<void> {
    return this.#read(undefined);
  }

  /** Shows the notes from this time on, and reads those of them that are missing. */
  async reach(since: number): Promise<void> {
    this.since.value = since;
    await this.more();
  }

  /** Reads on behind what is there, if notes are missing. */
  async more(): Promise<void> {
    const next = this.next.peek();
    if (this.#reading === undefined && typeof next === 'number' && this.lacks.peek()) await this.#read(next);
  }

  /** Stores a note that mentions these users, with the number of the draft that it was. A repeat with the same key is the same note. */
  create(text: string, mentions: readonly number[], key: string, draft: number | undefined): Promise<void> {
    const headers = { 'Idempotency-Key': key };
    return this.#store(ask<Note>(this.#address, { method: 'POST', body: { text, mentions, draft }, headers }));
  }

  update(number: number, text: string, mentions: readonly number[]): Promise<void> {
    return this.#store(ask<Note>(`${this.#address}/${number}`, { method: 'PATCH', body: { text, mentions } }));
  }

  /** Deletes a note. A mark of it stays. */
  async delete(number: number): Promise<void> {
    await ask<void>(`${this.#address}/${number}`, { method: 'DELETE' });
    const by = me.peek()?.user.id ?? null;
    const mark = (note: Note): Note => (note.number === number && note.text !== null ? { ...note, text: null, mentions: [], deleted_by: by } : note);
    this.#apply((known) => known.map(mark));
  }

  async #read(cursor: number | undefined): Promise<void> {
    this.#reading?.abort();
    const mine = new AbortController();
    this.#reading = mine;
    try {
      let at = cursor;
      for (let page = 0; page < PAGES_IN_A_ROW; page += 1) {
        let end: number | null = null;
        const question = ask<NotePage>(this.#address, { query: { limit: PAGE, cursor: at }, signal: mine.signal });
        await this.#meanwhile.during(question, (answer, since) => {
          if (this.#reading === mine) end = this.#take(answer, at, since);
        });
        if (end === null) break;
        at = end;
      }
      this.problem.value = undefined;
    } catch (failure) {
      if (!isAborted(failure)) this.problem.value = asProblem(failure);
    }
    if (this.#reading === mine) this.#reading = undefined;
  }

  /** Puts a page in place of what is known of its numbers; gives the cursor of the next page, if that one is to be read as well. */
  #take(answer: NotePage, cursor: number | undefined, since: (known: readonly Note[]) => readonly Note[]): number | null {
    const [begin, end] = [answer.next ?? 0, cursor ?? Number.POSITIVE_INFINITY];
    const known = this.all.peek();
    // Without a common note something between is missing: the notes begin anew.
    const isJoined = known.some((note) => note.number >= begin);
    const older = isJoined ? known.filter((note) => note.number < begin) : [];
    const newer = known.filter((note) => note.number >= end);
    batch(() => {
      if (older.length === 0) this.next.value = answer.next;
      this.all.value = since([...older, ...[...answer.notes].reverse(), ...newer]);
    });
    return older.length > 0 || this.lacks.peek() ? answer.next : null;
  }

  async #store(question: Promise<Note>): Promise<void> {
    await this.#meanwhile.during(question, (note, since) => {
      this.all.value = since(this.#with(this.all.peek(), note));
    });
  }

  #hear(note: Note): void {
    const newest = this.all.peek().at(-1)?.number ?? 0;
    const isOfColleague = note.user.id !== me.peek()?.user.id;
    if (isOfColleague && note.number > newest && note.text !== null) this.arrived.value = note;
    this.#apply((known) => this.#with(known, note));
  }

  /** What the feed says: now, and over the answers that are in progress. */
  #apply(change: (known: readonly Note[]) => readonly Note[]): void {
    this.all.value = change(this.all.peek());
    this.#meanwhile.note(change);
  }

  /** Puts a note in its place. One before all that are there comes with its page, and a deleted one stays deleted. */
  #with(known: readonly Note[], note: Note): readonly Note[] {
    const at = known.findIndex((other) => other.number >= note.number);
    const there = known[at];
    if (there?.number === note.number) return there.text === null ? known : known.map((other) => (other === there ? note : other));
    if (at === 0 && typeof this.next.peek() === 'number') return known;
    return at < 0 ? [...known, note] : [...known.slice(0, at), note, ...known.slice(at)];
  }
}
