// The words of the page of OAuth clients.

import { dictionary } from './language';
import { en } from './clients.en';
import { es } from './clients.es';
import { ru } from './clients.ru';

export const clients = dictionary({ en, ru, es });
