// The tags of leads, for the filter by tag.

import { effect, signal } from '@preact/signals';
import { ask } from '../../../../api/client';
import { me } from '../../../../api/session';

export interface Tag {
  id: number;
  name: string;
}

interface Page {
  _links: { next?: unknown };
  _embedded: { tags: readonly Tag[] };
}

const PAGE = 250;
/** An account has at most 1,000 tags of leads. */
const PAGES = 4;

/** Those that were read last. */
const tags = signal<readonly Tag[]>([]);

export async function readTags(signal: AbortSignal): Promise<readonly Tag[]> {
  const all: Tag[] = [];
  for (let page = 1; page <= PAGES; page += 1) {
    // Nothing at all is an answer without a body.
    const answer = await ask<Page | undefined>('/api/v4/leads/tags', { query: { limit: PAGE, page }, signal });
    all.push(...(answer?._embedded.tags ?? []));
    if (answer?._links.next === undefined) break;
  }
  tags.value = all;
  return all;
}

/** The name of a tag, else its number. */
export const tagName = (id: string): string => tags.value.find((tag) => String(tag.id) === id)?.name ?? `#${id}`;

effect(() => {
  if (me.value === null) tags.value = [];
});
