// The words of deals.

import { en } from './deals.en';
import { dictionary } from './language';

export const deals = dictionary({
  en,
  ru: () => import('./words-ru').then((words) => words.deals),
  es: () => import('./words-es').then((words) => words.deals),
});
