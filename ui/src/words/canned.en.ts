import { counted } from './counted';

export const en = {
  title: 'Canned replies',
  mine: 'Mine',
  shared: 'The team’s',
  loading: 'Reading the canned replies…',
  found: (count: number) => (count === 0 ? 'No canned replies found.' : `${counted('en', count, { one: 'canned reply', other: 'canned replies' })}. Arrows choose, Enter inserts.`),
  none: 'There are no canned replies yet.',
  tooLong: 'This text is too long for a message here.',
  manage: 'Manage canned replies',
  new: 'New canned reply',
  change: 'Change a canned reply',
  explain: 'Type / in a reply, and a few letters of the name or the text, to insert one.',
  name: 'Name',
  text: 'Text',
  markers: 'Markers such as {{contact.name}} take the values of the conversation when the text is inserted.',
  share: 'Share with the team',
  save: 'Save',
  edit: (name: string) => `Change «${name}»`,
  delete: (name: string) => `Delete «${name}»`,
  confirm: {
    title: (name: string) => `Delete «${name}»?`,
    own: 'You can no longer insert this text. Messages that have it stay as they are.',
    shared: 'The team can no longer insert this text. Messages that have it stay as they are.',
    action: 'Delete the canned reply',
  },
  noValue: (markers: string) => `No value for: ${markers}`,
  ask: 'Write the values into the text, or send it again to send it as it is.',
  asItIs: 'Send as it is',
  leftOut: (name: string) => `«${name}» was not attached: the reply has another file.`,
};

export type CannedWords = typeof en;
