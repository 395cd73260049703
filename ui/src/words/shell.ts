// The words of the frame and of what all pages share.

import { dictionary } from './language';
import { en } from './shell.en';

export const shell = dictionary({
  en,
  ru: () => import('./words-ru').then((words) => words.shell),
  es: () => import('./words-es').then((words) => words.shell),
});

/** So many seconds, for people: under two minutes in seconds. */
export function lasting(seconds: number): string {
  return seconds < 120 ? shell().seconds(Math.ceil(seconds)) : shell().minutes(Math.ceil(seconds / 60));
}
