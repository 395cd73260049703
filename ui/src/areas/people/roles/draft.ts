// A role that somebody is changing. It stays until it is saved or thrown away, also when another page is opened or the
// session ends meanwhile.

import { type Signal, signal } from '@preact/signals';
import { me } from '../../../api/session';
import { Edit } from '../edit';
import { type Content, NOTHING, type Rights, patch } from '../rights';
import type { Pipeline, Role } from '../types';
import { unsortedStages } from './stages';

export interface Draft {
  /** What it was when somebody began; undefined for a role that is not there yet. */
  base: Signal<Content | undefined>;
  /** The answer that it was made of. */
  source: Role | undefined;
  name: Signal<string>;
  edit: Edit;
}

const drafts = new Map<string, Draft>();

const keyOf = (id: string): string => `${me.peek()?.account?.id} ${me.peek()?.user.id} ${id}`;

export const content = (role: Role): Content => ({ name: role.name, rights: role.rights });

/** What would be sent now: nothing but the changes of a role that is there, all of one that is not. */
export function bodyOf(draft: Draft): object {
  const [name, rights] = [draft.name.value, draft.edit.rights.value];
  return draft.base.value === undefined ? { name, rights } : patch(draft.base.value, { name, rights });
}

export const isChanged = (draft: Draft): boolean => draft.base.value !== undefined && Object.keys(bodyOf(draft)).length > 0;

function begin(name: string, rights: Rights, source?: Role): Draft {
  const base = source === undefined ? undefined : content(source);
  return { base: signal(base), source, name: signal(name), edit: new Edit(rights) };
}

interface Found {
  role: Role | undefined;
  /** What a new one begins as. */
  from: Role | undefined;
  pipelines: readonly Pipeline[];
}

/** The draft of a role: the one that was begun, if something is changed in it. */
export function draftOf(id: string, { role, from, pipelines }: Found, copy: (name: string) => string): Draft {
  const key = keyOf(id);
  const known = drafts.get(key);
  if (known !== undefined && (known.source === role || isChanged(known))) return known;
  const rights = from?.rights ?? { ...NOTHING, status_rights: unsortedStages(pipelines) };
  const draft =
    role === undefined ? begin(from === undefined ? '' : copy(from.name), rights) : begin(role.name, role.rights, role);
  drafts.set(key, draft);
  return draft;
}

export function forget(id: string): void {
  drafts.delete(keyOf(id));
}
