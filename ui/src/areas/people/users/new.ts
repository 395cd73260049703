// The users who are to be added. They stay until they are, or are thrown away, also when the session ends meanwhile.

import { signal } from '@preact/signals';
import { me } from '../../../api/session';
import { Edit } from '../edit';
import { NOTHING } from '../rights';

/** The most users that one request may create. */
export const MOST = 10;

export interface NewUser {
  /** What the request calls them, so that a refusal finds its row. */
  key: number;
  name: string;
  email: string;
  password: string;
  lang: string;
  free: boolean;
  /** A number as text; empty: none, or the default. */
  role: string;
  group: string;
  edit: Edit;
}

let last = 0;

export function oneMore(): NewUser {
  last += 1;
  const fields = { name: '', email: '', password: '', lang: '', free: false, role: '', group: '' };
  return { key: last, ...fields, edit: new Edit(NOTHING) };
}

const who = (): string => `${me.peek()?.account?.id} ${me.peek()?.user.id}`;
const kept = signal<{ of: string; rows: readonly NewUser[] }>({ of: '', rows: [] });

/** The rows of whoever is signed in. */
export function rows(): readonly NewUser[] {
  if (kept.value.of !== who() || kept.value.rows.length === 0) kept.value = { of: who(), rows: [oneMore()] };
  return kept.value.rows;
}

export function put(next: readonly NewUser[]): void {
  kept.value = { of: who(), rows: next };
}

/** What the interface gets: nothing that it would ignore. */
export function bodyOf(row: NewUser): object {
  const { name, email, password, lang, free, role, group } = row;
  const { leads, contacts, companies, tasks, mail_access, catalog_access } = row.edit.rights.value;
  const rights = free
    ? { is_free: true }
    : {
        ...(role === '' ? { leads, contacts, companies, tasks, mail_access, catalog_access } : { role_id: Number(role) }),
        ...(group === '' ? {} : { group_id: Number(group) }),
      };
  return { name, email, password, ...(lang === '' ? {} : { lang }), rights, request_id: String(row.key) };
}
