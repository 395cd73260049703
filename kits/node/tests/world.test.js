import assert from 'node:assert/strict';
import { after, test } from 'node:test';

import { ApiError, Receiver, sign, Switchboard, WaitError } from '../src/index.js';

/** @typedef {import('../src/index.js').World} World */

const switchboard = await Switchboard.start();
after(() => switchboard.stop());

/**
 * A test with a world of its own.
 * @param {string} name
 * @param {(world: World, t: import('node:test').TestContext) => Promise<void>} body
 * @param {import('../src/index.js').WorldOptions} [options]
 */
function worldTest(name, body, options) {
  test(name, async (t) => {
    const world = await switchboard.world({ name, ...options });
    await world.run(() => body(world, t));
  });
}

/**
 * A receiver of the callbacks of a world.
 * @param {World} world
 * @param {import('node:test').TestContext} t
 * @param {import('../src/index.js').Answer} [answer]
 */
async function received(world, t, answer = 200) {
  const receiver = await Receiver.start({ secret: world.channel.secret, answer });
  t.after(() => receiver.stop());
  await world.setWebhook(receiver.url);
  assert.equal(world.webhook, receiver.url);
  return receiver;
}

/** @param {string} text */
const message = (text, msgid = 'm-1') => JSON.stringify({
  event_type: 'new_message',
  payload: {
    timestamp: 1_767_225_600,
    msgid,
    conversation_id: 'c-1',
    sender: { id: 'c-1', name: 'Bo', avatar: 'http://127.0.0.1:9/bo.png' },
    message: { type: 'text', text },
  },
});

/**
 * Posts a customer's message as an integration does, in the form of 2019.
 * @param {World} world
 * @param {string} body
 */
function post(world, body) {
  const headers = { 'Content-Type': 'application/json', 'X-Signature': sign(world.channel.secret, body) };
  return fetch(`${world.baseUrl}/v2/origin/custom/${world.scopeId}`, { method: 'POST', headers, body });
}

worldTest('a world has what an integration needs', async (world) => {
  assert.match(world.baseUrl, /^http:\/\/127\.0\.0\.1:\d+$/);
  assert.equal(world.name, 'a world has what an integration needs');
  assert.equal(world.scopeId, `${world.channel.id}_${world.account.id}`);
  assert.equal(world.seed, 11);
  assert.equal(world.webhook, null);
  assert.equal((await world.clock()).mode, 'skip');
  assert.ok((await switchboard.worlds()).some(({ id, scopeId }) => id === world.id && scopeId === world.scopeId));

  const answer = await post(world, message('Hi'));
  assert.equal(answer.status, 200, await answer.text());
  const [ada] = world.users;
  assert.equal(ada?.name, 'ada');
  const users = await fetch(`${world.baseUrl}/api/v4/users`, { headers: { Authorization: `Bearer ${ada?.token}` } });
  assert.equal(users.status, 200, await users.text());
}, { seed: 11, ttl: { minutes: 1 } });

worldTest('a callback reaches the receiver with its signature', async (world, t) => {
  const receiver = await received(world, t);
  await world.customer('bo').says('Is it in stock?');
  const { messageId, conversationId } = await world.user('ada').replies('Ja, natürlich!', { to: 'bo' });
  const { entries } = await world.wait('callback.delivered', { message: messageId });
  assert.deepEqual(entries.map(({ outcome, attempt }) => [outcome, attempt]), [['answered 200', 1]]);
  const [callback, ...others] = await receiver.received();
  assert.deepEqual([others, receiver.refused], [[], []]);
  assert.deepEqual([callback?.messageId, callback?.attempt], [messageId, 1]);
  assert.equal(callback?.event.message.conversation.id, conversationId);
  assert.equal(callback?.event.message.message.text, 'Ja, natürlich!');
  await world.setWebhook(null);
  assert.equal(world.webhook, null);
});

worldTest('a fault repeats a callback', async (world, t) => {
  const receiver = await received(world, t);
  await world.customer('bo').says('Hi');
  const fault = await world.fault('callbacks', 'duplicate', { times: 1, match: 'twice' });
  assert.deepEqual([fault.on, fault.do, fault.left], ['callbacks', 'duplicate', 1]);
  await world.user('ada').replies('once');
  await world.user('ada').replies('twice');
  await world.wait('callback.delivered', { count: 2 });
  await world.wait('quiet');
  assert.deepEqual(receiver.callbacks.map(({ event }) => event.message.message.text), ['once', 'twice', 'twice']);
  assert.deepEqual(await world.faults(), []);
});

worldTest('a wrong signature is a fault', async (world, t) => {
  const receiver = await received(world, t);
  await world.customer('bo').says('Hi');
  await world.fault('callbacks', 'bad_signature');
  await world.user('ada').replies('Hello');
  await world.wait('callback.delivered');
  assert.deepEqual([receiver.refused.length, receiver.callbacks.length], [1, 1]);
  assert.equal(receiver.refused[0]?.body.includes('Hello'), true);
});

worldTest('an answer is lost after the message was stored', async (world) => {
  await world.fault('answers', 'lost_after_commit', { match: `POST /v2/origin/custom/${world.scopeId}` });
  await assert.rejects(post(world, message('Hi')), TypeError);
  assert.equal((await post(world, message('Hi'))).status, 200);
  const { entries, cursor } = await world.wait('request.seen', { count: 2, match: world.scopeId });
  assert.equal(entries.length, 2);
  await assert.rejects(world.wait('request.seen', { after: cursor, timeout: { seconds: 1 } }), WaitError);
});

worldTest('an answer can ask for a pause', async (world) => {
  await world.fault('answers', 'rate_limited', { retryAfter: 3 });
  const limited = await post(world, message('Hi'));
  assert.deepEqual([limited.status, limited.headers.get('retry-after')], [429, '3']);
  assert.equal((await post(world, message('Hi'))).status, 200);
});

worldTest('time passes only when the test moves it', async (world, t) => {
  const receiver = await received(world, t, 503);
  await world.customer('bo').says('Hi');
  await world.user('ada').replies('Hello', { to: 'bo' });
  await receiver.received();
  await assert.rejects(world.wait('callback.delivered', { count: 1 }), (/** @type {Error} */ error) => {
    assert.ok(error instanceof WaitError);
    assert.match(error.message, /^wait\('callback\.delivered', \{"count":1\}\) was not met: \w+/);
    assert.ok(error.near.some((line) => line.includes('503')), error.near.join('\n'));
    return true;
  });
  receiver.answersWith(200);
  const before = await world.clock();
  const { nowMs } = await world.advance({ minutes: 14, seconds: 60 });
  assert.ok(nowMs >= before.nowMs + 900_000);
  await world.wait('callback.delivered');
  assert.equal((await world.setClock('skip')).mode, 'skip');
}, { clock: 'frozen' });

worldTest('messages outlast a restart and a power cut', async (world) => {
  await world.customer('bo').says('Hi');
  await world.user('eve').replies('Hello');
  const before = await world.messages('bo');
  assert.deepEqual(before.map(({ direction, text }) => [direction, text]), [['in', 'Hi'], ['out', 'Hello']]);
  assert.equal((await world.restart()).mode, 'skip');
  assert.deepEqual(await world.messages('bo'), before);
  await world.fault('engine', 'power_cut');
  assert.deepEqual(await world.messages('bo'), before);
});

worldTest('a world goes back to a snapshot, and a fork goes on by itself', async (world) => {
  /** @param {World} of */
  const texts = async (of) => (await of.messages('bo')).map(({ text }) => text);
  await world.customer('bo').says('Before');
  const kept = await world.snapshot();
  await world.customer('bo').says('After');
  const fork = await kept.fork();
  await fork.customer('bo').says('In the fork');
  assert.notEqual(fork.baseUrl, world.baseUrl);
  assert.deepEqual(await texts(fork), ['Before', 'In the fork']);
  await fork.end();
  assert.deepEqual(await texts(world), ['Before', 'After']);
  await kept.restore();
  assert.deepEqual(await texts(world), ['Before']);
});

worldTest('people answer and read by themselves', async (world, t) => {
  const receiver = await received(world, t);
  await world.user('ada').answers('One moment.', { after: { seconds: 2 }, times: 2 });
  await world.customer('bo').reads({ after: { minutes: 1 } });
  const before = await world.clock();
  await world.customer('bo').says('Hi');
  await world.wait('quiet');
  await world.wait('delivery>=read');
  const passed = (await world.clock()).nowMs - before.nowMs;
  assert.ok(passed >= 62_000 && passed < 64_000, `${passed}`);
  assert.deepEqual(receiver.callbacks.map(({ event }) => event.message.message.text), ['One moment.']);
  const [bo, ada] = await world.habits();
  assert.deepEqual([bo?.customer, bo?.do, bo?.after, bo?.left], ['bo', 'reads', 60, null]);
  assert.deepEqual([ada?.user, ada?.do, ada?.text, ada?.left], ['ada', 'answers', 'One moment.', 1]);
  await world.customer('bo').endHabits();
  assert.equal((await world.habits()).length, 1);
  await world.endHabits();
  assert.deepEqual(await world.habits(), []);
  await assert.rejects(world.user('ada').reads({ after: { seconds: -1 } }), /400: .*after: expected a number from 0/);
});

worldTest('tokens are issued and refused in the time of the world', async (world) => {
  const { id, secret, redirectUri, code } = world.oauthClient;
  /** @param {Record<string, string>} grant */
  const ask = async (grant) => {
    const body = JSON.stringify({ client_id: id, client_secret: secret, redirect_uri: redirectUri, ...grant });
    const headers = { 'Content-Type': 'application/json' };
    const answer = await fetch(`${world.baseUrl}/oauth2/access_token`, { method: 'POST', headers, body });
    return { status: answer.status, .../** @type {any} */ (await answer.json()) };
  };
  /** @param {string} code */
  const exchange = (code) => ask({ grant_type: 'authorization_code', code });
  const first = await exchange(code);
  assert.equal(first.status, 200, first.hint);
  await world.fault('oauth', 'refresh_race');
  const raced = await ask({ grant_type: 'refresh_token', refresh_token: first.refresh_token });
  assert.equal(raced.status, 400);
  assert.match(raced.hint, /was used at .* by another-process/);
  const again = await world.user('ada').consents();
  await world.advance({ minutes: 20 });
  assert.match((await exchange(again.code)).hint, /expired/);
  const { code: last } = await world.user('eve').consents();
  const { refresh_token: token } = await exchange(last);
  await world.fault('oauth', 'revoked');
  assert.match((await ask({ grant_type: 'refresh_token', refresh_token: token })).hint, /uninstalled/);
});

worldTest('a callback arrives in pieces, and a fault strikes sometimes', async (world, t) => {
  await assert.rejects(world.fault('callbacks', 'split'), /400: .*set a webhook first/);
  const receiver = await received(world, t);
  await world.customer('bo').says('Hi');
  for (const [what, options] of /** @type {const} */ ([['split', {}], ['drip', { seconds: 0.1 }]])) {
    await world.fault('callbacks', what, options);
    await world.user('ada').replies(what);
    const { entries } = await world.wait('callback.delivered', { match: what });
    assert.deepEqual(entries.map(({ fault, attempt }) => [fault, attempt]), [[what, 1]]);
  }
  assert.deepEqual(receiver.callbacks.map(({ event }) => event.message.message.text), ['split', 'drip']);
  const fault = await world.fault('callbacks', 'duplicate', { times: 99, probability: 0.5, seed: 7 });
  assert.equal(fault.probability, 0.5);
  for (let number = 0; number < 20; number += 1) await world.user('ada').replies(`number ${number}`);
  await world.wait('callback.delivered', { count: 20, match: 'number' });
  const left = (await world.faults())[0]?.left ?? 0;
  assert.ok(left > 79 && left < 99, `${left}`);
});

worldTest('a full disk refuses messages until the faults end', async (world) => {
  await world.fault('engine', 'disk_full');
  assert.equal((await post(world, message('Hi'))).status, 503);
  assert.equal((await world.faults()).length, 1);
  await world.endFaults();
  assert.equal((await post(world, message('Hi'))).status, 200);
});

worldTest('the journal has requests, callbacks and notes', async (world) => {
  await post(world, message('Hi'));
  await world.customer('bo').says('Hello?');
  await world.user('ada').replies('Hello');
  const { cursor } = await world.wait('callback.delivered');
  await world.advance({ seconds: 1.5 });
  const journal = await world.journal();
  assert.deepEqual(new Set(journal.map(({ kind }) => kind)), new Set(['request', 'callback', 'note']));
  const request = journal.find(({ what }) => what === `POST /v2/origin/custom/${world.scopeId}`);
  assert.deepEqual([request?.status, JSON.parse(request?.request ?? '')], [200, JSON.parse(message('Hi'))]);
  const callback = journal.find(({ kind }) => kind === 'callback');
  assert.match(callback?.messageId ?? '', /^[0-9a-f-]{36}$/);
  const later = await world.journal({ after: cursor });
  assert.ok(later.length > 0 && later.every((entry) => entry.cursor > cursor));

  const text = await world.journalText();
  assert.ok(text.includes(`POST /v2/origin/custom/${world.scopeId}`), text);
  assert.ok((await world.journalText({ after: cursor })).length < text.length);
});

worldTest('names reach the service as they are', async (world) => {
  await world.customer('bo.2_x-Y').says('Hi & bye');
  await world.user('eve').replies('Hello', { to: 'bo.2_x-Y' });
  assert.deepEqual((await world.customer('bo.2_x-Y').messages()).map(({ text }) => text), ['Hi & bye', 'Hello']);
  await assert.rejects(world.customer('bö/1 ?').says('Hi'), /customers\/b%C3%B6%2F1%20%3F\/say was refused with 400: .*«bö\/1 \?»/);
});

worldTest('a wrong value is refused with what exists', async (world) => {
  await assert.rejects(world.setClock(/** @type {any} */ ('slow')), (/** @type {Error} */ error) => {
    assert.ok(error instanceof ApiError);
    assert.equal(error.status, 400);
    assert.match(error.message, /frozen/);
    return true;
  });
});

test('a world that has ended says so', async () => {
  const world = await switchboard.world({ name: 'short' });
  await world.end();
  await assert.rejects(world.messages('bo'), (/** @type {Error} */ error) => error instanceof ApiError && error.status === 410);
});

test('the same seed gives the same ids', async () => {
  const worlds = await Promise.all([1, 2].map(() => switchboard.world({ seed: 5 })));
  const said = await Promise.all(worlds.map((world) => world.customer('bo').says('Hi')));
  assert.deepEqual(said[0], said[1]);
  await Promise.all(worlds.map((world) => world.end()));
});
