import { bytes, counted } from './language';

export const en = {
  pause: 'Pause',
  goOn: 'Go on',
  back: 'To the list',
  chosen: 'What is chosen',
  channel: 'Channel',
  allChannels: 'All channels',
  account: 'Account',
  scope: 'Scope',
  masked: 'not kept: it is a secret',
  body: {
    pretty: 'Formatted',
    raw: 'As sent',
    hex: 'Bytes',
    length: (count: number) => (count < 1000 ? counted('en', count, { one: 'byte', other: 'bytes' }) : bytes(count)),
    more: (count: string) => `${count} more bytes`,
  },
  failures: {
    timed_out: 'timed out',
    refused: 'connection refused',
    reset: 'connection broke off',
    dns: 'name not found',
    tls: 'no TLS session',
    forbidden_address: 'forbidden address',
    unknown: 'not known',
  },
  outcome: {
    taken: 'Taken',
    notTaken: 'Not taken',
    answer: 'Answer',
    address: 'Address',
    said: 'It said',
    took: (ms: number) => `${ms} ms`,
  },
};

export type OperatorWords = typeof en;
