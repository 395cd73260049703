// The words of deals.

import { en } from './deals.en';
import { es } from './deals.es';
import { ru } from './deals.ru';
import { dictionary } from './language';

export const deals = dictionary({ en, ru, es });
