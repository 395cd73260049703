// What a recorded request was for, in the language of the reader.

import { requests } from '../../words/requests';
import type { RequestLine } from '../operator/types';

/** The operation in words, with what it reports. */
export function operationOf({ route, method, subject }: RequestLine): string {
  const words = requests();
  const operations: Record<string, string> = words.operations;
  const name = operations[route ?? ''] ?? words.unknownOperation(method);
  const statuses: Record<number, string> = words.statuses;
  const status = statuses[subject.delivery_status ?? 0];
  return status === undefined ? name : `${name}: ${status}`;
}

/** Whom and what it was about: the customer, the message, the conversation. */
export function subjectOf({ subject }: RequestLine): readonly string[] {
  const { customer, msgid, conversation_id: conversation, connection } = subject;
  return [customer, connection, msgid ?? conversation].filter((it) => it !== null);
}

/** Why it was refused, in short; undefined where the page has no words for it. */
export function refusalOf({ error_type: type }: RequestLine): string | undefined {
  const errors: Record<string, string> = requests().errors;
  return type === null ? undefined : errors[type];
}
