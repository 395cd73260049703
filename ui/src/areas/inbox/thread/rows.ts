// What a thread shows, in order: days, the line above the unread, folds of imported messages, messages.

import type { Message } from '../types';

export type Row =
  | { is: 'day'; key: string; at: number }
  | { is: 'unread'; key: string }
  | { is: 'fold'; key: string; messages: readonly Message[] }
  | { is: 'message'; key: string; message: Message };

/** How many silent messages in a row are worth folding. */
const FOLD = 2;

function dayOf(message: Message): string {
  return new Date(message.timestamp * 1000).toDateString();
}

/** A run of silent messages is one row until somebody opens it (`opened` has the id of its first message). */
export function rowsOf(messages: readonly Message[], firstUnread: string | undefined, opened: ReadonlySet<string>): Row[] {
  const rows: Row[] = [];
  let day = '';
  for (let at = 0; at < messages.length; at += 1) {
    const message = messages[at];
    if (message === undefined) break;
    if (dayOf(message) !== day) {
      day = dayOf(message);
      rows.push({ is: 'day', key: `day ${message.id}`, at: message.timestamp });
    }
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
  return rows;
}
