// The conversations that are chosen to be changed together.

import { effect, signal } from '@preact/signals';
import { me } from '../../../api/session';

/** Their ids; undefined while none are to be chosen. */
export const chosen = signal<ReadonlySet<string> | undefined>(undefined);

/** Chooses a conversation, or leaves it out again. */
export function toggle(id: string): void {
  const ids = new Set(chosen.peek());
  if (!ids.delete(id)) ids.add(id);
  chosen.value = ids;
}

effect(() => {
  if (me.value === null) chosen.value = undefined;
});
