// The words of users, roles and rights.

import { dictionary } from './language';
import { en } from './people.en';
import { es } from './people.es';
import { ru } from './people.ru';

export const people = dictionary({ en, ru, es });
