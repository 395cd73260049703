import type { PresenceWords } from './presence.en';

export const es: PresenceWords = {
  label: 'Estoy',
  choices: {
    here: 'Aquí: recibo conversaciones',
    away: 'Ausente: conservo las mías',
    away_give_back: 'Ausente, devuelvo lo que espera',
  },
  isHere: (name: string) => `${name} · aquí`,
};
