import { counted } from './language';

export const en = {
  title: 'Unsorted deals',
  about: 'Conversations opened these deals. Nobody has accepted them yet.',
  deal: (id: number) => `Deal #${id}`,
  open: 'Open chat',
  accept: 'Accept',
  acceptAs: 'Accept as…',
  decline: 'Decline',
  acceptTitle: (id: number) => `Accept deal #${id}`,
  declineTitle: (id: number) => `Decline deal #${id}?`,
  declineText: 'The deal is closed as lost. The next message of the customer opens another one.',
  stage: 'Stage',
  responsible: 'Responsible',
  filter: 'Name, channel or text',
  channel: 'Channel',
  allChannels: 'All channels',
  age: 'Age',
  ages: { any: 'Any age', hour: 'Over an hour', day: 'Over a day' },
  noText: 'No message yet',
  nameless: 'No name',
  list: 'Unsorted deals',
  empty: 'No unsorted deals',
  emptyText: 'The first message of a customer that is not silent opens one. Send one through the demo channel:',
  nothing: 'No deal fits the filter.',
  without: 'Conversations without a deal',
  withoutAbout: 'Why no deal was opened for them, newest first.',
  withoutNone: 'Every conversation that was looked at has a deal.',
  lookedAt: (count: number) =>
    counted('en', count, { one: 'conversation was looked at', other: 'conversations were looked at' }),
  reason: 'Why',
  next: 'next deal',
  previous: 'previous deal',
  acceptSelected: 'accept the selected deal',
  done: { accepted: (id: number) => `Deal #${id} is accepted.`, declined: (id: number) => `Deal #${id} is declined.` },
};

export type DealWords = typeof en;
