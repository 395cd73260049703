import { spawn } from 'node:child_process';
import { createHash, randomBytes } from 'node:crypto';
import fs from 'node:fs';
import net from 'node:net';
import os from 'node:os';
import path from 'node:path';
import { fileURLToPath } from 'node:url';

import { SwitchboardError } from './errors.js';
import { identityOf } from './program.js';

/** @typedef {import('./running.js').Ready & { logFile: string }} Answering */

/** Milliseconds until a start fails. The supervisor itself gives the program less. */
const START_MS = 45_000;

/** How many supervisors may end between finding one and connecting to it. */
const TURNS_MAX = 10;

/** The longest path that a socket can have on every system. */
const SOCKET_PATH_MAX = 103;

/** A right to use one process of the program. The process ends after the last lease has ended. */
export class Lease {
  #socket;

  /**
   * @param {net.Socket} socket
   * @param {Answering} process
   * @param {Promise<string>} ended
   */
  constructor(socket, process, ended) {
    this.#socket = socket;
    this.process = process;
    /** Why the process cannot be used any more. */
    this.ended = ended;
  }

  /**
   * A lease on the process of this name, which this call starts unless it runs. Programs that the same parent started share
   * a process: these are the workers of one test runner.
   * @param {string} program
   * @param {string} [name] without it the lease is the only one
   */
  static async take(program, name) {
    const shared = createHash('sha256').update(`${name}\n${identityOf(program)}`).digest('hex').slice(0, 12);
    const key = name === undefined ? randomBytes(6).toString('hex') : `${process.ppid}-${shared}`;
    const folder = path.join(ownFolder(), key);
    /** @type {{ release: () => void } | undefined} */
    let started;
    try {
      for (let turn = 0; turn < TURNS_MAX; turn++) {
        const latest = latestOf(folder);
        const lease = latest && (await join(latest.socket));
        if (lease) return lease;
        started?.release();
        started = await startSupervisor(folder, (latest?.number ?? 0) + 1, program);
      }
    } finally {
      started?.release();
    }
    throw new SwitchboardError(`${program} was started ${TURNS_MAX} times, and each process ended at once. See ${folder}`);
  }

  /** Gives the lease back. For the last lease, waits until the process has ended. */
  async end() {
    const socket = this.#socket;
    if (socket.destroyed) return;
    socket.ref();
    const closed = new Promise((resolve) => socket.once('close', resolve));
    socket.end();
    await closed;
  }
}

/** The folder of this user, which no other user can read: tokens and sockets are in it. */
function ownFolder() {
  // Not `os.userInfo`, which fails for a user without a name, as in many containers.
  const uid = process.getuid?.();
  const folder = path.join(os.tmpdir(), `switchboard-testing-${uid}`);
  // Of a socket, below this folder: "/<pid>-<12 digits>/p<8 digits>.sock".
  if (folder.length + 36 > SOCKET_PATH_MAX) {
    throw new SwitchboardError(`The path ${folder} is too long for a socket in it. Set TMPDIR to a shorter one.`);
  }
  fs.mkdirSync(folder, { recursive: true, mode: 0o700 });
  const found = fs.lstatSync(folder);
  if (!found.isDirectory() || found.uid !== uid || (found.mode & 0o077) !== 0) {
    const wanted = `a folder of user ${uid} that only this user can read (mode 0700)`;
    throw new SwitchboardError(`${folder} is not ${wanted}. Remove it, or set TMPDIR to another folder.`);
  }
  return folder;
}

/**
 * The latest generation: a link from its number to the socket of its supervisor.
 * @param {string} folder
 */
function latestOf(folder) {
  try {
    const numbers = fs.readdirSync(folder).filter((entry) => /^\d+$/.test(entry));
    const number = Math.max(0, ...numbers.map(Number));
    return number === 0 ? undefined : { number, socket: path.join(folder, fs.readlinkSync(path.join(folder, `${number}`))) };
  } catch {
    return undefined;
  }
}

/**
 * Connects, and waits until the program is ready.
 * @param {string} socketPath
 * @returns {Promise<Lease | undefined>} nothing if no supervisor listens there any more
 */
function join(socketPath) {
  return new Promise((resolve, reject) => {
    /** @type {(why: string) => void} */
    let end;
    const ended = new Promise((/** @type {(why: string) => void} */ resolve) => (end = resolve));
    const late = AbortSignal.timeout(START_MS);
    const socket = net.connect(socketPath).setEncoding('utf8');
    const expire = () => {
      socket.destroy();
      reject(new SwitchboardError(`The process at ${socketPath} was not ready within ${START_MS / 1000} seconds.`));
    };
    late.addEventListener('abort', expire);
    onLines(socket, (line) => {
      const said = JSON.parse(line);
      late.removeEventListener('abort', expire);
      if (said.ready) {
        // A process that only holds a lease may end.
        socket.unref();
        return resolve(new Lease(socket, said.ready, ended));
      }
      end(said.ended ?? '');
      socket.destroy();
      reject(new SwitchboardError(said.failed ?? said.ended));
    });
    socket.on('error', () => {});
    socket.on('close', () => {
      late.removeEventListener('abort', expire);
      end('The process of Switchboard has ended.');
      resolve(undefined);
    });
  });
}

/**
 * @param {net.Socket} socket
 * @param {(line: string) => void} hear
 */
function onLines(socket, hear) {
  let text = '';
  socket.on('data', (chunk) => {
    const lines = (text + chunk).split('\n');
    text = lines.pop() ?? '';
    lines.forEach(hear);
  });
}

/**
 * Starts a supervisor, and waits until it listens or another one does.
 * @param {string} folder
 * @param {number} number
 * @param {string} program
 */
async function startSupervisor(folder, number, program) {
  fs.mkdirSync(folder, { recursive: true, mode: 0o700 });
  // What the test runner sets for its own processes is not for this one.
  const { NODE_OPTIONS, NODE_V8_COVERAGE, NODE_TEST_CONTEXT, ...env } = process.env;
  const script = fileURLToPath(new URL('./supervisor.js', import.meta.url));
  const args = [script, folder, String(number), program];
  // Detached, so that Ctrl-C reaches the test runner only: the supervisor then ends with the leases.
  const child = spawn(process.execPath, args, { detached: true, env, stdio: ['pipe', 'pipe', 'pipe'] });
  const { stdin, stdout, stderr } = child;
  stdin.on('error', () => {});
  let complaint = '';
  stderr.setEncoding('utf8').on('data', (chunk) => (complaint += chunk));
  const won = await new Promise((resolve, reject) => {
    stdout.once('data', resolve);
    child.on('error', reject);
    child.on('close', (code) => reject(new SwitchboardError(`The supervisor ended with code ${code}. ${complaint}`.trimEnd())));
  });
  stdout.destroy();
  stderr.destroy();
  child.unref();
  const release = () => void stdin.destroy();
  if (!String(won).startsWith('won')) release();
  return { release };
}
