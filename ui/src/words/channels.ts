// The words of the page of channels.

import { en } from './channels.en';
import { es } from './channels.es';
import { ru } from './channels.ru';
import { dictionary } from './language';

export const channels = dictionary({ en, ru, es });
