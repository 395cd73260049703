// The words of contacts.

import { en } from './contacts.en';
import { dictionary } from './language';

export const contacts = dictionary({
  en,
  ru: () => import('./words-ru').then((words) => words.contacts),
  es: () => import('./words-es').then((words) => words.contacts),
});
