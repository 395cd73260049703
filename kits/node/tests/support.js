import { execFile } from 'node:child_process';
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';

import { PATIENCE_MS } from './patience.js';

/** The folder of the kit. */
export const KIT = fileURLToPath(new URL('..', import.meta.url));

/**
 * An empty folder that is removed after the test.
 * @param {import('node:test').TestContext} t
 */
export function temporary(t) {
  const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'kit-'));
  t.after(() => fs.rmSync(folder, { recursive: true, force: true }));
  return folder;
}

/**
 * An executable file.
 * @param {string} file
 * @param {string} text
 */
export function executable(file, text) {
  fs.mkdirSync(path.dirname(file), { recursive: true });
  fs.writeFileSync(file, text, { mode: 0o755 });
  return file;
}

/**
 * Sets variables of the environment until the test ends.
 * @param {import('node:test').TestContext} t
 * @param {Record<string, string>} variables
 */
export function setEnvironment(t, variables) {
  for (const [name, value] of Object.entries(variables)) {
    const before = process.env[name];
    process.env[name] = value;
    t.after(() => {
      if (before === undefined) delete process.env[name];
      else process.env[name] = before;
    });
  }
}

/**
 * What a command printed, and its code. It runs without what this test runner sets for its own processes.
 * @param {string} command
 * @param {string[]} args
 * @param {{ cwd?: string, env?: Record<string, string> }} [options]
 * @returns {Promise<{ code: number, output: string }>}
 */
export async function run(command, args, { cwd = KIT, env = {} } = {}) {
  const { NODE_TEST_CONTEXT, NODE_OPTIONS, ...own } = process.env;
  const options = { cwd, env: { ...own, NO_COLOR: '1', ...env }, maxBuffer: 10_000_000 };
  try {
    const { stdout, stderr } = await promisify(execFile)(command, args, options);
    return { code: 0, output: stdout + stderr };
  } catch (thrown) {
    const { code = -1, stdout = '', stderr = '' } = /** @type {any} */ (thrown);
    return { code, output: stdout + stderr };
  }
}

/**
 * Waits until a state is reached.
 * @param {string} what the state
 * @param {() => boolean} isReached
 */
export async function until(what, isReached) {
  const latest = Date.now() + PATIENCE_MS;
  while (!isReached()) {
    if (Date.now() > latest) throw new Error(`not within ${PATIENCE_MS / 1_000} seconds: ${what}`);
    await delay(5);
  }
}

/**
 * Whether a process exists.
 * @param {number} pid
 */
export function isRunning(pid) {
  try {
    // A process that has ended keeps its number until its parent has read its status.
    return !fs.readFileSync(`/proc/${pid}/stat`, 'utf8').includes(') Z ');
  } catch {
    return false;
  }
}
