import { counted } from './counted';
import { bytes } from './language';
import type { OperatorWords } from './operator.en';

export const ru: OperatorWords = {
  pause: 'Остановить обновление',
  goOn: 'Возобновить обновление',
  back: 'Назад к списку',
  chosen: 'Выбранное',
  channel: 'Канал',
  allChannels: 'Все каналы',
  account: 'Аккаунт',
  accounts: 'Аккаунты',
  allAccounts: 'Все аккаунты',
  noAccounts: 'Нет аккаунтов',
  noAgent: 'Без User-Agent',
  scope: 'Scope',
  masked: 'Секрет, не хранится',
  body: {
    pretty: 'С форматированием',
    raw: 'Как отправлено',
    hex: 'Байты',
    length: (count) => (count < 1000 ? counted('ru', count, { one: 'байт', few: 'байта', many: 'байт', other: 'байта' }) : bytes(count)),
    more: (count) => `ещё байт: ${count}`,
  },
  failures: {
    timed_out: 'Время ожидания истекло',
    refused: 'Соединение отклонено',
    reset: 'Соединение потеряно',
    dns: 'Ошибка поиска в DNS',
    tls: 'Ошибка соединения TLS',
    forbidden_address: 'Запрещённый адрес',
    unknown: 'Результат неизвестен',
  },
  outcome: {
    delivered: 'Доставлен',
    notDelivered: 'Не доставлен',
    answer: 'Ответ',
    address: 'Адрес',
    said: 'Тело ответа',
    took: (ms) => `${ms} мс`,
  },
  admitted: {
    title: 'Оставшиеся пользователи',
    text: 'Интеграция создала этих пользователей или активировала их последней. Они по-прежнему могут войти. Деактивируйте тех, кто не нужен.',
    user: 'Пользователь',
    sessions: 'Сеансы',
    tokens: 'Токены',
    none: 'нет',
    more: (count) => `Первые пользователи: ${count}. Все — на странице «Пользователи».`,
  },
};
