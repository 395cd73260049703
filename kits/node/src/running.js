import { spawn } from 'node:child_process';
import fs from 'node:fs';
import path from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';

/**
 * What the program says when it answers.
 * @typedef {{ pid: number, version: string, url: string, dev: { url: string, token: string } }} Ready
 */

/** Milliseconds within which the program must answer. */
const START_MS = 30_000;

/** Milliseconds within which the program must end after its standard input closed. */
const STOP_MS = 10_000;

/** Milliseconds between two looks for the ready file. The program creates it once. */
const LOOK_MS = 10;

/** One process of the program in a folder of its own. */
export class Running {
  #child;
  #readyFile;
  #program;
  /** @type {string | undefined} */
  #end;

  /**
   * @param {string} program
   * @param {string} folder an empty folder: its working directory, with its log
   */
  constructor(program, folder) {
    this.#program = program;
    this.logFile = path.join(folder, 'log');
    this.#readyFile = path.join(folder, 'ready.json');
    const log = fs.openSync(this.logFile, 'a');
    const options = ['dev', '--ephemeral', '--listen', '127.0.0.1:0', '--ready-file', this.#readyFile, '--stop-with-stdin'];
    this.#child = spawn(program, options, { cwd: folder, stdio: ['pipe', log, log] });
    fs.closeSync(log);
    // When the process has ended, closing its standard input fails; its end is known by `ended`.
    this.#child.stdin?.on('error', () => {});
    /** How the process ended. */
    this.ended = new Promise((/** @type {(how: string) => void} */ resolve) => {
      this.#child.on('error', (error) => resolve(this.#cannotRun(error)));
      this.#child.on('exit', (code, signal) => resolve(signal ? `${signal} ended it` : `it ended with code ${code}`));
    }).then((how) => (this.#end = how));
  }

  /** @returns {Promise<Ready>} */
  async ready() {
    const latest = Date.now() + START_MS;
    while (this.#end === undefined && Date.now() < latest) {
      if (fs.existsSync(this.#readyFile)) return JSON.parse(fs.readFileSync(this.#readyFile, 'utf8'));
      await Promise.race([this.ended, delay(LOOK_MS)]);
    }
    const how = this.#end ?? `no answer within ${START_MS / 1000} seconds`;
    throw new Error(`${this.#program} did not start: ${how}.${this.endOfLog()}`);
  }

  /** Ends the process, and waits for its end. */
  async stop() {
    this.#child.stdin?.end();
    const late = new AbortController();
    const isEnded = await Promise.race([this.ended, delay(STOP_MS, undefined, { signal: late.signal })]);
    late.abort();
    if (isEnded === undefined) this.#child.kill('SIGKILL');
    await this.ended;
  }

  endOfLog() {
    const lines = fs.readFileSync(this.logFile, 'utf8').trimEnd().split('\n').slice(-20);
    const text = lines.join('\n').slice(-4_000);
    return text === '' ? ' Its log is empty.' : ` Its log ends with:\n${text}`;
  }

  /** @param {Error & { code?: string }} error */
  #cannotRun(error) {
    const isForeign = error.code === 'ENOENT' && fs.existsSync(this.#program);
    const hint = isForeign ? '; the file exists, so it was built for another system or another C library' : '';
    return `the system cannot execute it (${error.message})${hint}`;
  }
}
