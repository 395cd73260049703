// The words that the operator's pages share.

import { dictionary } from './language';
import { en } from './operator.en';
import { es } from './operator.es';
import { ru } from './operator.ru';

export const operator = dictionary({ en, ru, es });
