import http from 'node:http';

import { ApiError, SwitchboardError } from './errors.js';
import { camelNames, snakeNames } from './values.js';

/** Seconds until a request without an answer fails. */
const TIMEOUT = 30;

/**
 * @typedef {object} Asked
 * @property {object} [body] sent as JSON
 * @property {Record<string, string | number | undefined>} [query]
 * @property {number} [timeout] seconds
 */

/** Requests to `/dev/v1` of one process. No request is repeated. */
export class Api {
  #url;
  #token;
  #whyUnreachable;

  /**
   * @param {string} url
   * @param {string} token
   * @param {() => Promise<string>} whyUnreachable a sentence about the process, or an empty text
   */
  constructor(url, token, whyUnreachable) {
    this.#url = url;
    this.#token = token;
    this.#whyUnreachable = whyUnreachable;
  }

  /**
   * The JSON answer of a request, its names in camel case.
   * @param {string} method
   * @param {string} path
   * @param {Asked} [asked]
   * @returns {Promise<any>}
   */
  async json(method, path, asked) {
    const text = await this.text(method, path, asked);
    return camelNames(parsed(text, `${method} ${path}`));
  }

  /**
   * @param {string} method
   * @param {string} path
   * @param {Asked} [asked]
   * @returns {Promise<string>}
   */
  async text(method, path, { body, query = {}, timeout = TIMEOUT } = {}) {
    const url = new URL(this.#url + path);
    for (const [name, value] of Object.entries(query)) {
      if (value !== undefined) url.searchParams.set(name, String(value));
    }
    const request = `${method} ${url.pathname}${url.search}`;
    const sent = body === undefined ? undefined : JSON.stringify(snakeNames(body));
    // Not `setTimeout`, which tests replace when they fake the time of their own process.
    const signal = AbortSignal.timeout(timeout * 1000);
    try {
      const { status, text } = await exchange(url, method, this.#token, sent, signal);
      if (status < 400) return text;
      throw new ApiError(request, status, problemOf(text));
    } catch (error) {
      if (error instanceof ApiError) throw error;
      if (signal.aborted) throw new SwitchboardError(`${request}: no answer within ${timeout} seconds`, { cause: error });
      const why = await this.#whyUnreachable();
      const what = error instanceof Error ? error.message : String(error);
      throw new SwitchboardError(`${request}: the connection broke (${what}). ${why}`.trimEnd(), { cause: error });
    }
  }
}

/**
 * @param {URL} url
 * @param {string} method
 * @param {string} token
 * @param {string | undefined} body
 * @param {AbortSignal} signal
 * @returns {Promise<{ status: number, text: string }>}
 */
function exchange(url, method, token, body, signal) {
  const headers = {
    Authorization: `Bearer ${token}`,
    ...(body === undefined ? {} : { 'Content-Type': 'application/json', 'Content-Length': Buffer.byteLength(body) }),
  };
  return new Promise((resolve, reject) => {
    // A connection of its own for each request: one that is kept could be closed by the other end at the moment of use.
    const request = http.request(url, { method, headers, signal, agent: false }, (answer) => {
      /** @type {Buffer[]} */
      const chunks = [];
      answer.on('data', (chunk) => chunks.push(chunk));
      answer.on('end', () => resolve({ status: answer.statusCode ?? 0, text: Buffer.concat(chunks).toString() }));
      answer.on('error', reject);
    });
    request.on('error', reject);
    request.end(body);
  });
}

/**
 * @param {string} text
 * @param {string} request
 * @returns {unknown}
 */
function parsed(text, request) {
  try {
    return JSON.parse(text);
  } catch (error) {
    throw new SwitchboardError(`${request}: the answer is no JSON: ${text.slice(0, 200)}`, { cause: error });
  }
}

/**
 * @param {string} text
 * @returns {{ title?: string, detail?: string }}
 */
function problemOf(text) {
  try {
    const problem = JSON.parse(text);
    return typeof problem === 'object' && problem !== null ? problem : { detail: text };
  } catch {
    return { detail: text.slice(0, 500) };
  }
}
