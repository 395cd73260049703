// The words of the page of callbacks.

import { dictionary } from './language';
import { en } from './callbacks.en';
import { es } from './callbacks.es';
import { ru } from './callbacks.ru';

export const callbacks = dictionary({ en, ru, es });
