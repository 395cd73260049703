// What somebody has written and not sent, as this browser keeps it: drafts, and messages that did not get through. It is
// its writer's. A session that ends by itself leaves it, so that nobody loses a text; who signs out takes it along, and so
// does somebody else who signs in.

import { effect } from '@preact/signals';
import { keep, kept, keptNames, onForgotten } from '../storage';
import { leaving, me } from './session';

const KINDS = ['draft', 'unsent'] as const;
type Kind = (typeof KINDS)[number];

const own = (kind: Kind, rest: string): string => `${kind}.${me.peek()?.chat_id ?? ''}.${rest}`;

/** Keeps a writing of whoever is signed in, or forgets it. Says whether it will be there after this visit. */
export function keepWriting(kind: Kind, name: string, text: string | null): boolean {
  return keep(own(kind, name), text);
}

export function writing(kind: Kind, name: string): string | null {
  return kept(own(kind, name));
}

/** The writings of whoever is signed in whose name begins so, with their names. */
export function writings(kind: Kind, beginning = ''): { name: string; text: string }[] {
  const prefix = own(kind, '');
  return keptNames(prefix + beginning).flatMap((name) => {
    const text = kept(name);
    return text === null ? [] : [{ name: name.slice(prefix.length), text }];
  });
}

/** Hears the names of writings of whoever is signed in that another tab forgets: they were sent, or thrown away. */
export function onWritingForgotten(kind: Kind, listener: (name: string) => void): void {
  onForgotten((name) => {
    const prefix = own(kind, '');
    if (name.startsWith(prefix)) listener(name.slice(prefix.length));
  });
}

/** Forgets what others have written here, or everybody. */
function forget(but: string | undefined): void {
  for (const kind of KINDS) {
    const all = keptNames(`${kind}.`);
    for (const name of all.filter((name) => but === undefined || !name.startsWith(`${kind}.${but}.`))) keep(name, null);
  }
}

effect(() => {
  if (leaving.value) forget(undefined);
  else if (me.value !== null && me.value !== undefined) forget(me.value.chat_id);
});
