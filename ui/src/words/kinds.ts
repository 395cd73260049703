// The names of the kinds of channels.

import { dictionary } from './language';
import { en } from './kinds.en';
import { es } from './kinds.es';
import { ru } from './kinds.ru';

export const kinds = dictionary({ en, ru, es });
