// Pipelines with their stages, and the names of users: what other data refers to by number.

import { effect, signal } from '@preact/signals';
import { on } from '../live/events';
import { words } from '../words/names';
import { Problem, ask } from './client';
import { me } from './session';

export interface Stage {
  id: number;
  name: string;
  /** 1 is the stage of leads that nobody has taken on. */
  type: number;
  pipeline_id: number;
}

export interface Pipeline {
  id: number;
  name: string;
  _embedded: { statuses: Stage[] };
}

export interface UserName {
  id: number;
  name: string;
  isActive: boolean;
  presence: Presence;
}

/** Whether a user takes conversations. */
export type Presence = 'here' | 'away' | 'away_give_back';

export const pipelines = signal<readonly Pipeline[]>([]);
/** The users who may be responsible for what whoever is signed in sees. */
export const people = signal<readonly UserName[]>([]);
/** How many pages of names are read: of more than a thousand users the others are named one by one. */
const PAGES = 4;

let asked = false;
/** Whether a page that is shown or was shown needs them. */
let wanted = false;

/** Reads them once for each sign-in. Without them numbers are shown. */
export function useBook(): void {
  wanted = true;
  if (asked || me.peek() === null || me.peek() === undefined) return;
  asked = true;
  void Promise.all([readPipelines(), readPeople()]).catch((failure: unknown) => {
    asked = false;
    if (!(failure instanceof Problem)) throw failure;
  });
}

async function readPipelines(): Promise<void> {
  const answer = await ask<{ _embedded: { pipelines: Pipeline[] } }>('/api/v4/leads/pipelines');
  pipelines.value = answer._embedded.pipelines;
}

interface NamePage {
  users: { id: number; name: string; is_active: boolean; presence: Presence }[];
  next: string | null;
}

async function readNames(query: Record<string, string | number | undefined>): Promise<NamePage> {
  const page = await ask<NamePage>('/inbox/v1/users', { query });
  const known = new Map(people.peek().map((user) => [user.id, user]));
  for (const { id, name, is_active: isActive, presence } of page.users) known.set(id, { id, name, isActive, presence });
  people.value = [...known.values()];
  return page;
}

async function readPeople(): Promise<void> {
  let cursor: string | undefined;
  for (let page = 0; page < PAGES; page += 1) {
    cursor = (await readNames({ limit: 250, cursor })).next ?? undefined;
    if (cursor === undefined) return;
  }
}

/** Learns who is responsible in a conversation: a subscriber sees it whoever that is. */
export function learnResponsible(conversation: string, user: number | null): void {
  if (isNobody(user) || nameOf(user) !== undefined) return;
  readNames({ conversation_id: conversation }).catch((failure: unknown) => {
    // The number is shown then.
    if (!(failure instanceof Problem)) throw failure;
  });
}

on('back', () => {
  if (wanted) useBook();
});

effect(() => {
  if (me.value !== null) return;
  [asked, wanted] = [false, false];
  [pipelines.value, people.value] = [[], []];
});

/** The stage of a lead by its name, else by its number. */
export function stageName(pipeline: number, stage: number): string {
  const found = pipelines.value.find((known) => known.id === pipeline);
  const name = found?._embedded.statuses.find((known) => known.id === stage)?.name;
  return name ?? words().stage(stage);
}

/** Whether this names no user. The account's side says 0 where the inbox says null. */
export function isNobody(id: number | null | undefined): id is 0 | null | undefined {
  return id === null || id === undefined || id === 0;
}

function nameOf(id: number): string | undefined {
  return id === me.value?.user.id ? me.value.user.name : people.value.find((known) => known.id === id)?.name;
}

/** How every page calls a user: nobody, oneself, by name, else by number. */
export function userName(id: number | null | undefined): string {
  if (isNobody(id)) return words().nobody;
  const name = nameOf(id) ?? words().user(id);
  return id === me.value?.user.id ? `${name} (${words().you})` : name;
}

/** Who can be made responsible, oneself first: active users, and who is it now. */
export function candidates(now?: number | null): readonly number[] {
  const own = me.value?.user.id;
  const active = people.value.filter((user) => user.isActive).map((user) => user.id);
  return [...new Set([own, now, ...active])].filter((id): id is number => !isNobody(id));
}
