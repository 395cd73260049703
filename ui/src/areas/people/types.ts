// Users, roles and pipelines as the interface writes them, and how they are asked for.

import { ask } from '../../api/client';
import type { Rights } from './rights';

export interface Named {
  id: number;
  name: string;
}

export interface User extends Named {
  email: string;
  lang: 'en' | 'ru' | 'es';
  rights: Rights & {
    is_admin: boolean;
    is_free: boolean;
    is_active: boolean;
    group_id: number;
    role_id: number | null;
  };
  uuid?: string | null;
  amojo_id?: string;
  user_rank?: 'newbie' | 'candidate' | 'master';
  phone_number?: string | null;
  _embedded?: { roles?: Named[]; groups?: Named[] };
}

export interface Role extends Named {
  rights: Rights;
  _embedded?: { users: number[] };
}

export interface Stage extends Named {
  pipeline_id: number;
  /** 1 is the stage of what is not sorted yet. */
  type: number;
}

export interface Pipeline extends Named {
  _embedded: { statuses: Stage[] };
}

export interface Collection<T> {
  total: number;
  items: T[];
}

interface Page {
  _total_items: number;
  _page_count: number;
  _embedded: Record<string, unknown[]>;
}

/** The first so many pages of a collection. */
async function pages<T>(of: 'users' | 'roles', words: string, limit: number, count: number, signal: AbortSignal): Promise<Collection<T>> {
  const items: T[] = [];
  for (let page = 1; ; page += 1) {
    const query = { with: words, page, limit };
    const found = await ask<Page>(`/api/v4/${of}`, { query, signal });
    items.push(...((found._embedded[of] ?? []) as T[]));
    if (page >= found._page_count || page >= count) return { total: found._total_items, items };
  }
}

/** How many users one step of the list shows. */
export const STEP = 100;

export const users = (steps: number, signal: AbortSignal): Promise<Collection<User>> =>
  pages<User>('users', 'role,group,amojo_id', STEP, steps, signal);

/** Everybody whom pages need by name; of very large accounts the first thousand. */
export const everybody = (signal: AbortSignal): Promise<Collection<User>> => pages<User>('users', 'role,group', 250, 4, signal);

/** The roles with their holders; of very many the first thousand. */
export const roles = (signal: AbortSignal): Promise<Collection<Role>> => pages<Role>('roles', 'users', 250, 4, signal);

export const user = (id: string, signal: AbortSignal): Promise<User> =>
  ask<User>(`/api/v4/users/${encodeURIComponent(id)}`, {
    query: { with: 'role,group,uuid,amojo_id,user_rank,phone_number' },
    signal,
  });

export const role = (id: string, signal?: AbortSignal): Promise<Role> =>
  ask<Role>(`/api/v4/roles/${encodeURIComponent(id)}`, {
    query: { with: 'users' },
    ...(signal === undefined ? {} : { signal }),
  });

export async function pipelines(signal: AbortSignal): Promise<Pipeline[]> {
  const found = await ask<{ _embedded: { pipelines: Pipeline[] } }>('/api/v4/leads/pipelines', { signal });
  return found._embedded.pipelines;
}
