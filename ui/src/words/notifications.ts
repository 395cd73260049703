// The words of notifications, and of what somebody wants of them.

import { dictionary } from './language';
import { en } from './notifications.en';
import { es } from './notifications.es';
import { ru } from './notifications.ru';

export const notifications = dictionary({ en, ru, es });
