// The words of who is here, and who is away.

import { dictionary } from './language';
import { en } from './presence.en';
import { es } from './presence.es';
import { ru } from './presence.ru';

export const presence = dictionary({ en, ru, es });
