// What is sent, once it is known who asks.

import { useEffect, useRef, useState } from 'preact/hooks';
import { type Problem, asProblem } from '../../../api/client';
import { askAsOperator, operatorToken } from '../../../api/operator';
import { type Sent, curl } from '../../operator/curl';
import type { Verdict } from '../../operator/types';
import type { Operation, Signature } from '../document';
import { channelId, secret, userToken } from './credentials';
import { type Filled, type Signer, plain, signed, withSecret, withToken } from './request';

export interface Prepared {
  sent: Sent;
  /** What was signed; undefined where nothing is. */
  text: string | undefined;
  /** The command that sends the same. */
  command: string;
  /** Whether the browser adds the cookie of the session. */
  hasSession: boolean;
  isSendable: boolean;
}

/** The request as it would be sent now; undefined as long as nobody can sign it. */
export async function prepare(operation: Operation, filled: Filled, signature: Signature): Promise<Prepared | undefined> {
  const sent = plain(operation, filled);
  if (operation.proof === 'signature') {
    const sign = signer();
    if (sign === undefined) return undefined;
    const made = await signed(sent, signature, sign, new Date());
    return { sent: made, text: made.text, command: curl(made), hasSession: false, isSendable: made.isSendable };
  }
  const token = operation.proof === 'operator' ? operatorToken.value : operation.proof === 'user' ? userToken.value.trim() : undefined;
  const hasSession = operation.proof === 'user' && token === '';
  const made = operation.proof === 'none' ? sent : withToken(sent, token === '' ? undefined : token);
  return { sent: made, text: undefined, command: hasSession ? withoutSession(sent) : curl(made), hasSession, isSendable: true };
}

/** A session cannot be copied to a terminal: the command takes a token from the environment. */
function withoutSession(sent: Sent): string {
  const command = curl(withToken(sent, 'USER_TOKEN'));
  return command.replace("'Authorization: Bearer USER_TOKEN'", '"Authorization: Bearer $USER_TOKEN"');
}

function signer(): Signer | undefined {
  if (operatorToken.value !== undefined && channelId.value !== '') return byTheService(channelId.value);
  return secret.value === '' ? undefined : withSecret(secret.value.trim());
}

/** Any signature: it is not asked whether it is right, but which one would be. */
const NONE = '0'.repeat(40);

/** Lets the service sign as a channel: it says to the operator which signature it expects. */
function byTheService(channel: string): Signer {
  return async ({ signature, sent, date }) => {
    const type = sent.headers.find((it) => it.name === 'Content-Type')?.value;
    const body = {
      signature: NONE,
      body: sent.body ?? '',
      method: sent.method,
      path: sent.path,
      ...(type === undefined ? {} : { content_type: type }),
      ...(date === '' ? {} : { date }),
    };
    const path = `/admin/v1/channels/${encodeURIComponent(channel)}/check-signature`;
    const { expected } = await askAsOperator<Verdict>(path, { method: 'POST', body });
    return signature === 'bodySignature' ? expected.raw_body : (expected.canonical ?? '');
  };
}

const MASK = '••••••';

/** A text with the tokens of this tab hidden. */
export function masked(text: string): string {
  const secrets = [operatorToken.value, userToken.value.trim()].filter((it) => it !== undefined && it !== '');
  return secrets.reduce((text: string, it) => text.replaceAll(`Bearer ${it ?? ''}`, `Bearer ${MASK}`), text);
}

/** How long the page waits for another letter before it signs anew, in milliseconds. */
const PAUSE = 150;
/** A date counts for 15 minutes: what is shown is never older than this, in milliseconds. */
const FRESH = 5 * 60_000;

/** The request that is filled in, made anew whenever `key` is another, and before its date is too old. */
export function usePrepared(key: string, make: () => Promise<Prepared | undefined>): { prepared?: Prepared; problem?: Problem } {
  const [made, set] = useState<{ prepared?: Prepared; problem?: Problem }>({});
  const newest = useRef(make);
  newest.current = make;
  useEffect(() => {
    let isOver = false;
    const again = (): void => {
      newest
        .current()
        .then((prepared) => !isOver && set(prepared === undefined ? {} : { prepared }))
        .catch((failure: unknown) => !isOver && set({ problem: asProblem(failure) }));
    };
    const timers = [setTimeout(again, PAUSE), setInterval(again, FRESH)];
    return () => {
      isOver = true;
      timers.forEach((timer) => clearInterval(timer));
    };
  }, [key]);
  return made;
}
