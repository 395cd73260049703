import type { ContactWords } from './contacts.en';

export const ru: ContactWords = {
  title: 'Контакты',
  filter: 'Имя, телефон или почта',
  name: 'Имя',
  nameless: 'Без имени',
  phone: 'Телефон',
  email: 'Эл. почта',
  responsible: 'Ответственный',
  nobody: 'Нет пользователя',
  created: 'Создан',
  untold: 'Не указано',
  edit: (name) => `Изменить: ${name}`,
  editTitle: 'Контакт',
  fromProfile: 'Телефон и почту интеграция передаёт в профиле клиента.',
  empty: 'Контактов пока нет',
  emptyText: 'Контакт создаёт первое сообщение клиента.',
  nothing: 'Фильтру не соответствует ни один контакт.',
  more: 'Поиск ещё не дошёл до последнего контакта. Чтобы искать дальше, покажите ещё.',
  nothingSoFar: 'Пока ничего не найдено.',
};
