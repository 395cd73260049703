// The words of the first page of a service without users.

import { dictionary } from './language';
import { en } from './setup.en';
import { es } from './setup.es';
import { ru } from './setup.ru';

export const setup = dictionary({ en, ru, es });
