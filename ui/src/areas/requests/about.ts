// What a recorded request was for, in the language of the reader.

import { operation } from '../../words/operation-names';
import { requests } from '../../words/requests';
import { nameOf } from '../operator/channels';
import type { Account, Channel, RequestLine } from '../operator/types';

/** The operation in words, with what it reports. */
export function operationOf({ operation: id, method, subject }: RequestLine): string {
  const words = requests();
  const name = operation(id) ?? words.unknownOperation(method);
  const statuses: Record<number, string> = words.statuses;
  const status = statuses[subject.delivery_status ?? 0];
  return status === undefined ? name : `${name}: ${status}`;
}

/** Whom and what it was about: the customer, the message, the conversation; objects of the account; what tokens were for. */
export function subjectOf({ subject }: RequestLine): readonly string[] {
  const { customer, msgid, conversation_id: conversation, connection, objects, grant_type: grant } = subject;
  return [customer, connection, msgid ?? conversation, objects.join(', ') || null, grant].filter((it) => it !== null);
}

/** What is known by id. */
export interface Known {
  channels: readonly Channel[];
  accounts: readonly Account[];
}

/** Who sent it: the channel, the account with its user, or the OAuth client. */
export function senderOf({ surface, channel_id: channel, account_id: account, user_id: user, client_id: client }: RequestLine, known: Known): string {
  const words = requests();
  if (channel !== null) return nameOf(known.channels, channel);
  if (account !== null) {
    const name = known.accounts.find(({ id }) => id === account)?.name ?? account;
    return user === null ? name : `${name} · ${client === null ? words.user(user) : words.clientOfUser(user)}`;
  }
  return client === null ? words.strangers[surface] : words.client(client);
}

/** Why it was refused, in short; undefined where it was not. */
export function refusalOf({ error_type: type, status }: RequestLine): string | undefined {
  const words = requests();
  if (status < 400) return undefined;
  const errors: Record<string, string> = words.errors;
  if (type !== null) return errors[type] ?? type;
  const refusals: Record<number, string> = words.refusals;
  return refusals[status] ?? words.refusal;
}
