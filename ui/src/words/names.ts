// How people and stages are called when only their number is known.

import { dictionary } from './language';

const en = {
  you: 'you',
  nobody: 'Nobody',
  user: (id: number) => `User ${id}`,
  stage: (id: number) => `Stage ${id}`,
};

export const words = dictionary({
  en,
  ru: {
    you: 'вы',
    nobody: 'Никто',
    user: (id: number) => `Пользователь ${id}`,
    stage: (id: number) => `Этап ${id}`,
  },
  es: {
    you: 'usted',
    nobody: 'Nadie',
    user: (id: number) => `Usuario ${id}`,
    stage: (id: number) => `Etapa ${id}`,
  },
});
