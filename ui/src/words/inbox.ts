// The words of the inbox.

import { en } from './inbox.en';
import { dictionary } from './language';

export const inbox = dictionary({
  en,
  ru: () => import('./words-ru').then((words) => words.inbox),
  es: () => import('./words-es').then((words) => words.inbox),
});
