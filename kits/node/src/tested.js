import fs from 'node:fs';
import net from 'node:net';
import os from 'node:os';
import path from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';

import { SwitchboardError } from './errors.js';
import { signalGroup, startGroup } from './group.js';
import { secondsOf } from './values.js';

/**
 * @typedef {object} ProgramOptions
 * @property {string} [path] of its address for callbacks, `/` if absent
 * @property {Record<string, string>} [env] more variables
 * @property {string} [cwd] its working directory
 * @property {import('./values.js').Duration} [timeout] until it accepts connections, 30 seconds if absent
 */

/** Milliseconds within which a program must accept connections. */
const START_MS = 30_000;

/** Milliseconds within which a program must end after SIGTERM. */
const STOP_MS = 5_000;

/** Milliseconds between two looks at a port: nothing reports that a program listens. */
const LOOK_MS = 10;

/** The greatest number of bytes of an output that is shown. */
const OUTPUT_BYTES = 20_000;

/** A tested program that accepts connections. Callbacks of its world go to `url`. */
export class Program {
  #child;
  #shown;
  /** @type {number | undefined} */
  #file;
  #last = '';
  /** @type {string | undefined} */
  #end;
  #ended;

  /**
   * Starts a program and waits until it accepts connections.
   * @param {import('./world.js').World} world
   * @param {string[]} command the program and its arguments
   * @param {ProgramOptions} options
   */
  static async start(world, command, { path: place = '/', env, cwd, timeout } = {}) {
    const port = await freePort();
    const program = new Program(command, { ...process.env, ...variables(world, port), ...env }, cwd, port, place);
    try {
      await program.#answers(timeout === undefined ? START_MS : secondsOf(timeout) * 1_000);
    } catch (error) {
      await program.stop();
      throw error;
    }
    return program;
  }

  /**
   * @param {string[]} command
   * @param {NodeJS.ProcessEnv} env
   * @param {string | undefined} cwd
   * @param {number} port
   * @param {string} place
   * @private
   */
  constructor(command, env, cwd, port, place) {
    this.port = port;
    this.url = `http://127.0.0.1:${port}${place}`;
    this.#shown = command.join(' ');
    const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'switchboard-program-'));
    this.#file = fs.openSync(path.join(folder, 'output'), 'a+', 0o600);
    fs.rmSync(folder, { recursive: true });
    this.#child = startGroup(command, { env, cwd, output: this.#file, errors: this.#file });
    this.pid = this.#child.pid;
    this.#ended = new Promise((/** @type {(how: string) => void} */ resolve) => {
      this.#child.on('error', (error) => resolve(`could not be executed: ${error.message}`));
      this.#child.on('exit', (code, by) => resolve(by ? `was ended by ${by}` : `ended with the code ${code}`));
    }).then((how) => (this.#end = how));
  }

  /** The end of what the program has written to its standard output and error. */
  output() {
    if (this.#file === undefined) return this.#last;
    const { size } = fs.fstatSync(this.#file);
    const content = Buffer.alloc(Math.min(size, OUTPUT_BYTES));
    fs.readSync(this.#file, content, 0, content.length, size - content.length);
    return content.toString('utf8');
  }

  /** Ends the program and all that it has started: with SIGTERM, and after 5 seconds with SIGKILL. */
  async stop() {
    if (this.#file === undefined) return;
    if (this.pid !== undefined) {
      if (this.#end === undefined) signalGroup(this.pid, 'SIGTERM');
      const late = new AbortController();
      const over = delay(STOP_MS, undefined, { signal: late.signal }).catch(() => undefined);
      await Promise.race([this.#ended, over]);
      late.abort();
      signalGroup(this.pid, 'SIGKILL');
      await this.#ended;
      this.#child.stdin?.destroy();
    }
    if (this.#file === undefined) return;
    this.#last = this.output();
    fs.closeSync(this.#file);
    this.#file = undefined;
  }

  /** What a failed test shows of the program. */
  shown() {
    const output = this.output().trimEnd();
    const said = output === '' ? 'It has written nothing.' : `Its output:\n${output}`;
    return `The program «${this.#shown}» at ${this.url}. ${said}`;
  }

  /** @param {number} ms */
  async #answers(ms) {
    const latest = Date.now() + ms;
    while (!(await accepts(this.port))) {
      const late = Date.now() > latest ? `accepted no connection within ${ms / 1_000} s` : undefined;
      const why = this.#end ?? late;
      if (why !== undefined) {
        throw new SwitchboardError(`Port ${this.port} (PORT): the program ${why}. ${this.shown()}`);
      }
      await Promise.race([this.#ended, delay(LOOK_MS)]);
    }
  }
}

/**
 * What the program needs to know: the variables of scenario files.
 * @param {import('./world.js').World} world
 * @param {number} port
 * @returns {Record<string, string>}
 */
function variables({ baseUrl, account, channel, scopeId, users, oauthClient }, port) {
  return {
    PORT: String(port),
    SWITCHBOARD_URL: baseUrl,
    SWITCHBOARD_ACCOUNT_ID: account.id,
    SWITCHBOARD_CHANNEL_ID: channel.id,
    SWITCHBOARD_SCOPE_ID: scopeId,
    SWITCHBOARD_CHANNEL_SECRET: channel.secret,
    SWITCHBOARD_USER_TOKEN: users[0]?.token ?? '',
    SWITCHBOARD_CLIENT_ID: oauthClient.id,
    SWITCHBOARD_CLIENT_SECRET: oauthClient.secret,
    SWITCHBOARD_REDIRECT_URI: oauthClient.redirectUri,
    SWITCHBOARD_CODE: oauthClient.code,
  };
}

/** @returns {Promise<number>} */
function freePort() {
  return new Promise((resolve, reject) => {
    const server = net.createServer().on('error', reject);
    server.listen(0, '127.0.0.1', () => {
      const address = server.address();
      server.close(() => resolve(typeof address === 'object' && address !== null ? address.port : 0));
    });
  });
}

/**
 * @param {number} port
 * @returns {Promise<boolean>}
 */
function accepts(port) {
  return new Promise((resolve) => {
    const socket = net.connect(port, '127.0.0.1');
    socket.on('connect', () => resolve(true)).on('error', () => resolve(false));
    socket.on('connect', () => socket.destroy());
  });
}
