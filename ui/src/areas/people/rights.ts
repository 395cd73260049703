// What rights there are, and how they depend on each other. The service decides; this says so before it is asked.

import type { Access } from '../../api/session';

export type Letter = Access;
/** The widest first. */
export const LETTERS = ['A', 'G', 'M', 'D'] as const satisfies readonly Letter[];

export const ACTIONS = ['add', 'view', 'edit', 'delete', 'export'] as const;
export type Action = (typeof ACTIONS)[number];

export const ENTITIES = ['leads', 'contacts', 'companies', 'tasks'] as const;
export type Entity = (typeof ENTITIES)[number];

/** The rights over one thing; an action that is not there is not known for it, or nothing is said of it. */
export type Letters = Partial<Record<Action, Letter>>;

export interface StageRights {
  entity_type: 'leads';
  pipeline_id: number;
  status_id: number;
  rights: Letters;
}

export interface Rights extends Record<Entity, Letters> {
  mail_access: boolean;
  catalog_access: boolean;
  status_rights: StageRights[] | null;
}

/** In the order in which the interface writes them. */
const ENTITY: Letters = { view: 'D', edit: 'D', add: 'D', delete: 'D', export: 'D' };

export const NOTHING: Rights = {
  leads: ENTITY,
  contacts: ENTITY,
  companies: ENTITY,
  tasks: { edit: 'D', delete: 'D' },
  mail_access: false,
  catalog_access: false,
  status_rights: null,
};

const width = (letter: Letter): number => LETTERS.length - LETTERS.indexOf(letter);
const NEEDS: Record<Action, readonly Action[]> = { add: [], view: [], edit: ['view'], export: ['view'], delete: ['view', 'edit'] };

/** The narrowest of the rights that an action depends on. */
function limit(row: Letters, action: Action): { over: Action; letter: Letter } | undefined {
  let found: { over: Action; letter: Letter } | undefined;
  for (const over of NEEDS[action]) {
    const letter = row[over];
    if (letter !== undefined && (found === undefined || width(letter) < width(found.letter))) found = { over, letter };
  }
  return found;
}

export type Refusal = { is: 'two' } | { is: 'wide'; over: Action; letter: Letter };

/** Why an action cannot have a letter. `two`: it knows only «allowed» and «denied». */
export function refusal(row: Letters, action: Action, letter: Letter, two: boolean): Refusal | undefined {
  if (two && (letter === 'G' || letter === 'M')) return { is: 'two' };
  const most = limit(row, action);
  return most !== undefined && width(letter) > width(most.letter) ? { is: 'wide', ...most } : undefined;
}

/** The rights with one changed, and those that had to follow because they depend on it. */
export function choose(row: Letters, action: Action, letter: Letter): { row: Letters; forced: Action[] } {
  const next: Letters = { ...row, [action]: letter };
  const forced: Action[] = [];
  for (const other of ['edit', 'delete', 'export'] as const) {
    const [has, most] = [next[other], limit(next, other)];
    if (has === undefined || most === undefined || width(has) <= width(most.letter)) continue;
    next[other] = most.letter;
    forced.push(other);
  }
  return { row: next, forced };
}

/** What a role is, apart from its number. */
export interface Content {
  name: string;
  rights: Rights;
}

/** Which stages a list of stage rights is about, in one order: the interface's. */
const stages = (rights: Rights): string =>
  JSON.stringify(
    [...(rights.status_rights ?? [])].sort((a, b) => a.pipeline_id - b.pipeline_id || a.status_id - b.status_id),
  );

/** What a PATCH has to say so that `before` becomes `after`: nothing that stays. */
export function patch(before: Content, after: Content): { name?: string; rights?: Partial<Rights> } {
  const rights: Partial<Rights> = {};
  for (const entity of ENTITIES) {
    const changed: Letters = {};
    for (const [action, letter] of Object.entries(after.rights[entity]) as [Action, Letter][]) {
      if (before.rights[entity][action] !== letter) changed[action] = letter;
    }
    if (Object.keys(changed).length > 0) rights[entity] = changed;
  }
  for (const key of ['mail_access', 'catalog_access'] as const) {
    if (before.rights[key] !== after.rights[key]) rights[key] = after.rights[key];
  }
  if (stages(before.rights) !== stages(after.rights)) rights.status_rights = after.rights.status_rights;
  return {
    ...(before.name === after.name ? {} : { name: after.name }),
    ...(Object.keys(rights).length === 0 ? {} : { rights }),
  };
}

/** One right that is another afterwards. */
export interface Change {
  of: Entity | 'mail_access' | 'catalog_access' | { pipeline_id: number; status_id: number };
  action: Action | undefined;
  /** Undefined: nothing was or is said of it. */
  before: Letter | undefined;
  after: Letter | undefined;
}

/** Every right in which two differ. */
export function changes(before: Rights, after: Rights): Change[] {
  const found: Change[] = [];
  const compare = (of: Change['of'], old: Letters, young: Letters): void => {
    for (const action of ACTIONS) {
      if (old[action] !== young[action]) found.push({ of, action, before: old[action], after: young[action] });
    }
  };
  for (const entity of ENTITIES) compare(entity, before[entity], after[entity]);
  for (const of of ['mail_access', 'catalog_access'] as const) {
    const letter = (rights: Rights): Letter => (rights[of] ? 'A' : 'D');
    if (before[of] !== after[of]) found.push({ of, action: undefined, before: letter(before), after: letter(after) });
  }
  const [old, young] = [before.status_rights ?? [], after.status_rights ?? []];
  const same = (a: StageRights) => (b: StageRights) => a.pipeline_id === b.pipeline_id && a.status_id === b.status_id;
  for (const stage of [...old, ...young.filter((it) => !old.some(same(it)))]) {
    compare(stage, old.find(same(stage))?.rights ?? {}, young.find(same(stage))?.rights ?? {});
  }
  return found;
}

/** Whether somebody has less afterwards; of what nothing is said, the general rights decide. */
export function isLoss(change: Change): boolean {
  return change.before !== undefined && (change.after === undefined ? change.before === 'A' : width(change.after) < width(change.before));
}
