import { counted } from './counted';

const conversations = (count: number): string => counted('en', count, { one: 'conversation', other: 'conversations' });

export const en = {
  title: 'Notifications',
  here: 'Show notifications in this browser',
  refused: 'This browser refuses notifications of this page. Its settings of the page allow them again.',
  impossible: 'This browser shows no notifications here. It needs an address that begins with https.',
  push: 'Also when no page of the console is open',
  pushText: 'Your browser is pushed notifications until you sign out. They name the channel.',
  pushImpossible: 'This browser takes no pushes here. It needs an address that begins with https, and some telephones need the console installed.',
  about: 'Notify me about',
  kinds: {
    new_conversation: { about: 'New conversations without a responsible user', title: (channel: string) => `New conversation in ${channel}` },
    new_message: { about: 'Messages in my conversations', title: (channel: string) => `New message in ${channel}` },
    assigned: { about: 'Conversations that others assign to me', title: (channel: string) => `A conversation in ${channel} is yours now` },
    mention: { about: 'Notes that mention me', title: (channel: string) => `A note mentions you in ${channel}` },
    send_failed: { about: 'Replies of mine that fail', title: (channel: string) => `Your reply in ${channel} has failed` },
    scheduled_held: { about: 'Scheduled replies of mine that are not sent', title: (channel: string) => `Your scheduled reply in ${channel} was not sent` },
  },
  summary: (count: number, of: number) => `${counted('en', count, { one: 'notification', other: 'notifications' })} from ${conversations(of)}`,
  waiting: (count: number) => `Unread: ${conversations(count)}`,
  sound: 'With a sound',
  showsText: 'With the beginning of the customer’s text, in pushes',
  quiet: 'Quiet hours: no notifications at these times',
  from: 'From',
  to: 'To',
  save: 'Save the notifications',
  saved: 'The notifications are saved, for all your devices.',
};

export type NotificationWords = typeof en;
