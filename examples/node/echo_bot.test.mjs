import assert from 'node:assert/strict';
import { test } from 'node:test';
import { fileURLToPath } from 'node:url';

import { sign, withWorld } from '../../kits/node/src/index.js';

const BOT = fileURLToPath(new URL('echo_bot.mjs', import.meta.url));

/** A test with a world whose callbacks go to the bot. */
const botTest = (name, body) => test(name, withWorld(async (world) => {
  await world.program([process.execPath, BOT], { path: '/callbacks' });
  await world.customer('bo').says('Have you any tulips?');
  await body(world);
}));

async function assertOneEcho(world) {
  await world.wait('quiet');
  assert.deepEqual((await world.messages('bo')).map(({ direction, text }) => [direction, text]), [
    ['in', 'Have you any tulips?'],
    ['out', 'Red ones.'],
    ['in', 'echo: Red ones.'],
  ]);
}

/** How often the bot has posted its echo. */
const posts = async (world) => (await world.journal()).filter(({ request }) => request?.includes('echo: Red ones.')).length;

botTest('a reply is echoed', async (world) => {
  await world.user('ada').replies('Red ones.', { to: 'bo' });
  await world.wait('callback.delivered');
  await assertOneEcho(world);
  assert.equal(await posts(world), 1);
});

botTest('a callback that arrives twice is echoed once', async (world) => {
  await world.fault('callbacks', 'duplicate');
  await world.user('ada').replies('Red ones.', { to: 'bo' });
  await world.wait('callback.delivered');
  await assertOneEcho(world);
  assert.equal(await posts(world), 2);
});

botTest('an echo whose answer was lost is posted again and stored once', async (world) => {
  await world.fault('answers', 'lost_after_commit', { match: `POST /v2/origin/custom/${world.scopeId}` });
  await world.user('ada').replies('Red ones.', { to: 'bo' });
  const { entries } = await world.wait('callback.delivered');
  assert.deepEqual(entries.map(({ attempt }) => attempt), [1]);
  await assertOneEcho(world);
  assert.equal(await posts(world), 2);
});

botTest('an echo that the service refused is posted when the callback is repeated', async (world) => {
  await world.fault('answers', 'status', { status: 503, match: `POST /v2/origin/custom/${world.scopeId}` });
  await world.user('ada').replies('Red ones.', { to: 'bo' });
  const { entries } = await world.wait('callback.delivered');
  assert.deepEqual(entries.map(({ attempt }) => attempt), [2]);
  await assertOneEcho(world);
});

botTest('a bot that could not be reached for an hour echoes once', async (world) => {
  await world.fault('callbacks', 'status', { status: 503, times: 1_000 });
  await world.user('ada').replies('Red ones.', { to: 'bo' });
  await world.advance({ hours: 1 });
  assert.equal(await posts(world), 0);
  await world.endFaults();
  await world.wait('callback.delivered');
  await assertOneEcho(world);
});

botTest('a wrong signature is refused', async (world) => {
  const answer = await fetch(world.webhook, { method: 'POST', body: '{}', headers: { 'X-Signature': sign('other', '{}') } });
  assert.equal(answer.status, 403);
  assert.equal((await fetch(world.webhook, { method: 'POST', body: '{}' })).status, 403);
});
