/**
 * The signature of a body: HMAC-SHA1 in hexadecimal, as in the header `X-Signature`.
 * @param {string} secret of the channel
 * @param {string | Uint8Array} body the bytes that are sent
 */
export declare function sign(secret: string, body: string | Uint8Array): string;
/**
 * @param {string} secret of the channel
 * @param {string | Uint8Array} body the bytes that arrived
 * @param {string | undefined} signature the header `X-Signature`
 */
export declare function isSigned(secret: string, body: string | Uint8Array, signature?: string | undefined): boolean;
