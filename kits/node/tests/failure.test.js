import assert from 'node:assert/strict';
import { test } from 'node:test';
import vm from 'node:vm';

import { runIn, withText } from '../src/failure.js';

/**
 * What `runIn` uses of a world.
 * @param {() => Promise<string>} journalText
 */
function worldWith(journalText) {
  const ends = { count: 0 };
  const end = async () => void ends.count++;
  return { ends, world: /** @type {any} */ ({ id: 'w1', name: 'shop', seed: 7, journalText, end }) };
}

const LONG = Array.from({ length: 250 }, (_, at) => `entry ${at}`).join('\n');

test('a test that succeeds gives its result, and the world ends', async () => {
  const { world, ends } = worldWith(async () => assert.fail('the journal is not needed'));
  assert.equal(await runIn(world, async (given) => given === world && 'done'), 'done');
  assert.equal(ends.count, 1);
});

test('the error of a failed test contains the journal', async () => {
  const { world, ends } = worldWith(async () => '1 bo says\n2 ada replies\n');
  const thrown = new assert.AssertionError({ message: 'one is not $& two', operator: 'x' });
  const failed = runIn(world, () => {
    throw thrown;
  });
  await assert.rejects(failed, (/** @type {Error} */ error) => {
    assert.equal(error, thrown);
    const text = 'one is not $& two\n\nJournal of world "shop" (w1, seed 7):\n  1 bo says\n  2 ada replies\n';
    assert.equal(error.message, text);
    assert.ok(error.stack?.startsWith(`AssertionError [ERR_ASSERTION]: ${text}\n    at `), error.stack);
    return true;
  });
  assert.equal(ends.count, 1);
});

test('a long journal is cut at its beginning', async () => {
  const { world } = worldWith(async () => LONG);
  const failed = runIn(world, () => Promise.reject(new Error('late')));
  await assert.rejects(failed, (/** @type {Error} */ error) => {
    assert.match(error.message, /\(w1, seed 7\):\n {2}\(50 earlier lines\)\n {2}entry 50\n/);
    assert.ok(error.message.endsWith('\n  entry 249\n'));
    return true;
  });
});

test('an empty journal and a world without a name say so', async () => {
  const { world } = worldWith(async () => '\n');
  await assert.rejects(runIn(world, () => Promise.reject(new Error('early'))), /\(w1, seed 7\): it is empty\n$/);
  world.name = null;
  await assert.rejects(runIn(world, () => Promise.reject(new Error('early'))), /Journal of world w1 \(seed 7\): it is empty\n$/);
});

test('the failure of the test stays the error when the process has ended', async () => {
  const { world } = worldWith(() => Promise.reject(new Error('it broke')));
  world.end = () => Promise.reject(new Error('it broke, too'));
  const failed = runIn(world, () => Promise.reject(new Error('wrong text')));
  await assert.rejects(failed, /^Error: wrong text\n\nJournal of world "shop" \(w1, seed 7\) cannot be read: it broke\n$/);
});

test('a world that cannot end fails the test', async () => {
  const { world } = worldWith(async () => '');
  world.end = () => Promise.reject(new Error('it broke'));
  await assert.rejects(runIn(world, async () => {}), /it broke/);
});

test('errors of other realms and without a message keep their stack', () => {
  const foreign = vm.runInNewContext("new TypeError('far')");
  const longer = /** @type {Error} */ (withText(foreign, 'journal'));
  assert.equal(longer, foreign);
  assert.match(longer.stack ?? '', /^TypeError: far\n\njournal\n\n {4}at /);

  const silent = /** @type {Error} */ (withText(new Error(), 'journal'));
  assert.match(silent.stack ?? '', /^Error\n\njournal\n\n {4}at /);
});

test('what is no error becomes one', () => {
  const error = /** @type {Error} */ (withText({ odd: 1 }, 'journal'));
  assert.equal(error.message, 'The test threw { odd: 1 }\n\njournal');
  assert.deepEqual(error.cause, { odd: 1 });
});
