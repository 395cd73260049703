// The words of the page of the service’s health.

import { en } from './health.en';
import { es } from './health.es';
import { ru } from './health.ru';
import { dictionary } from './language';

export const health = dictionary({ en, ru, es });
