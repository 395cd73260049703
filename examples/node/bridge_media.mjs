/** The messages that the messenger of the bridge can show, and the files in them. */

import { textFrom } from './bridge_forms.mjs';
import { Lost } from './bridge_service.mjs';

const BYTES_MAX = 20 << 20;
const TIMEOUT = 10_000;
const TRIES_MAX = 3;
const SOUNDS = ['audio/', 'application/ogg'];
// The types, each with the beginnings of the media types that its file may have.
const TYPES = new Map(Object.entries({
  text: [], contact: [], location: [], file: [''], picture: ['image/'], video: ['video/'], sticker: ['image/', 'video/'],
  voice: SOUNDS, audio: SOUNDS,
}));

/** The reason why a message cannot reach the customer, for the account user. */
export class Obstacle extends Error {}

/**
 * Throws `Obstacle` if the message cannot be shown, and `Lost` if another attempt may help. A file is fetched, as for a
 * messenger that wants its bytes.
 */
export async function checkContent(content, tries, service) {
  const mediaTypes = TYPES.get(content.type);
  const address = textFrom(content.media);
  if (!mediaTypes) throw new Obstacle(`This messenger has no messages of the type «${textFrom(content.type)}».`);
  if (mediaTypes.length === 0) return;
  if (!/^https?:/.test(address) || !URL.canParse(address)) throw new Obstacle('The file has no address of the web.');
  if (service.has(address)) await service.takeSlot();
  try {
    await fetchFile(address, mediaTypes);
  } catch (error) {
    if (error instanceof Obstacle) throw error;
    if (error.name === 'TimeoutError') throw new Obstacle(`The file is not here after ${TIMEOUT / 1000} seconds.`);
    const reason = `The file cannot be fetched: ${error.cause?.message ?? error.message}`;
    throw tries + 1 < TRIES_MAX ? new Lost(reason) : new Obstacle(reason);
  }
}

async function fetchFile(address, mediaTypes) {
  const response = await fetch(address, { redirect: 'manual', signal: AbortSignal.timeout(TIMEOUT) });
  try {
    if (response.status >= 500) throw new Error(`its address answers ${response.status}`);
    if (!response.ok) throw new Obstacle(`The address of the file answers ${response.status}.`);
    const type = response.headers.get('Content-Type') ?? '';
    const isRight = mediaTypes.some((it) => type.startsWith(it)) && !type.startsWith('text/html');
    if (!isRight) throw new Obstacle(`The address of the file answers with the type ${type}.`);
    let size = 0;
    for await (const chunk of response.body ?? []) {
      size += chunk.length;
      if (size > BYTES_MAX) throw new Obstacle(`The file is larger than ${BYTES_MAX >> 20} MiB.`);
    }
  } finally {
    await response.body?.cancel().catch(() => {}); // What is not read would keep the connection.
  }
}
