// Holds one process of the program for all that have a lease on it, and ends with the last lease. A lease is a connection
// to a socket in a folder that only this user can read. The kernel closes the connection of a process that was killed, so
// no lease outlives its process; and it closes the program's standard input when this process was killed.
//
// Arguments: the folder, the number of this generation, the program. Standard input is the first lease: that of the process
// that starts this one, until it has a connection. Prints "won" or "lost": whether this is the supervisor of the generation.

import { randomBytes } from 'node:crypto';
import fs from 'node:fs';
import net from 'node:net';
import path from 'node:path';

import { Running } from './running.js';

const [folder = '', number = '', program = ''] = process.argv.slice(2);
// Names of generations are numbers; this is none.
const name = `p${randomBytes(4).toString('hex')}`;
const socketPath = path.join(folder, `${name}.sock`);
const home = path.join(folder, name);

/** @type {Set<unknown>} */
const leases = new Set([process.stdin]);
/** @type {Running | undefined} */
let running;
/** Whether no more leases are given. */
let isOver = false;
/** Whether the program ended by itself. */
let isLogKept = false;

/** @type {(line: string) => void} */
let decide;
/** The first line for each lease: that the program is ready, or why it did not start. */
const verdict = new Promise((/** @type {(line: string) => void} */ resolve) => (decide = resolve));

const server = net.createServer({ allowHalfOpen: true }, async (socket) => {
  if (isOver) return void socket.destroy();
  leases.add(socket);
  socket.on('error', () => release(socket));
  socket.on('close', () => release(socket));
  // A lease that is given back is answered with the end of the connection: at once, or when the program has ended.
  socket.on('end', () => {
    release(socket);
    if (leases.size > 0) socket.end();
  });
  socket.resume();
  const line = await verdict;
  if (leases.has(socket)) socket.write(line);
});

/** @param {unknown} lease */
function release(lease) {
  if (leases.delete(lease) && leases.size === 0) void end();
}

async function end() {
  isOver = true;
  // It also removes the socket.
  server.close();
  await running?.stop();
  cleanUp();
  process.exit();
}

function cleanUp() {
  if (!isLogKept) fs.rmSync(home, { recursive: true, force: true });
  try {
    // Links of earlier generations are left by supervisors that were killed.
    const links = fs.readdirSync(folder).filter((entry) => /^\d+$/.test(entry) && Number(entry) <= Number(number));
    for (const link of links) fs.rmSync(path.join(folder, link), { force: true });
    fs.rmdirSync(folder);
  } catch {
    // The next generation already uses the folder or has removed it, or a log is kept.
  }
}

async function runProgram() {
  fs.mkdirSync(home, { mode: 0o700 });
  running = new Running(program, home);
  const log = `The whole log is ${running.logFile}.`;
  try {
    const ready = await running.ready();
    decide(lineOf({ ready: { ...ready, logFile: running.logFile } }));
  } catch (error) {
    isLogKept = true;
    return decide(lineOf({ failed: `${error instanceof Error ? error.message : error}\n${log}` }));
  }
  const how = await running.ended;
  if (isOver) return;
  isOver = true;
  isLogKept = true;
  const line = lineOf({ ended: `The process of Switchboard has ended: ${how}.${running.endOfLog()}\n${log}` });
  for (const lease of leases) if (lease instanceof net.Socket && lease !== process.stdin) lease.write(line);
}

/** @param {object} said */
function lineOf(said) {
  return `${JSON.stringify(said)}\n`;
}

/** Only one supervisor creates the link of a generation, and its socket listens before that. */
function publish() {
  try {
    fs.symlinkSync(`${name}.sock`, path.join(folder, number));
    return true;
  } catch {
    return false;
  }
}

function lose() {
  server.close();
  process.stdout.write('lost\n', () => process.exit());
}

process.on('SIGTERM', () => void end());
for (const event of ['error', 'end', 'close']) process.stdin.on(event, () => release(process.stdin));
process.stdin.resume();
server.on('error', (/** @type {NodeJS.ErrnoException} */ error) => {
  // An earlier generation has removed the folder.
  if (error.code === 'ENOENT') return lose();
  process.stderr.write(`${socketPath}: ${error.message}\n`, () => process.exit(1));
});
server.listen(socketPath, () => {
  if (!publish()) return lose();
  process.stdout.write('won\n');
  void runProgram();
});
