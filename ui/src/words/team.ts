// The words of colleagues who share a conversation: fetched with the thread, which the first page does not need.

import { dictionary } from './language';
import { en } from './team.en';
import { es } from './team.es';
import { ru } from './team.ru';

export const team = dictionary({ en, ru, es });
