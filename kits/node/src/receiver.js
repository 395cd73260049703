import { EventEmitter, once } from 'node:events';
import http from 'node:http';

import { SwitchboardError } from './errors.js';
import { isSigned } from './signature.js';

/**
 * @typedef {object} Callback
 * @property {string} method
 * @property {string} path
 * @property {Record<string, string | string[] | undefined>} headers with names in lower case
 * @property {string} body as it arrived
 * @property {any} event the body as JSON, or undefined if it is none
 * @property {string | undefined} messageId the same in every attempt
 * @property {number} attempt from 1
 *
 * @typedef {number | ((callback: Callback) => number | Promise<number>)} Answer
 */

/** Milliseconds until `received` fails. */
const TIMEOUT_MS = 30_000;

/** Receives callbacks on loopback, checks their signatures and records them. */
export class Receiver {
  #server;
  #secret;
  #answer;
  #news = new EventEmitter();

  /** @type {Callback[]} Callbacks with a right signature, in the order of their arrival. */
  callbacks = [];
  /** @type {Callback[]} Requests that were refused with 403, because their signature is wrong. */
  refused = [];
  url = '';

  /** @param {{ secret: string, answer?: Answer }} options */
  constructor({ secret, answer = 200 }) {
    this.#secret = secret;
    this.#answer = answer;
    this.#server = http.createServer((request, response) => void this.#take(request, response));
  }

  /**
   * @param {{ secret: string, answer?: Answer }} options the secret of the channel, and the status of each answer, 200 if absent
   */
  static async start(options) {
    const receiver = new Receiver(options);
    const server = receiver.#server.listen(0, '127.0.0.1');
    await once(server, 'listening');
    const address = /** @type {import('node:net').AddressInfo} */ (server.address());
    receiver.url = `http://127.0.0.1:${address.port}/`;
    return receiver;
  }

  /**
   * Sets the status of the next answers.
   * @param {Answer} answer
   */
  answersWith(answer) {
    this.#answer = answer;
  }

  /**
   * Waits until so many callbacks have arrived, and returns all that have.
   * @param {number} [count]
   */
  async received(count = 1) {
    const signal = AbortSignal.timeout(TIMEOUT_MS);
    try {
      while (this.callbacks.length < count) await once(this.#news, 'callback', { signal });
    } catch (error) {
      const arrived = `${this.callbacks.length} of ${count} callbacks arrived at ${this.url}`;
      const refused = `${this.refused.length} more were refused`;
      throw new SwitchboardError(`${arrived} within ${TIMEOUT_MS / 1000} seconds; ${refused}.`, { cause: error });
    }
    return this.callbacks;
  }

  async stop() {
    const closed = once(this.#server, 'close');
    this.#server.close();
    this.#server.closeAllConnections();
    await closed;
  }

  /**
   * @param {http.IncomingMessage} request
   * @param {http.ServerResponse} response
   */
  async #take(request, response) {
    try {
      const bytes = Buffer.concat(await request.toArray());
      const callback = callbackOf(request, bytes.toString());
      const signature = request.headers['x-signature'];
      const isRight = isSigned(this.#secret, bytes, Array.isArray(signature) ? signature[0] : signature);
      (isRight ? this.callbacks : this.refused).push(callback);
      const answer = this.#answer;
      const status = isRight ? await (typeof answer === 'function' ? answer(callback) : answer) : 403;
      response.writeHead(status).end();
      if (isRight) this.#news.emit('callback');
    } catch (error) {
      // The function of the test threw, or the connection broke.
      response.destroy(error instanceof Error ? error : undefined);
    }
  }
}

/**
 * @param {http.IncomingMessage} request
 * @param {string} body
 * @returns {Callback}
 */
function callbackOf({ method = '', url = '', headers }, body) {
  const [messageId, attempt] = [headers['webhook-id'], headers['x-delivery-attempt']].map((value) => value?.toString());
  return { method, path: url, headers, body, event: jsonOf(body), messageId, attempt: Number(attempt ?? 1) };
}

/** @param {string} body */
function jsonOf(body) {
  try {
    return JSON.parse(body);
  } catch {
    return undefined;
  }
}
