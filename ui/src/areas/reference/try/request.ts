// From what is filled in to the request that is sent.

import { csrf } from '../../../api/session';
import type { Sent } from '../../operator/curl';
import type { Operation, Parameter, Signature } from '../document';
import { hex, hmacSha1, md5, utf8 } from './digest';

/** The headers that a signature is made with: the page makes them. */
const OF_THE_SIGNATURE = ['Content-MD5', 'Date'];

/** What is asked of the person: all parameters but those. */
export function asked(operation: Operation): readonly Parameter[] {
  return operation.parameters.filter((it) => operation.proof !== 'signature' || !OF_THE_SIGNATURE.includes(it.name));
}

export interface Filled {
  /** By place and name of the parameter: `path id`. */
  values: Readonly<Record<string, string>>;
  body: string;
  file: File | undefined;
}

export const keyOf = (parameter: Parameter): string => `${parameter.in} ${parameter.name}`;

/** The request but for what proves who asks. A part of the path that is not filled in stays as it is named. */
export function plain(operation: Operation, filled: Filled): Sent & { path: string } {
  const value = (parameter: Parameter): string => filled.values[keyOf(parameter)] ?? '';
  const given = (place: Parameter['in']): readonly Parameter[] =>
    asked(operation).filter((it) => it.in === place && value(it) !== '');
  const path = given('path').reduce((path, it) => path.replace(`{${it.name}}`, encodeURIComponent(value(it))), operation.path ?? '');
  const query = new URLSearchParams(given('query').map((it) => [it.name, value(it)])).toString();
  const { body } = operation;
  const isForm = body?.mediaType.startsWith('multipart/') === true;
  const hasBody = body !== undefined && !isForm && (body.isRequired || filled.body !== '');
  return {
    method: operation.method,
    path,
    url: location.origin + path + (query === '' ? '' : `?${query}`),
    headers: [
      ...(hasBody ? [{ name: 'Content-Type', value: body.mediaType }] : []),
      ...given('header').map((it) => ({ name: it.name, value: value(it) })),
    ],
    body: hasBody ? filled.body : undefined,
    file: isForm ? { field: Object.keys(body.schema.properties ?? {})[0] ?? 'file', name: filled.file?.name ?? 'FILE' } : undefined,
  };
}

/** Signs a text: with the secret in this page, or by asking the service. */
export type Signer = (asked: { text: string; signature: Signature; sent: Sent & { path: string }; date: string }) => Promise<string>;

/** Signs here. */
export function withSecret(secret: string): Signer {
  return ({ text }) => Promise.resolve(hex(hmacSha1(utf8(secret), utf8(text))));
}

export interface Signed extends Sent {
  /** What was signed. */
  text: string;
  /** Whether the browser can send it: it lets no page set `Date`. */
  isSendable: boolean;
}

/** The request with its signature. */
export async function signed(sent: Sent & { path: string }, signature: Signature, sign: Signer, now: Date): Promise<Signed> {
  const body = sent.body ?? '';
  if (signature === 'bodySignature') {
    const value = await sign({ text: body, signature, sent, date: '' });
    return { ...sent, headers: [...sent.headers, { name: 'X-Signature', value }], text: body, isSendable: true };
  }
  const [digest, date] = [hex(md5(utf8(body))), now.toUTCString()];
  const type = sent.headers.find((it) => it.name === 'Content-Type')?.value ?? '';
  const text = [sent.method, digest, type, date, sent.path].join('\n');
  const proof = [
    { name: 'Content-MD5', value: digest },
    { name: 'Date', value: date },
    { name: 'X-Signature', value: await sign({ text, signature, sent, date }) },
  ];
  return { ...sent, headers: [...sent.headers, ...proof], text, isSendable: false };
}

/** The request with a token in it; without one, as the page sends it with the session's cookie. */
export function withToken(sent: Sent, token: string | undefined): Sent {
  const isSafe = sent.method === 'GET' || sent.method === 'HEAD';
  const value = csrf.value ?? '';
  const proof =
    token !== undefined
      ? [{ name: 'Authorization', value: `Bearer ${token}` }]
      : isSafe || value === ''
        ? []
        : [{ name: 'X-CSRF-Token', value }];
  return { ...sent, headers: [...sent.headers, ...proof] };
}
