// The words of the page of requests.

import { dictionary } from './language';
import { en } from './requests.en';
import { es } from './requests.es';
import { ru } from './requests.ru';

export const requests = dictionary({ en, ru, es });
