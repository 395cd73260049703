// The words of users, roles and rights.

import { dictionary } from './language';
import { en } from './people.en';

export const people = dictionary({
  en,
  ru: () => import('./words-ru').then((words) => words.people),
  es: () => import('./words-es').then((words) => words.people),
});
