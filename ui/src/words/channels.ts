// The words of the page of channels.

import { dictionary } from './language';
import { en } from './channels.en';
import { es } from './channels.es';
import { ru } from './channels.ru';

export const channels = dictionary({ en, ru, es });
