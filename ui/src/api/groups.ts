// The groups of the account, by name.

import { effect, signal } from '@preact/signals';
import { useEffect } from 'preact/hooks';
import { team } from '../words/team';
import { Problem, ask } from './client';
import { me } from './session';

export interface Group {
  id: number;
  name: string;
}

export const groups = signal<readonly Group[] | undefined>(undefined);
let isReading = false;

/** Reads the groups, anew for each part that shows them. Without them numbers are shown. */
export function useGroups(isNeeded: boolean): void {
  useEffect(() => {
    if (!isNeeded || isReading) return;
    isReading = true;
    ask<{ _embedded: { users_groups: readonly Group[] } }>('/api/v4/account', { query: { with: 'users_groups' } })
      .then((answer) => (groups.value = answer._embedded.users_groups))
      .catch((failure: unknown) => {
        if (!(failure instanceof Problem)) throw failure;
      })
      .finally(() => (isReading = false));
  }, [isNeeded]);
}

/** How a group is called: by its name, else by its number; or that there is none. */
export function groupName(id: number | null): string {
  const words = team().group;
  if (id === null) return words.none;
  return groups.value?.find((group) => group.id === id)?.name ?? words.numbered(id);
}

effect(() => {
  if (me.value === null) groups.value = undefined;
});
