import { createHmac, timingSafeEqual } from 'node:crypto';

/**
 * The signature of a body: HMAC-SHA1 in hexadecimal, as in the header `X-Signature`.
 * @param {string} secret of the channel
 * @param {string | Uint8Array} body the bytes that are sent
 */
export function sign(secret, body) {
  return createHmac('sha1', secret).update(body).digest('hex');
}

/**
 * @param {string} secret of the channel
 * @param {string | Uint8Array} body the bytes that arrived
 * @param {string | undefined} signature the header `X-Signature`
 */
export function isSigned(secret, body, signature = '') {
  const [ours, theirs] = [Buffer.from(sign(secret, body)), Buffer.from(signature)];
  return ours.length === theirs.length && timingSafeEqual(ours, theirs);
}
