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
  masked: 'Not kept: it is a secret',
  body: {
    pretty: 'Formatted',
    raw: 'As sent',
    hex: 'Bytes',
    length: (count: number) => (count < 1000 ? counted('en', count, { one: 'byte', other: 'bytes' }) : bytes(count)),
    more: (count: string) => `${count} more bytes`,
  },
  failures: {
    timed_out: 'Timed out',
    refused: 'Connection refused',
    reset: 'Connection broke off',
    dns: 'Name not found',
    tls: 'No TLS session',
    forbidden_address: 'Forbidden address',
    unknown: 'Not known',
  },
  outcome: {
    delivered: 'Delivered',
    notDelivered: 'Not delivered',
    answer: 'Answer',
    address: 'Address',
    said: 'It said',
    took: (ms: number) => `${ms} ms`,
  },
};

export type OperatorWords = typeof en;
