// Canned replies: what the service has of them, and where a text asks for one.

import { ask } from '../../../api/client';
import { folded } from '../../../parts/folded';
import type { Upload } from '../compose/draft';

export interface CannedReply {
  id: number;
  name: string;
  /** With its markers; in the list of a conversation with their values, and null when it is too long for a message. */
  text: string | null;
  /** The markers without a value, in the list of a conversation. */
  empty?: readonly string[];
  is_shared: boolean;
  user_id: number;
  file: Upload | null;
}

interface Page {
  canned_replies: CannedReply[];
  next: string | null;
}

const PAGE = 250;

/** All of one list; the service has at most 700 for one user. */
async function all(address: string, signal: AbortSignal): Promise<readonly CannedReply[]> {
  const replies: CannedReply[] = [];
  let cursor: string | undefined;
  do {
    const page: Page = await ask<Page>(address, { signal, query: { limit: PAGE, cursor } });
    replies.push(...page.canned_replies);
    cursor = page.next ?? undefined;
  } while (cursor !== undefined);
  return replies;
}

export const canned = (signal: AbortSignal) => all('/inbox/v1/canned-replies', signal);

export const cannedFor = (conversation: string, signal: AbortSignal) =>
  all(`/inbox/v1/conversations/${conversation}/canned-replies`, signal);

/** Those whose name or text has these words: the user's own first, then the shared ones, each by name. */
export function matching(replies: readonly CannedReply[], words: string): readonly CannedReply[] {
  const wanted = folded(words.trim());
  const found = replies.filter(({ name, text }) => [name, text ?? ''].some((it) => folded(it).includes(wanted)));
  return [...found.filter((it) => !it.is_shared), ...found.filter((it) => it.is_shared)];
}

/** A slash at the beginning of a text or behind white space, with what was typed behind it. */
export interface Slash {
  at: number;
  words: string;
}

/** The slash that asks for a canned reply, if the text before the cursor ends with one. */
export function slashBefore(text: string, cursor: number): Slash | undefined {
  const found = /(?:^|\s)\/((?:[^\s/][^\n/]{0,60})?)$/u.exec(text.slice(0, cursor));
  const words = found?.[1];
  return words === undefined ? undefined : { at: cursor - words.length - 1, words };
}

/** The markers in a text: nothing fills them any more. */
export function gapsIn(text: string): readonly string[] {
  return [...new Set(text.match(/\{\{[A-Za-z0-9._]{1,128}\}\}/g) ?? [])];
}

/** Puts a text in place of a part of the area, as if it was typed: one undo brings back what was there. */
export function insert(area: HTMLTextAreaElement, begin: number, end: number, text: string): void {
  area.focus();
  area.setSelectionRange(begin, end);
  if (document.execCommand('insertText', false, text)) return;
  area.setRangeText(text, begin, end, 'end');
  area.dispatchEvent(new InputEvent('input', { bubbles: true }));
}
