// The words of contacts.

import { en } from './contacts.en';
import { es } from './contacts.es';
import { ru } from './contacts.ru';
import { dictionary } from './language';

export const contacts = dictionary({ en, ru, es });
