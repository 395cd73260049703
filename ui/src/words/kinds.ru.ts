import type { KindWords } from './kinds.en';

export const ru: KindWords = {
  telegram: 'Telegram',
  whatsapp: 'WhatsApp',
  viber: 'Viber',
  instagram: 'Instagram',
  facebook: 'Facebook',
  web: 'Сайт',
  email: 'Электронная почта',
  sms: 'SMS',
  other: 'Другой',
};
