import { counted } from './counted';
import type { NotificationWords } from './notifications.en';

export const ru: NotificationWords = {
  title: 'Уведомления',
  here: 'Показывать уведомления в этом браузере',
  refused: 'Этот браузер запрещает уведомления этой страницы. Разрешить их можно в его настройках страницы.',
  impossible: 'Здесь этот браузер не показывает уведомлений. Нужен адрес, который начинается с https.',
  push: 'Также когда ни одна страница консоли не открыта',
  pushText: 'Браузер получает push-уведомления, пока вы не выйдете. В них указан канал.',
  pushImpossible: 'Здесь этот браузер не принимает push-уведомления. Нужен адрес, который начинается с https, а на некоторых телефонах консоль нужно установить.',
  about: 'Уведомлять меня',
  kinds: {
    new_conversation: { about: 'о новых беседах без ответственного', title: (channel) => `Новая беседа: ${channel}` },
    new_message: { about: 'о сообщениях в моих беседах', title: (channel) => `Новое сообщение: ${channel}` },
    assigned: { about: 'о беседах, которые мне назначают', title: (channel) => `Вам назначена беседа: ${channel}` },
    mention: { about: 'о заметках, где меня упомянули', title: (channel) => `Вас упомянули в заметке: ${channel}` },
    send_failed: { about: 'о моих ответах с ошибкой', title: (channel) => `Ваш ответ не доставлен: ${channel}` },
    scheduled_held: { about: 'о моих отложенных ответах, которые не отправлены', title: (channel) => `Ваш отложенный ответ не отправлен: ${channel}` },
  },
  summary: (count, of) =>
    `${counted('ru', count, { one: 'уведомление', few: 'уведомления', many: 'уведомлений', other: 'уведомления' })} из ${counted('ru', of, { one: 'беседы', other: 'бесед' })}`,
  waiting: (count) => `Не прочитано: ${counted('ru', count, { one: 'беседа', few: 'беседы', many: 'бесед', other: 'беседы' })}`,
  sound: 'Со звуком',
  showsText: 'С началом текста клиента в push-уведомлениях',
  quiet: 'Тихие часы: в это время без уведомлений',
  from: 'С',
  to: 'До',
  save: 'Сохранить уведомления',
  saved: 'Уведомления сохранены для всех ваших устройств.',
};
