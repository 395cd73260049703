export const en = {
  label: 'I am',
  choices: {
    here: 'Here: I take conversations',
    away: 'Away: I keep mine',
    away_give_back: 'Away, give back what waits',
  },
  isHere: (name: string) => `${name} · here`,
};

export type PresenceWords = typeof en;
