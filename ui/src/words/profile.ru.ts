import type { ProfileWords } from './profile.en';

export const ru: ProfileWords = {
  title: 'Профиль и уведомления',
  name: 'Имя',
  saveName: 'Сохранить имя',
  named: 'Имя сохранено. Теперь его видят коллеги.',
  current: 'Текущий пароль',
  password: 'Новый пароль',
  passwordHint: 'Не короче 6 знаков, с цифрой, строчной и прописной буквой.',
  save: 'Сменить пароль',
  changed: 'Пароль изменён. Все другие ваши сеансы завершены.',
  wrong: 'Текущий пароль неверен.',
};
