// SHA-1, HMAC and MD5. Browsers have the first two for pages of a secure origin only, which an address of a local network
// is not, and the last one nowhere.

type Digest = (bytes: Uint8Array) => Uint8Array;

/** Both hash blocks of this many bytes. */
const BLOCK = 64;

const turned = (word: number, by: number): number => (word << by) | (word >>> (32 - by));

/** The message, one bit, zeros, and its length in bits, in whole blocks. */
function padded(message: Uint8Array, isLittle: boolean): DataView {
  const bytes = new Uint8Array(Math.ceil((message.length + 9) / BLOCK) * BLOCK);
  bytes.set(message);
  bytes[message.length] = 0x80;
  const view = new DataView(bytes.buffer);
  const [low, high] = [(message.length << 3) >>> 0, Math.floor(message.length / 0x2000_0000)];
  view.setUint32(bytes.length - 8, isLittle ? low : high, isLittle);
  view.setUint32(bytes.length - 4, isLittle ? high : low, isLittle);
  return view;
}

function written(words: readonly number[], isLittle: boolean): Uint8Array {
  const view = new DataView(new ArrayBuffer(words.length * 4));
  words.forEach((word, at) => view.setUint32(at * 4, word >>> 0, isLittle));
  return new Uint8Array(view.buffer);
}

/** RFC 3174. */
export const sha1: Digest = (message) => {
  const view = padded(message, false);
  let state: [number, number, number, number, number] = [0x67452301, 0xefcdab89, 0x98badcfe, 0x10325476, 0xc3d2e1f0];
  const word = new Int32Array(80);
  for (let block = 0; block < view.byteLength; block += BLOCK) {
    for (let at = 0; at < 80; at += 1) {
      const before = (back: number): number => word[at - back] ?? 0;
      word[at] = at < 16 ? view.getInt32(block + at * 4) : turned(before(3) ^ before(8) ^ before(14) ^ before(16), 1);
    }
    let [a, b, c, d, e] = state;
    for (let at = 0; at < 80; at += 1) {
      const [mixed, constant] =
        at < 20
          ? [(b & c) | (~b & d), 0x5a827999]
          : at < 40
            ? [b ^ c ^ d, 0x6ed9eba1]
            : at < 60
              ? [(b & c) | (b & d) | (c & d), 0x8f1bbcdc]
              : [b ^ c ^ d, 0xca62c1d6];
      const next = (turned(a, 5) + mixed + e + constant + (word[at] ?? 0)) | 0;
      [a, b, c, d, e] = [next, a, turned(b, 30), c, d];
    }
    const [h0, h1, h2, h3, h4] = state;
    state = [(h0 + a) | 0, (h1 + b) | 0, (h2 + c) | 0, (h3 + d) | 0, (h4 + e) | 0];
  }
  return written(state, false);
};

/** How far each of the four rounds of MD5 turns, four steps by turns. */
const TURNS = [
  [7, 12, 17, 22],
  [5, 9, 14, 20],
  [4, 11, 16, 23],
  [6, 10, 15, 21],
] as const;
const SINES = Array.from({ length: 64 }, (_, at) => Math.floor(Math.abs(Math.sin(at + 1)) * 2 ** 32) | 0);

/** RFC 1321. */
export const md5: Digest = (message) => {
  const view = padded(message, true);
  let state: [number, number, number, number] = [0x67452301, 0xefcdab89, 0x98badcfe, 0x10325476];
  for (let block = 0; block < view.byteLength; block += BLOCK) {
    let [a, b, c, d] = state;
    for (let at = 0; at < 64; at += 1) {
      const round = at >> 4;
      const [mixed, from] =
        round === 0
          ? [(b & c) | (~b & d), at]
          : round === 1
            ? [(d & b) | (~d & c), (5 * at + 1) % 16]
            : round === 2
              ? [b ^ c ^ d, (3 * at + 5) % 16]
              : [c ^ (b | ~d), (7 * at) % 16];
      const sum = (a + mixed + (SINES[at] ?? 0) + view.getInt32(block + from * 4, true)) | 0;
      [a, b, c, d] = [d, (b + turned(sum, TURNS[round]?.[at % 4] ?? 0)) | 0, b, c];
    }
    const [h0, h1, h2, h3] = state;
    state = [(h0 + a) | 0, (h1 + b) | 0, (h2 + c) | 0, (h3 + d) | 0];
  }
  return written(state, true);
};

/** RFC 2104, with SHA-1. */
export function hmacSha1(key: Uint8Array, message: Uint8Array): Uint8Array {
  const short = new Uint8Array(BLOCK);
  short.set(key.length > BLOCK ? sha1(key) : key);
  const hashed = (pad: number, rest: Uint8Array): Uint8Array => {
    const all = new Uint8Array(BLOCK + rest.length);
    all.set(short.map((byte) => byte ^ pad));
    all.set(rest, BLOCK);
    return sha1(all);
  };
  return hashed(0x5c, hashed(0x36, message));
}

export function hex(bytes: Uint8Array): string {
  return [...bytes].map((byte) => byte.toString(16).padStart(2, '0')).join('');
}

export function utf8(text: string): Uint8Array {
  return new TextEncoder().encode(text);
}
