// Where worlds are: at the service, and in the console.

import { place } from '../../router';

export const WORLDS = '/dev/v1/worlds';

export const pathOf = (id: string): string => `${WORLDS}/${encodeURIComponent(id)}`;

/** The page of a world; what the lists are narrowed to stays. */
export function pageOf(id: string): string {
  const query = place.value.query.toString();
  return `/worlds/${encodeURIComponent(id)}${query === '' ? '' : `?${query}`}`;
}

/** A moment of the service, in seconds since 1970. */
export const secondsOf = (moment: string): number => Date.parse(moment) / 1000;
