import type { SetupWords } from './setup.en';

export const ru: SetupWords = {
  title: 'Настройка сервиса',
  text: 'Аккаунта пока нет. Создайте его вместе с администратором. Нужен токен оператора.',
  token: 'Токен оператора',
  tokenHint: 'Значение operator.token в config.toml или токен, который напечатал первый запуск.',
  wrong: 'Неверный токен оператора.',
  account: 'Аккаунт',
  accountHint: 'Название вашей команды или компании.',
  name: 'Ваше имя',
  email: 'Эл. почта',
  password: 'Пароль',
  passwordHint: 'Не меньше 6 знаков, с цифрой, строчной и заглавной буквой.',
  submit: 'Создать аккаунт и войти',
};
