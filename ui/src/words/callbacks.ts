// The words of the page of callbacks.

import { en } from './callbacks.en';
import { es } from './callbacks.es';
import { ru } from './callbacks.ru';
import { dictionary } from './language';

export const callbacks = dictionary({ en, ru, es });
