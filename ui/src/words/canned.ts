// The words of canned replies: fetched with the thread, which the first page does not need.

import { en } from './canned.en';
import { es } from './canned.es';
import { ru } from './canned.ru';
import { dictionary } from './language';

export const canned = dictionary({ en, ru, es });
