import assert from 'node:assert/strict';
import { test } from 'node:test';

import { parseForm } from '../src/form.js';
import { Receiver, isSigned, sign } from '../src/index.js';

const SECRET = '5a44c5dff55f3c15a4cce8d7c4cc27e207c7e189';
const BODY = '{"message":{"message":{"text":"Ja, natürlich"}}}';

/**
 * @param {import('node:test').TestContext} t
 * @param {import('../src/receiver.js').Answer} [answer]
 */
async function started(t, answer = 200) {
  const receiver = await Receiver.start({ secret: SECRET, answer });
  t.after(() => receiver.stop());
  return receiver;
}

/**
 * @param {string} url
 * @param {Record<string, string>} headers
 */
const post = (url, headers, body = BODY) => fetch(url, { method: 'POST', headers, body });

test('a signature is HMAC-SHA1 of the bytes', () => {
  assert.equal(sign('secret', '{"a":1}'), 'f8446672f033e4b2beafc5ca3a71eafcd2cafb6e');
  assert.equal(sign('secret', Buffer.from('{"a":1}')), sign('secret', '{"a":1}'));
  assert.ok(isSigned('secret', '{"a":1}', 'f8446672f033e4b2beafc5ca3a71eafcd2cafb6e'));
  for (const wrong of [undefined, '', 'f8', 'F8446672F033E4B2BEAFC5CA3A71EAFCD2CAFB6E', sign('other', '{"a":1}')]) {
    assert.equal(isSigned('secret', '{"a":1}', wrong), false);
  }
});

test('a signed callback is recorded', async (t) => {
  const receiver = await started(t);
  assert.match(receiver.url, /^http:\/\/127\.0\.0\.1:\d+\/$/);
  const headers = { 'X-Signature': sign(SECRET, BODY), 'webhook-id': 'm-1', 'X-Delivery-Attempt': '3' };
  const waiting = receiver.received(2);
  assert.equal((await post(`${receiver.url}hook?x=1`, headers)).status, 200);
  assert.equal((await post(receiver.url, { 'X-Signature': sign(SECRET, 'no JSON') }, 'no JSON')).status, 200);
  const [first, second] = await waiting;
  assert.deepEqual(
    { ...first, headers: first?.headers['webhook-id'] },
    { method: 'POST', path: '/hook?x=1', headers: 'm-1', body: BODY, event: JSON.parse(BODY), messageId: 'm-1', attempt: 3 },
  );
  assert.deepEqual([second?.event, second?.messageId, second?.attempt, second?.body], [undefined, undefined, 1, 'no JSON']);
  assert.deepEqual(receiver.refused, []);
});

test('a wrong signature is refused and recorded apart', async (t) => {
  const receiver = await started(t);
  for (const headers of [{}, { 'X-Signature': sign('other', BODY) }, { 'X-Signature': 'ü' }]) {
    const answer = await post(receiver.url, /** @type {Record<string, string>} */ (headers));
    assert.equal(answer.status, 403);
  }
  assert.deepEqual(receiver.callbacks, []);
  assert.deepEqual(receiver.refused.map((it) => it.body), [BODY, BODY, BODY]);
});

test('the test decides how callbacks are answered', async (t) => {
  const receiver = await started(t, 503);
  const headers = { 'X-Signature': sign(SECRET, BODY) };
  assert.equal((await post(receiver.url, headers)).status, 503);
  receiver.answersWith(async ({ event }) => (event.message.message.text === 'Ja, natürlich' ? 202 : 500));
  assert.equal((await post(receiver.url, headers)).status, 202);
  receiver.answersWith(() => {
    throw new Error('the connection breaks');
  });
  await assert.rejects(post(receiver.url, headers), TypeError);
  assert.equal(receiver.callbacks.length, 3);
});

const HOOK = {
  'Content-Type': 'application/x-www-form-urlencoded',
  'User-Agent': 'amoCRM-Webhooks/3.0',
  'X-Amocrm-Requestid': 'r-1',
};

test('a hook of the account is recorded apart and answered as the test decides', async (t) => {
  const receiver = await started(t, 503);
  const form = 'account%5Bid%5D=7&message[add][0][text]=J%C3%A4+%26&message[add][1][text]=b&leads[]=3&leads[]=4';
  const waiting = receiver.receivedHooks(2);
  assert.equal((await post(`${receiver.url}in?k=1`, HOOK, form)).status, 503);
  receiver.answersWith(({ path }) => (path === '/' ? 204 : 500));
  assert.equal((await post(receiver.url, { ...HOOK, 'X-Delivery-Attempt': '2' }, form)).status, 204);
  const [first, second] = await waiting;
  assert.deepEqual([first?.path, first?.body, first?.requestId, first?.attempt], ['/in?k=1', form, 'r-1', 1]);
  assert.deepEqual(first?.form, { account: { id: '7' }, message: { add: [{ text: 'Jä &' }, { text: 'b' }] }, leads: ['3', '4'] });
  assert.equal(second?.attempt, 2);
  assert.deepEqual([receiver.callbacks, receiver.refused], [[], []]);
});

test('a request that is not quite a hook is refused', async (t) => {
  const receiver = await started(t);
  for (const headers of [
    { ...HOOK, 'User-Agent': 'curl/8' },
    { ...HOOK, 'Content-Type': 'application/json' },
    { ...HOOK, 'X-Signature': sign('other', BODY) },
  ]) {
    assert.equal((await post(receiver.url, headers)).status, 403);
  }
  assert.deepEqual([receiver.hooks, receiver.refused.length], [[], 3]);
});

test('a form with hostile keys is read', () => {
  const form = parseForm('__proto__[polluted]=1&a[9999999999]=2&a[b=3&[c]=4&=5&d=6&d[e]=7&f[g]=8&f=9&' + `h${'[i]'.repeat(64)}=1`);
  assert.equal(/** @type {any} */ ({}).polluted, undefined);
  assert.deepEqual({ ...form, ['__proto__']: 0 }, { a: { 9999999999: '2' }, 'a[b': '3', d: { e: '7' }, f: '9', ['__proto__']: 0 });
});
