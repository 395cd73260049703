// «May X do Y?», as the address of the page has it.

import type { Action } from '../rights';

export type Thing = 'leads' | 'contacts' | 'companies' | 'customers' | 'tasks' | 'mail' | 'catalogs';

const ALL: readonly Action[] = ['view', 'edit', 'add', 'delete', 'export'];

/** What can be asked of what. */
export const DEEDS: readonly { thing: Thing; actions: readonly Action[] }[] = [
  { thing: 'leads', actions: ALL },
  { thing: 'contacts', actions: ALL },
  { thing: 'companies', actions: ALL },
  { thing: 'customers', actions: ALL },
  { thing: 'tasks', actions: ['edit', 'delete'] },
  { thing: 'mail', actions: [] },
  { thing: 'catalogs', actions: [] },
];

export interface Question {
  user: number;
  thing: Thing;
  /** Undefined where there is but one right. */
  action: Action | undefined;
  /** A lead or a contact. */
  id: string;
}

export function read(query: URLSearchParams, own: number): Question {
  const deed = DEEDS.find(({ thing }) => thing === query.get('entity')) ?? DEEDS[0];
  const thing = deed?.thing ?? 'leads';
  const action = deed?.actions.find((known) => known === query.get('action')) ?? deed?.actions[0];
  const user = Number(query.get('user') ?? own);
  const hasId = thing === 'leads' || thing === 'contacts';
  return { user: Number.isInteger(user) ? user : own, thing, action, id: hasId ? (query.get('id') ?? '') : '' };
}
