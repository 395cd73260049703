// The words of templates of integrations: fetched with the thread, which the first page does not need.

import { dictionary } from './language';
import { en } from './templates.en';
import { es } from './templates.es';
import { ru } from './templates.ru';

export const templates = dictionary({ en, ru, es });
