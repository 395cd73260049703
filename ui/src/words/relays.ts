// The words of the pages of relays.

import { dictionary } from './language';
import { en } from './relays.en';
import { es } from './relays.es';
import { ru } from './relays.ru';

export const relays = dictionary({ en, ru, es });
