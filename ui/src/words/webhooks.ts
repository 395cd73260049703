// The words of the page of webhooks, and of what they were sent.

import { dictionary } from './language';
import { en } from './webhooks.en';
import { es } from './webhooks.es';
import { ru } from './webhooks.ru';

export const webhooks = dictionary({ en, ru, es });
