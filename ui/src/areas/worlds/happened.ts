// What happened in a world, as far as a page knows it, kept true by asking for what came after.

import { useRef } from 'preact/hooks';
import { askAsOperator } from '../../api/operator';
import type { Loaded } from '../../parts/load';
import { usePolled } from '../operator/polled';
import { pathOf } from './address';
import type { Ended, Entry, Piece } from './types';

/** How often is asked, in milliseconds. */
const EVERY = 1_000;
/** How many entries are asked for at once, and how many stay in the page. */
const [PIECE, MOST] = [200, 1_000];
/** How long an answer to a request is waited for, in milliseconds. */
const PATIENCE = 120_000;
/**
 * Behind how many further entries an answer is waited for: the rest of a piece is for new ones. An answer that comes later, or behind
 * more of them, is in the downloads.
 */
const AGAIN = PIECE / 2;

export interface Happened {
  /** Oldest first. */
  entries: readonly Entry[];
  /** The newest entry that is known. */
  cursor: number;
  ended: Ended | null;
  /** When requests that have no answer yet were first seen, by their cursor. */
  open: ReadonlyMap<number, number>;
}

const NOTHING: Happened = { entries: [], cursor: 0, ended: null, open: new Map() };

/** The journal of a world, asked for again and again until the world has ended. */
export function useJournal(id: string): Loaded<Happened> {
  const known = useRef(NOTHING);
  return usePolled(id, EVERY, async (signal) => {
    if (known.current.ended !== null) return known.current;
    const query = { form: 'document', after: after(known.current, Date.now()), limit: PIECE };
    const piece = await askAsOperator<Piece>(`${pathOf(id)}/journal`, { query, signal });
    known.current = joined(known.current, piece, Date.now());
    return known.current;
  });
}

/** What is asked for: all that is new, and the requests whose answers may be there by now. */
function after({ cursor, open }: Happened, now: number): number {
  const waiting = [...open].flatMap(([entry, since]) => (now - since < PATIENCE && cursor - entry < AGAIN ? [entry - 1] : []));
  return Math.min(cursor, ...waiting);
}

/** What is known with a piece. What has not changed stays the same object, so it is not drawn again. */
function joined(known: Happened, piece: Piece, now: number): Happened {
  const [first] = piece.entries;
  if (first === undefined && piece.ended === null) return known;
  const before = new Map(known.entries.map((entry) => [entry.cursor, entry]));
  const entries = new Map(before);
  for (const entry of piece.entries) entries.set(entry.cursor, same(before.get(entry.cursor), entry));
  const all = [...entries.values()].sort((one, other) => one.cursor - other.cursor).slice(-MOST);
  const open = all.flatMap((entry): [number, number][] => {
    const isOpen = entry.kind === 'request' && entry.status === null;
    return isOpen ? [[entry.cursor, known.open.get(entry.cursor) ?? now]] : [];
  });
  return { entries: all, cursor: Math.max(known.cursor, piece.cursor), ended: piece.ended, open: new Map(open) };
}

function same(known: Entry | undefined, entry: Entry): Entry {
  if (known === undefined) return entry;
  const isAnswered = known.kind === 'request' && entry.kind === 'request' && known.status !== entry.status;
  return isAnswered ? entry : known;
}
