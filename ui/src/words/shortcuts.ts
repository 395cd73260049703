// The words of the list of shortcuts.

import { dictionary } from './language';
import { en } from './shortcuts.en';
import { es } from './shortcuts.es';
import { ru } from './shortcuts.ru';

export const shortcuts = dictionary({ en, ru, es });
