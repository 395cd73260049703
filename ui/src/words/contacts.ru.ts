import type { ContactWords } from './contacts.en';

export const ru: ContactWords = {
  title: 'Контакты',
  filter: 'Имя, телефон или почта',
  name: 'Имя',
  nameless: 'Без имени',
  phone: 'Телефон',
  email: 'Эл. почта',
  responsible: 'Ответственный',
  nobody: 'Никто',
  created: 'С какого времени',
  untold: 'Не указано',
  edit: (name) => `Изменить: ${name}`,
  editTitle: 'Контакт',
  fromProfile: 'Телефон и почта взяты из профиля клиента, как их сообщила интеграция.',
  empty: 'Контактов ещё нет',
  emptyText: 'Контакт создаёт первое сообщение клиента.',
  nothing: 'Фильтру не соответствует ни один контакт.',
  more: 'Есть и другие: фильтр просматривает только загруженные.',
};
