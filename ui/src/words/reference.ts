// The words of the page of the API. What the document says itself is in English.

import { dictionary } from './language';
import { en } from './reference.en';
import { es } from './reference.es';
import { ru } from './reference.ru';

export const reference = dictionary({ en, ru, es });
