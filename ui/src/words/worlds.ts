// The words of the page of worlds.

import { dictionary } from './language';
import { en } from './worlds.en';
import { es } from './worlds.es';
import { ru } from './worlds.ru';

export const worlds = dictionary({ en, ru, es });
