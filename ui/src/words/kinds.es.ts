import type { KindWords } from './kinds.en';

export const es: KindWords = {
  telegram: 'Telegram',
  whatsapp: 'WhatsApp',
  viber: 'Viber',
  instagram: 'Instagram',
  facebook: 'Facebook',
  web: 'Sitio web',
  email: 'Correo electrónico',
  sms: 'SMS',
  other: 'Otro',
};
