// What somebody writes in a conversation and has not sent: kept in this browser with each key, and by the service a moment
// later, so that it is there on other devices and after a colleague's changes. The service numbers the versions; a page
// that is behind overwrites nothing, and both versions are shown.

import { signal, type Signal } from '@preact/signals';
import { Problem, asProblem, ask, isAborted } from '../../../api/client';
import { keepWriting, writing } from '../../../api/writings';
import { on, whenBack } from '../../../live/events';
import { outbox } from './outbox';

export interface Upload {
  id: string;
  type: 'picture' | 'file';
  file_name: string;
  file_size: number;
}

/** A version of the draft as the service has it. */
export interface StoredDraft {
  number: number;
  updated_at: number | null;
  text: string;
  file: Upload | null;
}

/** The kind of text that a draft becomes. */
export type DraftKind = 'reply' | 'note';

/** How long after the last key the service gets the draft, in milliseconds. */
const PAUSE = 1_000;

/** What this browser keeps until the service has it. */
interface Unsaved {
  text: string;
  file?: Upload;
  based_on: number;
}

/** The name of the draft in this browser. */
const nameOf = (conversation: string, kind: DraftKind): string => (kind === 'reply' ? conversation : `${conversation}.${kind}`);

function unsaved(name: string): Unsaved | undefined {
  const kept = writing('draft', name);
  if (kept === null) return undefined;
  try {
    const left = JSON.parse(kept) as Partial<Unsaved> | null;
    if (typeof left?.text === 'string' && typeof left.based_on === 'number') return left as Unsaved;
  } catch {
    // The text alone, as it was kept before.
  }
  return { text: kept, based_on: 0 };
}

const isEmpty = (draft: StoredDraft): boolean => draft.text === '' && draft.file === null;

export class Draft {
  readonly text: Signal<string>;
  readonly file: Signal<Upload | undefined>;
  /** Whether it will be there after this visit. */
  readonly kept: Signal<boolean>;
  /** Another version, which another page has stored meanwhile. */
  readonly other: Signal<StoredDraft | undefined> = signal(undefined);
  readonly #conversation: string;
  readonly #kind: DraftKind;
  /** The number of the service's version that this one goes on from. */
  #base: number;
  /** Whether nothing was written here since. */
  #clean: boolean;
  #timer: number | undefined;
  #saving = false;
  /** The end of the newest save. */
  #running: Promise<void> = Promise.resolve();
  /** The newest number that the feed has named. */
  #newest = 0;
  #closed = false;
  #failed: Problem | undefined;
  /** An upload that the service has no longer: the text is kept without it, and sending says so. */
  #gone: string | undefined;
  readonly #ends: (() => void)[] = [];

  constructor(conversation: string, kind: DraftKind) {
    this.#conversation = conversation;
    this.#kind = kind;
    const left = unsaved(nameOf(conversation, kind));
    this.text = signal(left?.text ?? '');
    this.file = signal(left?.file);
    this.kept = signal(left !== undefined && left.text !== '');
    this.#base = left?.based_on ?? 0;
    this.#clean = left === undefined;
    this.#ends.push(
      on<{ conversation_id: string; kind: DraftKind; number: number }>('draft', (event) => {
        if (event.conversation_id === conversation && event.kind === kind) this.#hear(event.number);
      }),
      on('reset', () => void this.#read()),
      whenBack(() => this.#failed, () => void this.#read()),
    );
    const leave = (): void => {
      if (document.hidden) this.#saveNow();
    };
    document.addEventListener('visibilitychange', leave);
    this.#ends.push(() => document.removeEventListener('visibilitychange', leave));
    void this.#read();
  }

  /** The page leaves the conversation. */
  close(): void {
    this.#saveNow();
    this.#closed = true;
    for (const end of this.#ends) end();
  }

  write(text: string): void {
    this.text.value = text;
    this.#changed();
  }

  attach(upload: Upload | undefined): void {
    this.file.value = upload;
    this.#changed();
  }

  /** Takes what is there to send it, and gives the number of the version that it was, if the service has one. */
  take(): number | undefined {
    clearTimeout(this.#timer);
    this.#timer = undefined;
    this.#put('', undefined);
    this.#rest(this.#base, true);
    return this.#base === 0 ? undefined : this.#base;
  }

  /** Brings the service up to what is here; gives the number of that version, or undefined if the service did not store it. */
  async settle(): Promise<number | undefined> {
    await this.#running;
    clearTimeout(this.#timer);
    if (!this.#clean) await this.#save();
    return this.#clean && this.#base > 0 ? this.#base : undefined;
  }

  /** A note was stored with this text, and the service has deleted the version with this number. */
  became(text: string, number: number | undefined): void {
    // Another text is here when the feed was faster, or another page has gone on.
    if (this.text.peek() !== text) return;
    this.#put('', undefined);
    if (number !== undefined && number === this.#base) this.#rest(number + 1, true);
    else this.#changed();
  }

  /** A message arrived that was the version with this number: the service has deleted it with the message. */
  arrived(number: number | undefined): void {
    if (number === this.#base) this.#rest(number + 1, this.#clean);
  }

  /** Goes on with the other version; what was here goes. */
  useOther(): void {
    const other = this.other.peek();
    if (other !== undefined) this.#show(other);
  }

  /** Goes on with what is here; the other version goes. */
  keepThis(): void {
    const other = this.other.peek();
    if (other === undefined) return;
    this.other.value = undefined;
    this.#rest(other.number, false);
    this.#saveNow();
  }

  #put(text: string, file: Upload | undefined): void {
    this.text.value = text;
    this.file.value = file;
  }

  /** Goes on from this version; what the service does not have yet, this browser keeps. */
  #rest(base: number, clean: boolean): void {
    this.#base = base;
    this.#clean = clean;
    const [text, file] = [this.text.peek(), this.file.peek()];
    const left: Unsaved = { text, based_on: base, ...(file === undefined ? {} : { file }) };
    const isNothing = clean || (base === 0 && text === '' && file === undefined);
    const isHere = keepWriting('draft', nameOf(this.#conversation, this.#kind), isNothing ? null : JSON.stringify(left));
    this.kept.value = text !== '' && (clean || isHere);
  }

  #show(stored: StoredDraft): void {
    this.other.value = undefined;
    this.#put(stored.text, stored.file ?? undefined);
    this.#rest(stored.number, true);
  }

  #changed(): void {
    this.#rest(this.#base, false);
    clearTimeout(this.#timer);
    this.#timer = setTimeout(() => void this.#save(), PAUSE);
  }

  #saveNow(): void {
    if (this.#clean) return;
    clearTimeout(this.#timer);
    void this.#save();
  }

  get #address(): string {
    return `/inbox/v1/conversations/${this.#conversation}/drafts/${this.#kind}`;
  }

  /** Reads what the feed names, unless it is here or may be what is being saved. */
  #hear(number: number): void {
    this.#newest = Math.max(this.#newest, number);
    if (this.#newest > this.#base && !this.#saving && !this.#closed) void this.#read();
  }

  async #read(): Promise<void> {
    try {
      const stored = await ask<StoredDraft>(this.#address);
      if (!this.#closed && !this.#saving) this.#compare(stored);
      this.#failed = undefined;
    } catch (failure) {
      this.#fail(failure);
    }
  }

  /** Takes what the service has, unless something was written here since: then both are shown. */
  #compare(stored: StoredDraft): void {
    // What is on its way, or was refused, is in the thread: it does not come back to the composer as well.
    const isOnItsWay = this.#kind === 'reply' && outbox.peek().get(this.#conversation)?.some(({ what }) => what.draft === stored.number) === true;
    if (isOnItsWay) return this.#rest(stored.number, this.#clean);
    this.other.value = undefined;
    const isSame = stored.text === this.text.peek() && stored.file?.id === this.file.peek()?.id;
    if (isSame) this.#rest(stored.number, true);
    else if (this.#clean) this.#show(stored);
    else if (stored.number === this.#base || isEmpty(stored)) {
      this.#rest(stored.number, false);
      this.#saveNow();
    } else this.other.value = stored;
  }

  #save(): Promise<void> {
    this.#timer = undefined;
    // One after the other: each is based on the version before.
    if (!this.#saving && this.other.peek() === undefined) this.#running = this.#store();
    return this.#running;
  }

  async #store(): Promise<void> {
    const [text, file] = [this.text.peek(), this.file.peek()];
    const media = file === undefined || file.id === this.#gone ? {} : { media_id: file.id };
    this.#saving = true;
    try {
      const body = { based_on: this.#base, text, ...media };
      const { number } = await ask<StoredDraft>(this.#address, { method: 'PATCH', body });
      const isSame = text === this.text.peek() && file?.id === this.file.peek()?.id;
      this.#rest(number, isSame);
      this.#saving = false;
      this.#failed = undefined;
      this.#hear(number);
      if (!isSame && !this.#closed) this.#changed();
    } catch (failure) {
      this.#saving = false;
      const newer = failure instanceof Problem ? (failure.parts.draft as StoredDraft | undefined) : undefined;
      if (newer === undefined && this.#gone !== file?.id && asProblem(failure).about('media_id') !== undefined) {
        this.#gone = file?.id;
        this.#changed();
      } else if (newer === undefined) this.#fail(failure);
      else this.#compare(newer);
    }
  }

  /** It stays in this browser, and is tried again with the next key or when the service is back. */
  #fail(failure: unknown): void {
    if (failure instanceof Problem) this.#failed = failure;
    else if (!isAborted(failure)) throw failure;
  }
}
