// What a thread shows, in order: days, the line above the unread, folds of imported messages, messages, notes of the team.

import type { Message } from '../types';
import type { Note } from './notes';

export type Row =
  | { is: 'day'; key: string; at: number }
  | { is: 'unread'; key: string }
  | { is: 'fold'; key: string; messages: readonly Message[] }
  | { is: 'message'; key: string; message: Message }
  | { is: 'note'; key: string; note: Note };

/** How many silent messages in a row are worth folding. */
const FOLD = 2;

function dayOf(seconds: number): string {
  return new Date(seconds * 1000).toDateString();
}

/** The content of a thread. */
interface Shown {
  messages: readonly Message[];
  /** Oldest first, as the messages. */
  notes: readonly Note[];
  firstUnread: string | undefined;
  /** The ids of the first messages of runs that are not folded. */
  opened: ReadonlySet<string>;
}

/** A run of silent messages is one row until it is opened. Notes stand between the messages of their time. */
export function rowsOf({ messages, notes, firstUnread, opened }: Shown): Row[] {
  const rows: Row[] = [];
  let day = '';
  const begin = (seconds: number, key: string): void => {
    if (dayOf(seconds) === day) return;
    day = dayOf(seconds);
    rows.push({ is: 'day', key: `day ${key}`, at: seconds });
  };
  let next = 0;
  const pushNotes = (end: number): void => {
    for (let note = notes[next]; note !== undefined && note.created_at < end; note = notes[next]) {
      const key = `note ${note.number}`;
      begin(note.created_at, key);
      rows.push({ is: 'note', key, note });
      next += 1;
    }
  };
  for (let at = 0; at < messages.length; at += 1) {
    const message = messages[at];
    if (message === undefined) break;
    pushNotes(message.timestamp);
    begin(message.timestamp, message.id);
    if (message.id === firstUnread) rows.push({ is: 'unread', key: 'unread' });
    let end = at;
    while (messages[end]?.silent === true) end += 1;
    if (end - at >= FOLD && messages[at - 1]?.silent !== true) {
      rows.push({ is: 'fold', key: `fold ${message.id}`, messages: messages.slice(at, end) });
      if (!opened.has(message.id)) {
        at = end - 1;
        continue;
      }
    }
    rows.push({ is: 'message', key: message.id, message });
  }
  pushNotes(Number.POSITIVE_INFINITY);
  return rows;
}
