// The filters of the list of conversations, and the address that has them.

import { computed, signal } from '@preact/signals';
import { address } from '../../../api/client';

export const FILTERS = ['all', 'mine', 'unread', 'failed'] as const;
export const ALL_FILTERS = [...FILTERS, 'mentioned'] as const;
export const USERS = ['all', 'me', 'none'] as const;
export const STATUSES = ['all', 'open', 'waiting', 'snoozed', 'closed'] as const;

export interface Narrowing {
  filter: (typeof ALL_FILTERS)[number];
  responsible: (typeof USERS)[number];
  status: (typeof STATUSES)[number];
  channel: string;
  tag: string;
  view: string;
  query: string;
}

/** The whole list. */
export const WHOLE: Narrowing = { filter: 'all', responsible: 'all', status: 'all', channel: '', tag: '', view: '', query: '' };
export const narrowing = signal(WHOLE);
/** The filters of the view; set by a part that comes behind the list. */
export const ofView = signal<Partial<Narrowing>>({});
/** The filters with those of the view. */
export const shown = computed(() => ({ ...narrowing.value, ...ofView.value }));

const unlessAll = (value: string): string => (value === 'all' ? '' : value);

/** The filters as the address has them: without a value where they let everything through. */
export function parameters({ filter, responsible, status, query, ...others }: Narrowing): Record<'show' | 'responsible' | 'status' | 'channel' | 'tag' | 'view' | 'q', string> {
  return { show: unlessAll(filter), responsible: unlessAll(responsible), status: unlessAll(status), ...others, q: query.trim() };
}

/** The address of the list, or of a conversation in it: the list stays as it is narrowed. */
export function addressOf(id?: string, narrowed: Narrowing = narrowing.value): string {
  return address(id === undefined ? '/conversations' : `/conversations/${id}`, parameters(narrowed));
}

/** Returns whether the list is the whole one. */
export const isWhole = (): boolean => addressOf() === '/conversations';

/** Takes the filters from an address; returns whether they changed. */
export function take(query: URLSearchParams): boolean {
  const one = <T extends string>(all: readonly T[], name: string): T | 'all' => all.find((it) => it === query.get(name)) ?? 'all';
  const text = (name: string): string => query.get(name) ?? '';
  const wanted = { filter: one(ALL_FILTERS, 'show'), responsible: one(USERS, 'responsible'), status: one(STATUSES, 'status'), channel: text('channel'), tag: text('tag'), view: text('view'), query: text('q') };
  // A space at the end of what is being written is none of the address.
  if (addressOf('', wanted) === addressOf('', narrowing.peek())) return false;
  narrowing.value = wanted;
  return true;
}
