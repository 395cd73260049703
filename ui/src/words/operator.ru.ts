import { bytes, counted } from './language';
import type { OperatorWords } from './operator.en';

export const ru: OperatorWords = {
  pause: 'Остановить',
  goOn: 'Продолжить',
  back: 'К списку',
  chosen: 'Выбранное',
  channel: 'Канал',
  allChannels: 'Все каналы',
  account: 'Аккаунт',
  scope: 'Scope',
  masked: 'Не хранится: это секрет',
  body: {
    pretty: 'По строкам',
    raw: 'Как отправлено',
    hex: 'Байты',
    length: (count) => (count < 1000 ? counted('ru', count, { one: 'байт', few: 'байта', many: 'байт', other: 'байта' }) : bytes(count)),
    more: (count) => `ещё байт: ${count}`,
  },
  failures: {
    timed_out: 'Время вышло',
    refused: 'Соединение отклонено',
    reset: 'Соединение оборвалось',
    dns: 'Имя не найдено',
    tls: 'Нет сеанса TLS',
    forbidden_address: 'Запрещённый адрес',
    unknown: 'Неизвестно',
  },
  outcome: {
    delivered: 'Доставлен',
    notDelivered: 'Не доставлен',
    answer: 'Ответ',
    address: 'Адрес',
    said: 'Сказано',
    took: (ms) => `${ms} мс`,
  },
};
