// The words of saved views and of the filters beside them: fetched behind the list.

import { dictionary } from './language';
import { en } from './views.en';
import { es } from './views.es';
import { ru } from './views.ru';

export const views = dictionary({ en, ru, es });
