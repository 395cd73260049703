// Pipelines with their stages, and the names of users: what other data refers to by number.

import { effect, signal } from '@preact/signals';
import { on } from '../live/events';
import { words } from '../words/names';
import { Problem, ask } from './client';
import { isAdministrator, me } from './session';

export interface Stage {
  id: number;
  name: string;
  /** 1 is the stage of deals that nobody has taken on. */
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
}

export const pipelines = signal<readonly Pipeline[]>([]);
/** All users of the account, for administrators; others know themselves. */
export const people = signal<readonly UserName[]>([]);

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

interface UserRecord {
  id: number;
  name: string;
  rights: { is_active: boolean };
}

async function readPeople(): Promise<void> {
  if (!isAdministrator.peek()) return;
  const answer = await ask<{ _embedded: { users: UserRecord[] } }>('/api/v4/users', { query: { limit: 250 } });
  people.value = answer._embedded.users.map((user) => ({ id: user.id, name: user.name, isActive: user.rights.is_active }));
}

on('back', () => {
  if (wanted) useBook();
});

effect(() => {
  if (me.value !== null) return;
  [asked, wanted] = [false, false];
  [pipelines.value, people.value] = [[], []];
});

/** The stage of a deal by its name, else by its number. */
export function stageName(pipeline: number, stage: number): string {
  const found = pipelines.value.find((known) => known.id === pipeline);
  const name = found?._embedded.statuses.find((known) => known.id === stage)?.name;
  return name ?? words().stage(stage);
}

/** A user by name, else by number. */
export function userName(id: number | null): string {
  if (id === null) return words().nobody;
  if (id === me.value?.user.id) return `${me.value.user.name} (${words().you})`;
  return people.value.find((known) => known.id === id)?.name ?? words().user(id);
}
