// How people and stages are called when only their number is known.

import { dictionary } from './language';

const en = {
  you: 'you',
  nobody: 'nobody',
  user: (id: number) => `user ${id}`,
  stage: (id: number) => `stage ${id}`,
};

export const words = dictionary({
  en,
  ru: {
    you: 'вы',
    nobody: 'никто',
    user: (id: number) => `пользователь ${id}`,
    stage: (id: number) => `этап ${id}`,
  },
  es: {
    you: 'usted',
    nobody: 'nadie',
    user: (id: number) => `usuario ${id}`,
    stage: (id: number) => `etapa ${id}`,
  },
});
