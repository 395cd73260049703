// The example of a request, as a request of now: an msgid that nothing has, and the present time.

import { me } from '../../../api/session';
import type { Operation } from '../document';

/** A name for a message that no other has. */
const fresh = (): string => `try-${crypto.randomUUID?.().slice(0, 8) ?? Math.random().toString(36).slice(2, 10)}`;

/** What of a body is of the moment: times, and the name of a new message. */
function ofNow(key: string, value: unknown): unknown {
  if (key === 'timestamp' && typeof value === 'number') return Math.floor(Date.now() / 1000);
  if (key === 'msec_timestamp' && typeof value === 'number') return Date.now();
  return value;
}

/** The example of the document; what an integration sends is of the account of whoever looks at it, and of now. */
export function example({ id, body, proof }: Operation): string {
  const [first] = body?.examples ?? [];
  if (first === undefined) return '';
  const account = me.value?.account?.id;
  const isOurs = proof === 'signature';
  const value = (key: string, value: unknown): unknown => {
    if (!isOurs) return value;
    if (key === 'account_id' && account !== undefined) return account;
    return key === 'msgid' && id === SENDS ? fresh() : ofNow(key, value);
  };
  return JSON.stringify(first.value, value, 2);
}

/** The operation whose msgid names a new message; elsewhere it names one that is there. */
const SENDS = 'sendMessage';
/** An msgid that this page made. */
const OWN = /^try-/;

/** A body for the next request: what the page made is made anew, and what somebody wrote stays. */
export function renewed(body: string): string {
  try {
    const value = JSON.parse(body) as unknown;
    const next = JSON.stringify(value, (key, it: unknown) => (key === 'msgid' && typeof it === 'string' && OWN.test(it) ? fresh() : it));
    if (next === JSON.stringify(value)) return body;
    return JSON.stringify(JSON.parse(next, (key, it: unknown) => ofNow(key, it)), null, 2);
  } catch {
    return body;
  }
}
