import { EventEmitter, once } from 'node:events';
import http from 'node:http';

import { SwitchboardError } from './errors.js';
import { parseForm } from './form.js';
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
 * A request of a webhook of the account. It has no signature.
 * @typedef {Callback & { form: any, requestId: string | undefined }} Hook `form` is a tree, such as
 *   `form.message.add[0].text`, with all values as texts; `requestId` is the same in every attempt
 *
 * @typedef {number | ((callback: Callback) => number | Promise<number>)} Answer
 */

/** Milliseconds until `received` fails. */
const TIMEOUT_MS = 30_000;

/** Receives callbacks on loopback, checks their signatures and records them. Records the hooks of the account, too. */
export class Receiver {
  #server;
  #secret;
  #answer;
  #news = new EventEmitter();

  /** @type {Callback[]} Callbacks with a right signature, in the order of their arrival. */
  callbacks = [];
  /** @type {Callback[]} Requests that were refused with 403, because their signature is wrong. */
  refused = [];
  /** @type {Hook[]} The hooks of the account, in the order of their arrival. */
  hooks = [];
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
  received(count = 1) {
    return this.#arrived('callback', this.callbacks, count);
  }

  /**
   * Waits until so many hooks have arrived, and returns all that have.
   * @param {number} [count]
   */
  receivedHooks(count = 1) {
    return this.#arrived('hook', this.hooks, count);
  }

  /**
   * @template T
   * @param {'callback' | 'hook'} kind
   * @param {T[]} requests
   * @param {number} count
   */
  async #arrived(kind, requests, count) {
    const signal = AbortSignal.timeout(TIMEOUT_MS);
    try {
      while (requests.length < count) await once(this.#news, kind, { signal });
    } catch (error) {
      const arrived = `${requests.length} of ${count} ${kind}s arrived at ${this.url}`;
      const refused = `${this.refused.length} requests were refused`;
      throw new SwitchboardError(`${arrived} within ${TIMEOUT_MS / 1000} seconds; ${refused}.`, { cause: error });
    }
    return requests;
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
      if (isHook(request)) {
        const hook = { ...callback, form: parseForm(callback.body), requestId: request.headers['x-amocrm-requestid']?.toString() };
        this.hooks.push(hook);
        response.writeHead(await this.#status(hook)).end();
        this.#news.emit('hook');
        return;
      }
      const signature = request.headers['x-signature'];
      const isRight = isSigned(this.#secret, bytes, Array.isArray(signature) ? signature[0] : signature);
      (isRight ? this.callbacks : this.refused).push(callback);
      response.writeHead(isRight ? await this.#status(callback) : 403).end();
      if (isRight) this.#news.emit('callback');
    } catch (error) {
      // The function of the test threw, or the connection broke.
      response.destroy(error instanceof Error ? error : undefined);
    }
  }

  /** @param {Callback} callback */
  async #status(callback) {
    return typeof this.#answer === 'function' ? this.#answer(callback) : this.#answer;
  }
}

/** @param {http.IncomingMessage} request */
function isHook({ headers }) {
  const isForm = headers['content-type']?.startsWith('application/x-www-form-urlencoded') ?? false;
  const isOfWebhook = headers['user-agent']?.startsWith('amoCRM-Webhooks/') ?? false;
  return isForm && isOfWebhook && headers['x-signature'] === undefined;
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
