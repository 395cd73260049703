// Changes of several conversations at once, and their undo: one request for all of them, with an outcome for each.

import { effect, signal } from '@preact/signals';
import { ask } from '../../../api/client';
import { me } from '../../../api/session';
import { nameOf } from '../types';
import { chosen } from './chosen';
import { CONVERSATIONS } from './question';
import { find } from './store';

/** The maximum number of conversations of one request. */
export const MOST = 250;
/** The time for which an undo is offered, in milliseconds. The service takes it for longer, so that a late click is not lost. */
const OFFERED = 10_000;

export type Change = { action: 'close' } | { action: 'assign'; user_id: number | null } | { action: 'assign'; group_id: number | null } | { action: 'snooze'; until: number; wake_on_message: boolean };

interface Answer {
  outcomes: { id: string; status: number; detail: string | null }[];
  undo: string | null;
}

/** The outcome of a change. */
export interface Report {
  isUndo: boolean;
  changed: number;
  /** The conversations that were not changed, with the reason. */
  failed: readonly { id: string; name: string; detail: string }[];
  /** The name of the change, while an undo is offered. */
  undo: string | null;
}

export const report = signal<Report | undefined>(undefined);
let timer: number | undefined;

function show(answer: Answer, isUndo: boolean): void {
  const failed = answer.outcomes.filter((it) => it.status !== 200);
  report.value = {
    isUndo,
    changed: answer.outcomes.length - failed.length,
    failed: failed.map(({ id, detail }) => {
      const conversation = find(id);
      return { id, name: conversation === undefined ? id : nameOf(conversation), detail: detail ?? '' };
    }),
    undo: answer.undo,
  };
  clearTimeout(timer);
  timer = setTimeout(() => {
    const shown = report.peek();
    if (shown === undefined) return;
    // What failed stays until it is hidden.
    report.value = shown.failed.length > 0 ? { ...shown, undo: null } : undefined;
  }, OFFERED);
}

/** Changes the chosen conversations. Those that could not be changed stay chosen. */
export async function change(wanted: Change): Promise<void> {
  const ids = [...(chosen.peek() ?? [])].slice(0, MOST);
  const conversations = ids.map((id) => ({ id, replaces: find(id)?.lead?.responsible_user_id ?? null, replaces_group: find(id)?.group_id ?? null }));
  const answer = await ask<Answer>(CONVERSATIONS, { method: 'PATCH', body: { ...wanted, conversations } });
  show(answer, false);
  const failed = answer.outcomes.filter((it) => it.status !== 200).map((it) => it.id);
  chosen.value = failed.length > 0 ? new Set(failed) : undefined;
}

/** Undoes the last change. */
export async function undo(): Promise<void> {
  const name = report.peek()?.undo;
  if (name === undefined || name === null) return;
  const answer = await ask<Answer>(CONVERSATIONS, { method: 'PATCH', body: { action: 'undo', undo: name } });
  show(answer, true);
}

effect(() => {
  if (me.value === null) report.value = undefined;
});
