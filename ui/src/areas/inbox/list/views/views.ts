// The saved views of the user and of the team, and the one that the list shows.

import { effect, signal } from '@preact/signals';
import { ask } from '../../../../api/client';
import { me } from '../../../../api/session';
import { on } from '../../../../live/events';
import { ALL_FILTERS, type Narrowing, narrowing, ofView, shown, STATUSES, USERS } from '../filters';
import { atTop, load, narrowTo, wasGiven } from '../store';

export const VIEWS = '/inbox/v1/views';
const PAGE = 250;
/** How long messages are collected before the list is read for a view, in milliseconds. */
const COLLECT = 1_000;

/** Filters with the values of the service, of which the list has some no choice for. */
export interface ViewFilters {
  state?: string;
  responsible?: string;
  group?: string;
  status?: string;
  channel?: string;
  tag?: number;
}

export interface View {
  id: number;
  name: string;
  is_shared: boolean;
  user_id: number;
  filters: ViewFilters;
  missing: readonly string[];
  version: number;
}

/** All views that the user has; undefined until they are here. */
export const views = signal<readonly View[] | undefined>(undefined);

/** The user has at most 150, which are one page. */
export async function readViews(signal?: AbortSignal): Promise<readonly View[]> {
  const page = await ask<{ views: readonly View[] }>(VIEWS, { query: { limit: PAGE }, ...(signal && { signal }) });
  views.value = page.views;
  return page.views;
}

/** The view of the list. */
export const present = (): View | undefined => views.value?.find((it) => String(it.id) === narrowing.value.view);

const oneOf = <T extends string>(all: readonly T[], value: string | undefined): T | undefined => all.find((it) => it === value);

/** The filters of a view that the list has choices for. */
function narrowed({ state, responsible, status, channel, tag }: ViewFilters): Partial<Narrowing> {
  const filters = {
    filter: oneOf(ALL_FILTERS, state),
    responsible: oneOf(USERS, responsible),
    status: oneOf(STATUSES, status),
    channel,
    tag: tag === undefined ? undefined : String(tag),
  };
  return Object.fromEntries(Object.entries(filters).filter(([, value]) => value !== undefined));
}

effect(() => {
  const view = present();
  const { view: id } = narrowing.value;
  ofView.value = view === undefined ? {} : narrowed(view.filters);
  // It was deleted meanwhile.
  if (id !== '' && view === undefined && views.value !== undefined) narrowTo({ view: '' });
});

/** The filters that are set now, with those of the view: what a new view keeps. */
export function filtersNow(): ViewFilters {
  const { filter, responsible, status, channel, tag } = shown.peek();
  const set = {
    state: filter === 'all' ? undefined : filter,
    responsible: responsible === 'all' ? undefined : responsible,
    status: status === 'all' ? undefined : status,
    channel: channel === '' ? undefined : channel,
    tag: tag === '' ? undefined : Number(tag),
  };
  return { ...present()?.filters, ...Object.fromEntries(Object.entries(set).filter(([, value]) => value !== undefined)) };
}

// Only the service knows whether a conversation belongs to a view.
let collecting: number | undefined;
on<{ conversation_id: string }>('message', ({ conversation_id: id }) => {
  if (narrowing.peek().view === '' || wasGiven(id)) return;
  collecting ??= setTimeout(() => {
    collecting = undefined;
    if (atTop.peek()) void load();
  }, COLLECT);
});

effect(() => {
  if (me.value === null) views.value = undefined;
});
