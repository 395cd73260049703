// Sends a request as it is, and reads what is answered piece by piece: a stream of events does not end by itself.

import { Problem } from '../../../api/client';
import type { Sent } from '../../operator/curl';

export interface Told {
  status: number;
  headers: readonly { name: string; value: string }[];
  /** What has come of the body; undefined when it is no text. */
  text: string | undefined;
  length: number;
  took: number;
  /** It is still coming, or was cut. */
  state: 'coming' | 'whole' | 'cut';
}

/** More of an answer is not shown. */
const MOST = 1 << 20;

const isText = (type: string): boolean => /^text\/|json|xml|openmetrics|javascript/.test(type);

/** Sends; tells of the answer whenever there is more of it, until it ends or `signal` ends it. */
export async function send(
  sent: Sent,
  file: File | undefined,
  hasSession: boolean,
  signal: AbortSignal,
  tell: (told: Told) => void,
): Promise<void> {
  const began = performance.now();
  const form = new FormData();
  if (sent.file !== undefined && file !== undefined) form.append(sent.file.field, file);
  const body = sent.file === undefined ? sent.body : form;
  let response: Response;
  try {
    response = await fetch(sent.url, {
      method: sent.method,
      headers: sent.headers.map(({ name, value }): [string, string] => [name, value]),
      credentials: hasSession ? 'same-origin' : 'omit',
      cache: 'no-store',
      redirect: 'manual',
      signal,
      ...(body === undefined ? {} : { body }),
    });
  } catch {
    if (signal.aborted) return;
    throw new Problem(0, '');
  }
  const reads = isText(response.headers.get('Content-Type') ?? '');
  const told: Told = {
    status: response.status,
    headers: [...response.headers].map(([name, value]) => ({ name, value })),
    text: reads || response.body === null ? '' : undefined,
    length: 0,
    took: Math.round(performance.now() - began),
    state: 'coming',
  };
  tell({ ...told });
  const decoder = new TextDecoder();
  const end = await readAll(response.body, (piece) => {
    told.length += piece.length;
    if (told.text !== undefined) told.text += decoder.decode(piece, { stream: true });
    tell({ ...told });
    return told.length <= MOST;
  });
  tell({ ...told, state: end });
}

/** Reads piece by piece, as long as more is wanted. */
async function readAll(body: ReadableStream<Uint8Array> | null, take: (piece: Uint8Array) => boolean): Promise<Told['state']> {
  if (body === null) return 'whole';
  const reader = body.getReader();
  try {
    for (;;) {
      const { done, value } = await reader.read();
      if (done) return 'whole';
      if (!take(value)) {
        await reader.cancel();
        return 'cut';
      }
    }
  } catch {
    // The line broke, or somebody stopped it.
    return 'cut';
  }
}
