import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import fs from 'node:fs';
import path from 'node:path';
import { createInterface } from 'node:readline';
import { test } from 'node:test';
import { fileURLToPath } from 'node:url';

import { Switchboard } from '../src/index.js';
import { executable, isRunning, setEnvironment, temporary, until } from './support.js';

const WORKER = fileURLToPath(new URL('samples/worker.js', import.meta.url));

/**
 * A folder for all temporary files of a test, so that the test sees what is left.
 * @param {import('node:test').TestContext} t
 */
function ownTemporary(t) {
  const folder = temporary(t);
  setEnvironment(t, { TMPDIR: folder });
  return path.join(folder, `switchboard-testing-${process.getuid?.()}`);
}

/**
 * @param {import('node:test').TestContext} t
 * @param {string[]} args
 */
function worker(t, ...args) {
  const child = spawn(process.execPath, [WORKER, ...args], { stdio: ['pipe', 'pipe', 'inherit'] });
  t.after(() => void child.kill('SIGKILL'));
  const lines = createInterface({ input: child.stdout })[Symbol.asyncIterator]();
  const line = async () => String((await lines.next()).value);
  const exit = once(child, 'exit');
  return { line, end: () => (child.stdin.end(), exit), kill: () => (child.kill('SIGKILL'), exit) };
}

/** @param {number} pid */
const parentOf = (pid) => Number(fs.readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ')[1]?.split(' ')[1]);

test('a process of its own starts and stops', async (t) => {
  const folder = ownTemporary(t);
  const switchboard = await Switchboard.start();
  assert.ok(isRunning(switchboard.pid));
  assert.match(switchboard.version, /^\d+\.\d+\.\d+/);
  assert.ok(fs.existsSync(switchboard.logFile));
  assert.equal(fs.statSync(folder).mode & 0o777, 0o700);
  await switchboard.stop();
  assert.equal(isRunning(switchboard.pid), false);
  assert.deepEqual(fs.readdirSync(folder), []);
  await assert.rejects(switchboard.worlds(), /the connection broke .*\. The process of Switchboard has ended\./);
  await switchboard.stop();
});

test('a process of its own ends with the process that has started it', async (t) => {
  const folder = ownTemporary(t);
  const { line, kill } = worker(t);
  const pid = Number(await line());
  assert.ok(isRunning(pid));
  await kill();
  await until('the process has ended', () => !isRunning(pid) && fs.readdirSync(folder).length === 0);
});

test('workers that start at once share a process until the last one ends', async (t) => {
  const folder = ownTemporary(t);
  const workers = Array.from({ length: 4 }, () => worker(t, 'one'));
  const pids = new Set(await Promise.all(workers.map(({ line }) => line())));
  assert.equal(pids.size, 1, [...pids].join(' '));
  const pid = Number([...pids][0]);
  const [killed, ...others] = workers;
  await killed?.kill();
  const last = others.pop();
  for (const { line, end } of others) {
    await end();
    assert.equal(await line(), '0');
  }
  assert.ok(isRunning(pid));
  const late = worker(t, 'one');
  assert.equal(Number(await late.line()), pid);
  await last?.kill();
  assert.ok(isRunning(pid));
  await late.kill();
  await until('the process has ended', () => !isRunning(pid) && fs.readdirSync(folder).length === 0);
});

test('another name and another program are another process', async (t) => {
  ownTemporary(t);
  const [one, two] = await Promise.all(['one', 'two'].map((name) => Switchboard.shared(name)));
  assert.notEqual(one?.pid, two?.pid);
  assert.equal(await Switchboard.shared('one'), one);
  const program = executable(path.join(temporary(t), 'other'), `#!/bin/sh\nexec "${process.env['SWITCHBOARD_BIN']}" "$@"\n`);
  setEnvironment(t, { SWITCHBOARD_BIN: program });
  const other = worker(t, 'one');
  assert.notEqual(Number(await other.line()), one?.pid);
  await Promise.all([one?.stop(), two?.stop(), other.end()]);
});

test('after the supervisor was killed, the next worker starts another process', async (t) => {
  const folder = ownTemporary(t);
  const first = worker(t, 'one');
  const pid = Number(await first.line());
  process.kill(parentOf(pid), 'SIGKILL');
  await until('the process has ended', () => !isRunning(pid));
  const second = worker(t, 'one');
  const next = Number(await second.line());
  assert.ok(isRunning(next));
  await first.end();
  assert.match(await first.line(), /the connection broke .*\. The process of Switchboard has ended\.$/);
  await second.end();
  const left = () => fs.readdirSync(folder).flatMap((key) => fs.readdirSync(path.join(folder, key)));
  // The first supervisor could not remove its socket and its folder.
  await until('the second process has ended', () => !isRunning(next) && left().length === 2);
});

test('a process that breaks is named in the error, and the next call starts another', async (t) => {
  ownTemporary(t);
  const broken = await Switchboard.shared('broken');
  process.kill(broken.pid, 'SIGKILL');
  await assert.rejects(broken.world(), (/** @type {Error} */ error) => {
    assert.match(error.message, /^POST \/dev\/v1\/worlds: the connection broke .*The process of Switchboard has ended: SIGKILL ended it\./);
    const [, log = ''] = /The whole log is (.*)\.$/.exec(error.message) ?? [];
    assert.equal(log, broken.logFile);
    assert.ok(fs.existsSync(log));
    return true;
  });
  const next = await Switchboard.shared('broken');
  assert.notEqual(next.pid, broken.pid);
  assert.deepEqual(await next.worlds(), []);
  await next.stop();
});

test('a program that does not start is explained to every worker', async (t) => {
  ownTemporary(t);
  const program = executable(path.join(temporary(t), 'switchboard'), '#!/bin/sh\necho "no such option: $2" >&2\nexit 3\n');
  setEnvironment(t, { SWITCHBOARD_BIN: program });
  const expected = `SwitchboardError: ${program} did not start: it ended with code 3. Its log ends with:`;
  const workers = Array.from({ length: 3 }, () => worker(t, 'one'));
  for (const { line } of workers) {
    assert.equal(await line(), expected);
    assert.equal(await line(), 'no such option: --ephemeral');
    assert.match(await line(), /^The whole log is .*\/log\.$/);
  }
  await assert.rejects(Switchboard.start(), (/** @type {Error} */ error) => error.message.includes('no such option: --ephemeral'));
});

test('a program that the system cannot execute is explained', async (t) => {
  ownTemporary(t);
  const program = executable(path.join(temporary(t), 'switchboard'), '#!/no/such/interpreter\n');
  setEnvironment(t, { SWITCHBOARD_BIN: program });
  await assert.rejects(Switchboard.start(), /did not start: the system cannot execute it \(.*ENOENT\); the file exists, so it was built for/);
});

test('a folder that others can read is refused', async (t) => {
  const folder = ownTemporary(t);
  fs.mkdirSync(folder, { mode: 0o755 });
  await assert.rejects(Switchboard.start(), /switchboard-testing-\d+ is not a folder of user \d+ that only this user can read/);
  fs.rmdirSync(folder);
  fs.symlinkSync('/tmp', folder);
  await assert.rejects(Switchboard.start(), /Remove it, or set TMPDIR to another folder\.$/);
});

test('a path that is too long for a socket is refused', async (t) => {
  setEnvironment(t, { TMPDIR: path.join(temporary(t), 'x'.repeat(60)) });
  await assert.rejects(Switchboard.start(), /is too long for a socket in it\. Set TMPDIR to a shorter one\.$/);
});
