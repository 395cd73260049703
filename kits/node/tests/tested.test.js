import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import fs from 'node:fs';
import { after, test } from 'node:test';
import { setTimeout as delay } from 'node:timers/promises';

import { ApiError, Switchboard, SwitchboardError } from '../src/index.js';
import { PATIENCE_MS } from './patience.js';

const switchboard = await Switchboard.start();
after(() => switchboard.stop());

/** A program that answers 200 to everything, says what it got, and has started another one. */
const PROGRAM = `
  const child = require('node:child_process').spawn(process.execPath, ['-e', 'setTimeout(() => {}, 600000)']);
  console.log(child.pid, process.env.SWITCHBOARD_SCOPE_ID, process.env.OWN);
  require('node:http').createServer((request, answer) => {
    console.log(request.method, request.url);
    request.resume();
    answer.end();
  }).listen(Number(process.env.PORT), '127.0.0.1');`;

/** @param {number} pid */
function runs(pid) {
  try {
    return !/\) [ZX] /.test(fs.readFileSync(`/proc/${pid}/stat`, 'utf8'));
  } catch {
    return false;
  }
}

/**
 * Waits until these have ended: the system takes a moment for what is killed.
 * @param {number[]} pids
 */
async function gone(...pids) {
  for (const latest = Date.now() + PATIENCE_MS; pids.some(runs); await delay(10)) {
    assert.ok(Date.now() < latest, 'the program outlives its test run');
  }
}

test('callbacks reach the program, and it ends with its world', async () => {
  const world = await switchboard.world();
  const program = await world.program([process.execPath, '-e', PROGRAM], { path: '/hook', env: { OWN: 'yes' } });
  await world.customer('bo').says('Is it in stock?');
  await world.user('ada').replies('Yes.', { to: 'bo' });
  await world.wait('callback.delivered');
  const [child = '', scope, own] = (program.output().split('\n')[0] ?? '').split(' ');
  assert.deepEqual([scope, own], [world.scopeId, 'yes']);
  assert.match(program.output(), /POST \/hook/);
  assert.ok(program.pid !== undefined && runs(program.pid) && runs(Number(child)));
  await world.end();
  assert.ok(!runs(program.pid));
  await gone(Number(child));
  assert.match(program.output(), /POST \/hook/);
  await program.stop();
});

test('a program ends with a test run that is killed', async () => {
  const kit = new URL('../src/index.js', import.meta.url);
  const run = `
    import { Switchboard } from '${kit}';
    const world = await (await Switchboard.start()).world();
    const program = await world.program([process.execPath, '-e', process.argv[1]], { env: { OWN: '' } });
    console.log(program.pid, program.output().split(' ')[0]);
    process.kill(process.pid, 'SIGKILL');`;
  const { stdout } = spawnSync(process.execPath, ['--input-type=module', '-e', run, PROGRAM], { encoding: 'utf8', timeout: PATIENCE_MS });
  const pids = stdout.trim().split(' ').map(Number);
  assert.equal(pids.length, 2);
  await gone(...pids);
});

test('why a program did not start is in the error', async () => {
  const world = await switchboard.world();
  /** @type {[string[], RegExp][]} */
  const cases = [
    [[process.execPath, '-e', "console.log('no database'); process.exit(3)"], /the code 3[^]*no database/],
    [['/no/such/program'], /the code 127[^]*not found/],
  ];
  for (const [command, words] of cases) {
    await assert.rejects(world.program(command), (error) => error instanceof SwitchboardError && words.test(error.message));
  }
  const deaf = world.program([process.execPath, '-e', 'setTimeout(() => {}, 600000)'], { timeout: { seconds: 0.3 } });
  await assert.rejects(deaf, /accepted no connection within 0\.3 s/);
  await world.end();
});

test('a failed test shows the output of the program', async () => {
  const world = await switchboard.world();
  const failed = world.run(async () => {
    await world.program([process.execPath, '-e', PROGRAM], { env: { OWN: 'loud' } });
    assert.equal(1, 2);
  });
  await assert.rejects(failed, (error) => error instanceof Error && / loud\n/.test(error.message));
});

test('a mistyped state is told in words', async () => {
  const world = await switchboard.world();
  const wait = world.wait(/** @type {any} */ ('callback.deliverd'));
  await assert.rejects(wait, (error) => error instanceof ApiError && /no state «callback\.deliverd»/.test(error.message));
  await world.end();
});

test('a world has ids of its own', async () => {
  const stages = [{ id: 60, name: 'First call' }];
  const world = await switchboard.world({
    subdomain: `node-${process.pid}`,
    channelId: 'built-in',
    phoneFieldId: 264_911,
    emailFieldId: 264_913,
    pipelines: [{ id: 3_177_727, name: 'Sales', unsortedId: 50, stages }],
    users: [{ name: 'ada', id: 8_238_142 }],
    leadFields: [{ id: 1_038_499, name: 'Answer', type: 'textarea', code: 'ANSWER' }],
    contactFields: [{ id: 1_038_500, name: 'City', type: 'text' }],
    salesbots: [{ id: 70_001, name: 'Answer', kind: 'send_field', fieldId: 1_038_499 }],
  });
  assert.deepEqual([world.account.subdomain, world.channel.id], [`node-${process.pid}`, 'built-in']);
  await world.customer('bo').says('Hi');
  await world.wait('lead.stage', { stage: 50 });
  await world.end();
});
