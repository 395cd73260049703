// The users whom a note mentions: those whose names it has behind an @. The service says who can be mentioned in the conversation,
// and who may view it now.

import { type Signal, signal } from '@preact/signals';
import { ask } from '../../../api/client';

export interface Mentionable {
  id: number;
  name: string;
  may_view: boolean;
}

interface Page {
  users: readonly Mentionable[];
  next: string | null;
}

/** How many pages of users are read: of more than a thousand the others are mentioned by programs alone. */
const PAGES = 4;
/** The most users that one note mentions. */
const MOST = 20;
/** How many users are suggested at a time. */
const FEW = 6;

const folded = (text: string): string => text.normalize('NFC').toLocaleLowerCase();
const isLetter = (text: string | undefined): boolean => text !== undefined && /[\p{L}\p{N}_]/u.test(text);

/** The beginning of a name that is being written. */
export interface Begun {
  /** The place of the @. */
  from: number;
  /** What is written of the name. */
  prefix: string;
}

/** Finds the name that is being written before this place. */
export function begun(text: string, at: number): Begun | undefined {
  const found = /(?:^|[^\p{L}\p{N}_])@([^@\n]{0,40})$/u.exec(text.slice(0, at));
  return found?.[1] === undefined ? undefined : { from: at - found[1].length - 1, prefix: found[1] };
}

/** Finds the users whose names are in the text behind an @. A longer name is not also a shorter one that begins it. */
export function mentionedIn(text: string, users: readonly Mentionable[]): readonly Mentionable[] {
  const said = folded(text);
  const names = [...new Set(users.map((user) => folded(user.name)))].sort((one, other) => other.length - one.length);
  const found = new Set<string>();
  for (let at = said.indexOf('@'); at >= 0; at = said.indexOf('@', at + 1)) {
    if (isLetter(said[at - 1])) continue;
    const name = names.find((it) => said.startsWith(it, at + 1) && !isLetter(said[at + 1 + it.length]));
    if (name !== undefined) found.add(name);
  }
  return users.filter((user) => found.has(folded(user.name)));
}

/** Who can be mentioned in one conversation, read when the first @ is written. */
export class Mentions {
  readonly users: Signal<readonly Mentionable[] | undefined> = signal(undefined);
  readonly #address: string;
  #reading: Promise<void> | undefined;

  constructor(conversation: string) {
    this.#address = `/inbox/v1/conversations/${conversation}/mentionable-users`;
  }

  /** Reads the users, if the text may mention one. */
  async need(text: string): Promise<void> {
    if (!text.includes('@') || this.users.peek() !== undefined) return;
    this.#reading ??= this.#read().finally(() => (this.#reading = undefined));
    await this.#reading;
  }

  /** Forgets who may view the conversation: a mention changes that. */
  forget(): void {
    this.users.value = undefined;
  }

  /** The users whom a text mentions. */
  of(text: string): readonly Mentionable[] {
    return mentionedIn(text, this.users.value ?? []).slice(0, MOST);
  }

  /** The users whose names, or a word of them, begin like this. */
  suggest(prefix: string): readonly Mentionable[] {
    const wanted = folded(prefix);
    const fits = ({ name }: Mentionable): boolean => folded(name).startsWith(wanted) || folded(name).split(/\s+/).some((word) => word.startsWith(wanted));
    return (this.users.value ?? []).filter(fits).slice(0, FEW);
  }

  async #read(): Promise<void> {
    const all: Mentionable[] = [];
    let cursor: string | undefined;
    for (let page = 0; page < PAGES; page += 1) {
      const answer = await ask<Page>(this.#address, { query: { limit: 250, cursor } });
      all.push(...answer.users);
      if (answer.next === null) break;
      cursor = answer.next;
    }
    this.users.value = all;
  }
}
