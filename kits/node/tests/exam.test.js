import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import fs from 'node:fs';
import path from 'node:path';
import { test } from 'node:test';

import { exam, ExamError, SwitchboardError } from '../src/index.js';
import { executable, isRunning, KIT, setEnvironment, temporary, until } from './support.js';

/** @param {string} file */
const inRepository = (file) => path.resolve(KIT, '../..', file);
const BRIDGE = ['node', inRepository('examples/node/bridge.mjs')];
/** It does a callback again that comes again. */
const PLANTED = `python3 ${inRepository('exam/planted/b09.py')}`;

/** @param {Promise<unknown>} examined */
async function errorOf(examined) {
  const thrown = await examined.then(() => undefined, (error) => error);
  assert.ok(thrown instanceof Error, 'nothing was thrown');
  return thrown;
}

test('a bridge passes, and its report has the rules', async () => {
  const report = await exam(BRIDGE, { only: [1, 9, 25], waive: { 25: 'no buttons: yet' }, strict: true });
  assert.equal(report.headline, '2 hold, 0 break, 0 warn, 0 not tried, 1 waived');
  assert.ok(report.text.startsWith(`${report.headline}\n`), report.text);
  assert.deepEqual(Object.values(report.rules).map((rule) => rule.verdict), ['holds', 'holds', 'waived']);
  assert.equal(report.rules[9]?.title, 'It does a callback once that comes again');
  assert.equal(report.rules[9]?.page, 'docs/exam/09.md');
  assert.equal(report.rules[25]?.why, 'no buttons: yet');
  assert.equal(report.document['exam_version'], 1);
});

test('further flags write other reports', async (t) => {
  const cwd = temporary(t);
  const report = await exam(BRIDGE, { only: [1], flags: ['--html=exam.html', '--seed=7'], cwd });
  assert.equal(report.rules[1]?.verdict, 'holds');
  assert.ok(fs.readFileSync(path.join(cwd, 'exam.html'), 'utf8').includes(report.rules[1].title));
});

test('a bot is examined at its paths', async () => {
  const hooksPath = '/hooks?k=7d1f';
  const bot = `python3 ${inRepository('examples/python/bot.py')}`;
  const report = await exam(bot, { profile: 'bot', only: [45], hooksPath, jobs: 1, env: { HOOKS_PATH: hooksPath } });
  assert.equal(report.rules[45]?.verdict, 'holds');
});

test('a broken rule fails with what to do', async () => {
  const error = await errorOf(exam(PLANTED, { only: [1, 9] }));
  assert.ok(error instanceof ExamError && error instanceof assert.AssertionError, error.stack);
  const rule = error.report.rules[9];
  assert.equal(rule?.verdict, 'breaks');
  assert.match(rule.why, /was done more than once/);
  assert.equal(error.report.rules[1]?.verdict, 'holds');
  for (const words of ['b09.py» does not pass', '1 hold, 1 break', rule.title, rule.why, `Do: ${rule.advice}`, 'See docs/exam/09.md']) {
    assert.ok(error.message.includes(words), error.message);
  }
});

test('a strict exam takes nothing that was not tried', async () => {
  assert.equal((await exam('false', { only: [9] })).rules[9]?.verdict, 'not_tried');
  const error = await errorOf(exam('false', { only: [9], strict: true }));
  assert.ok(error instanceof ExamError && /not tried  9/.test(error.message), error.stack);
});

test('an exam that cannot run is no failed assertion', async () => {
  /** @type {[import('../src/index.js').ExamOptions, RegExp][]} */
  const cases = [
    [{ only: [99] }, /there is no rule 99/],
    [{ only: [] }, /invalid value/],
    [{ waive: { 9: '' } }, /expected a number and a reason/],
    [{ hooksPath: 'hooks' }, /expected a path that begins with a slash/],
  ];
  for (const [options, words] of cases) {
    const error = await errorOf(exam('false', options));
    assert.ok(error instanceof SwitchboardError && words.test(error.message), error.stack);
  }
});

test('a word with a space is refused', async () => {
  await assert.rejects(exam(['node', 'my bridge.mjs']), /TypeError: .*"my bridge\.mjs" is not one word/);
});

test('a report of another version is refused', async (t) => {
  const script = 'for flag; do case $flag in --json=*) echo \'{"exam_version":2}\' >"${flag#--json=}";; esac; done';
  setEnvironment(t, { SWITCHBOARD_BIN: executable(path.join(temporary(t), 'switchboard'), `#!/bin/sh\n${script}\n`) });
  await assert.rejects(exam('false'), /The report has version 2, and this kit reads 1/);
});

test('an exam without an end is ended, by its time or by a signal', async (t) => {
  const folder = temporary(t);
  const pids = path.join(folder, 'pids');
  const script = `#!/bin/sh\nsleep 600 &\necho 'holds      1' >&2\necho $$ $! >${pids}.new\nmv ${pids}.new ${pids}\nwait\n`;
  setEnvironment(t, { SWITCHBOARD_BIN: executable(path.join(folder, 'switchboard'), script) });
  const allEnded = () => fs.readFileSync(pids, 'utf8').trim().split(' ').every((pid) => !isRunning(Number(pid)));

  const late = await errorOf(exam('false', { timeout: { seconds: 2 } }));
  assert.ok(late instanceof SwitchboardError, late.stack);
  assert.match(late.message, /did not end within 2 s\. It said:\nholds {6}1/);
  await until('the exam has ended', allEnded);

  fs.rmSync(pids);
  const cancelled = new AbortController();
  const examined = errorOf(exam('false', { signal: cancelled.signal }));
  await until('the exam runs', () => fs.existsSync(pids));
  cancelled.abort();
  assert.equal((await examined).name, 'AbortError');
  await until('the exam has ended', allEnded);
});

test('an exam ends with a test run that is killed', async (t) => {
  const folder = temporary(t);
  const pids = path.join(folder, 'pids');
  fs.writeFileSync(path.join(folder, 'bridge.sh'), `echo $$ $PPID >${pids}.new; mv ${pids}.new ${pids}; sleep 600\n`);
  const code = `
    import { exam } from '${new URL('../src/index.js', import.meta.url)}';
    await exam('sh ${folder}/bridge.sh', { only: [9] });`;
  const run = spawn(process.execPath, ['--input-type=module', '-e', code], { stdio: 'inherit' });
  await until('the program is examined', () => fs.existsSync(pids));
  const [examined = 0, leader = 0] = fs.readFileSync(pids, 'utf8').trim().split(' ').map(Number);
  // The process behind the name, which may have spaces.
  const facts = fs.readFileSync(`/proc/${leader}/stat`, 'utf8').split(') ').at(-1) ?? '';
  const itself = Number(facts.split(' ')[1]);
  run.kill('SIGKILL');
  await until('all have ended', () => [examined, leader, itself].every((pid) => !isRunning(pid)));
});
