// The words of the consent page and of the page of integrations.

import { dictionary } from './language';
import { en } from './oauth.en';
import { es } from './oauth.es';
import { ru } from './oauth.ru';

export const oauth = dictionary({ en, ru, es });
