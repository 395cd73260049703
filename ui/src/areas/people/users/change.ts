// Changes of users who are there.

import { type Problem, ask, asProblem } from '../../../api/client';
import { type Letters, ENTITIES, type Rights } from '../rights';
import type { Named, User } from '../types';

/** What can be changed of a user; what is not named stays. */
export interface Change {
  name?: string;
  email?: string;
  lang?: string;
  password?: string;
  rights?: Partial<Record<(typeof ENTITIES)[number], Letters>> & {
    mail_access?: boolean;
    catalog_access?: boolean;
    is_free?: boolean;
    role_id?: number | null;
    group_id?: number;
  };
}

export const changeUser = (id: number, change: Change): Promise<User> =>
  ask<User>(`/api/v4/users/${id}`, { method: 'PATCH', body: change });

/** Changes several users in one way, one after the other. Gives those that could not be changed. */
export async function changeUsers(users: readonly Named[], change: Change): Promise<{ user: Named; problem: Problem }[]> {
  const failed: { user: Named; problem: Problem }[] = [];
  for (const user of users) {
    try {
      await changeUser(user.id, change);
    } catch (failure) {
      failed.push({ user, problem: asProblem(failure) });
    }
  }
  return failed;
}

/** Rights of one's own that are other than before. */
export function changedRights(before: Rights, after: Rights): NonNullable<Change['rights']> {
  const rights: NonNullable<Change['rights']> = {};
  for (const entity of ENTITIES) {
    if (JSON.stringify(before[entity]) !== JSON.stringify(after[entity])) rights[entity] = after[entity];
  }
  for (const key of ['mail_access', 'catalog_access'] as const) {
    if (before[key] !== after[key]) rights[key] = after[key];
  }
  return rights;
}

/** The groups that somebody of these users is in, by name: the interface lists no others. */
export function groupsOf(users: readonly User[]): Named[] {
  const found = new Map(users.flatMap((user) => user._embedded?.groups ?? []).map((group) => [group.id, group]));
  return [...found.values()].sort((a, b) => a.name.localeCompare(b.name));
}
