import { setTimeout as delay } from 'node:timers/promises';

import { Api } from './api.js';
import { Lease } from './lease.js';
import { findProgram } from './program.js';
import { secondsOf } from './values.js';
import { World } from './world.js';

/**
 * @typedef {object} OwnField
 * @property {number} id
 * @property {string} name
 * @property {string} type `text`, `textarea`, `numeric`, `select`, `multiselect`, `checkbox`, `date` or `url`
 * @property {string} [code]
 * @property {{ id?: number, value: string, code?: string }[]} [enums] what a field of the type `select` or `multiselect` offers
 *
 * @typedef {object} WorldOptions
 * @property {string} [name] shown in lists and in the journal of a failed test
 * @property {number} [seed] the same seed gives the same ids and times
 * @property {import('./world.js').ClockMode} [clock] `skip` if absent
 * @property {string | null} [webhook] where callbacks are sent; without it a receiver in memory answers 200
 * @property {string} [redirectUri] where browsers go after a consent to the OAuth client
 * @property {import('./values.js').Duration} [ttl] real time until the world ends by itself
 * @property {string} [subdomain] of the account, for a program that carries it
 * @property {string} [channelId] of the channel
 * @property {number} [phoneFieldId] of the custom field with the phone number of a contact
 * @property {number} [emailFieldId] of the custom field with the e-mail address of a contact
 * @property {{ id: number, name: string, unsortedId: number, stages: { id: number, name: string }[] }[]} [pipelines] the default
 *   one first
 * @property {{ name: string, id: number }[]} [users] who are there from the beginning, with their numbers
 * @property {OwnField[]} [leadFields] custom fields of leads
 * @property {OwnField[]} [contactFields] custom fields of contacts
 * @property {{ id: number, name: string, kind: 'send_field' | 'ask_program', fieldId?: number, url?: string }[]} [salesbots] with a
 *   field of `leadFields`, or the address of a program
 */

/** Milliseconds within which the news of the end of a process arrives. */
const NEWS_MS = 10_000;

/**
 * The shared processes of this process, by name.
 * @type {Map<string, Promise<Switchboard>>}
 */
const shared = new Map();

/**
 * Why the process has ended, or an empty text: the news can arrive a moment after its connections broke.
 * @param {Lease} lease
 */
async function whyEnded(lease) {
  const known = new AbortController();
  const late = delay(NEWS_MS, '', { signal: known.signal }).catch(() => '');
  const why = await Promise.race([lease.ended, late]);
  known.abort();
  return why;
}

/** One process of Switchboard. It has any number of worlds. */
export class Switchboard {
  #lease;
  #api;

  /** @param {Lease} lease */
  constructor(lease) {
    this.#lease = lease;
    const { pid, version, logFile, dev } = lease.process;
    this.pid = pid;
    this.version = version;
    this.logFile = logFile;
    this.#api = new Api(dev.url, dev.token, () => whyEnded(lease));
  }

  /** Starts a process. It ends by `stop`, and at the latest with the process that has started it. */
  static async start() {
    return new Switchboard(await Lease.take(findProgram()));
  }

  /**
   * The process that all workers of a test runner share. The first worker starts it; it ends with the last worker.
   * @param {string} [name] workers that give different names share no process
   * @returns {Promise<Switchboard>}
   */
  static shared(name = 'default') {
    const found = shared.get(name);
    if (found) return found;
    const forget = () => {
      if (shared.get(name) === taken) shared.delete(name);
    };
    const taken = (async () => {
      const lease = await Lease.take(findProgram(), name);
      void lease.ended.then(forget);
      return new Switchboard(lease);
    })();
    taken.catch(forget);
    shared.set(name, taken);
    return taken;
  }

  /**
   * Opens a world.
   * @param {WorldOptions} [options]
   */
  async world({ ttl, ...options } = {}) {
    const body = ttl === undefined ? options : { ...options, ttl: secondsOf(ttl) };
    return new World(this.#api, await this.#api.json('POST', '/worlds', { body }));
  }

  /**
   * The worlds that have not ended.
   * @returns {Promise<World[]>}
   */
  async worlds() {
    const { worlds } = await this.#api.json('GET', '/worlds');
    return worlds.map((/** @type {import('./world.js').WorldState} */ state) => new World(this.#api, state));
  }

  /** Ends the process; a shared one ends when no other worker uses it. */
  async stop() {
    await this.#lease.end();
  }
}
