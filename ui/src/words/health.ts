// The words of the page of the service’s health.

import { dictionary } from './language';
import { en } from './health.en';
import { es } from './health.es';
import { ru } from './health.ru';

export const health = dictionary({ en, ru, es });
