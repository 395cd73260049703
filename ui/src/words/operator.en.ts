import { counted } from './counted';
import { bytes } from './language';

export const en = {
  pause: 'Pause updates',
  goOn: 'Resume updates',
  back: 'Back to the list',
  chosen: 'Selection',
  channel: 'Channel',
  allChannels: 'All channels',
  account: 'Account',
  accounts: 'Accounts',
  allAccounts: 'All accounts',
  noAccounts: 'No accounts',
  noAgent: 'No User-Agent',
  scope: 'Scope',
  masked: 'Secret, not stored',
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
    reset: 'Connection lost',
    head_too_large: 'Response head too large',
    dns: 'DNS lookup failed',
    tls: 'TLS handshake failed',
    forbidden_address: 'Forbidden address',
    no_address: 'No endpoint',
    no_channel: 'No such channel',
    not_expressible: 'Not expressible in version 1',
    unknown: 'Outcome unknown',
  },
  outcome: {
    delivered: 'Delivered',
    notDelivered: 'Not delivered',
    answer: 'Response',
    address: 'Endpoint',
    said: 'Response body',
    took: (ms: number) => `${ms} ms`,
  },
  admitted: {
    title: 'Users that stay',
    text: 'The integration created these users or was the last to activate them. They still can sign in. Deactivate the users that are not needed.',
    user: 'User',
    sessions: 'Sessions',
    tokens: 'Bearer tokens',
    none: 'none',
    more: (count: number) => `The first ${count} users. The page “Users” shows all.`,
  },
};

export type OperatorWords = typeof en;
