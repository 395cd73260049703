// The words of leads.

import { en } from './leads.en';
import { es } from './leads.es';
import { ru } from './leads.ru';
import { dictionary } from './language';

export const leads = dictionary({ en, ru, es });
