// The words of one's own name and password.

import { dictionary } from './language';
import { en } from './profile.en';
import { es } from './profile.es';
import { ru } from './profile.ru';

export const profile = dictionary({ en, ru, es });
