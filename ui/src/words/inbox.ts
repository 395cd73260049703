// The words of the inbox.

import { dictionary } from './language';
import { en } from './inbox.en';

export const inbox = dictionary({
  en,
  ru: () => import('./words-ru').then((words) => words.inbox),
  es: () => import('./words-es').then((words) => words.inbox),
});
