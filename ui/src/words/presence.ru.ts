import type { PresenceWords } from './presence.en';

export const ru: PresenceWords = {
  label: 'Я',
  choices: {
    here: 'На месте: беру диалоги',
    away: 'Нет на месте: мои остаются у меня',
    away_give_back: 'Нет на месте, вернуть ожидающие',
  },
  isHere: (name: string) => `${name} · на месте`,
};
