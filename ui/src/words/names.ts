// How people and stages are called when only their number is known.

import { dictionary } from './language';

const en = {
  you: 'you',
  nobody: 'No user',
  user: (id: number) => `User ${id}`,
  stage: (id: number) => `Stage ${id}`,
};

export const words = dictionary({
  en,
  ru: {
    you: 'вы',
    nobody: 'Нет пользователя',
    user: (id: number) => `Пользователь ${id}`,
    stage: (id: number) => `Этап ${id}`,
  },
  es: {
    you: 'usted',
    nobody: 'Ningún usuario',
    user: (id: number) => `Usuario ${id}`,
    stage: (id: number) => `Etapa ${id}`,
  },
});
