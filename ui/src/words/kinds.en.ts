export const en = {
  telegram: 'Telegram',
  whatsapp: 'WhatsApp',
  viber: 'Viber',
  instagram: 'Instagram',
  facebook: 'Facebook',
  web: 'Web site',
  email: 'E-mail',
  sms: 'SMS',
  other: 'Other',
};

export type KindWords = typeof en;
