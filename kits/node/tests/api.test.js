import assert from 'node:assert/strict';
import { once } from 'node:events';
import http from 'node:http';
import { test } from 'node:test';

import { Api } from '../src/api.js';
import { ApiError, WaitError } from '../src/errors.js';

/**
 * An API at a server that answers so.
 * @param {import('node:test').TestContext} t
 * @param {(request: http.IncomingMessage, response: http.ServerResponse, body: string) => void} answer
 */
async function apiAt(t, answer) {
  const server = http.createServer(async (request, response) => {
    answer(request, response, Buffer.concat(await request.toArray()).toString());
  });
  await once(server.listen(0, '127.0.0.1'), 'listening');
  t.after(() => void server.close().closeAllConnections());
  const { port } = /** @type {import('node:net').AddressInfo} */ (server.address());
  return new Api(`http://127.0.0.1:${port}/dev/v1`, 'the token', async () => 'The process has ended.');
}

test('a request has the token, its body and its query', async (t) => {
  /** @type {unknown[]} */
  const seen = [];
  const api = await apiAt(t, ({ method, url, headers }, response, body) => {
    seen.push([method, url, headers.authorization, headers['content-type'], body]);
    response.end('{"base_url":"ü"}');
  });
  assert.deepEqual(await api.json('POST', '/worlds', { body: { retryAfter: 3, to: undefined } }), { baseUrl: 'ü' });
  await api.json('GET', '/worlds/w1/wait', { query: { until: 'quiet', match: 'a b&c', after: undefined } });
  assert.deepEqual(seen, [
    ['POST', '/dev/v1/worlds', 'Bearer the token', 'application/json', '{"retry_after":3}'],
    ['GET', '/dev/v1/worlds/w1/wait?until=quiet&match=a+b%26c', 'Bearer the token', undefined, ''],
  ]);
});

test('a refusal is an error with the fields of its problem', async (t) => {
  const errors = [{ path: '/clock', detail: 'must be "skip", "frozen" or "real"' }];
  const problem = { title: 'Wrong value', detail: 'The body has one', errors };
  const api = await apiAt(t, (_, response) => response.writeHead(400).end(JSON.stringify(problem)));
  await assert.rejects(api.json('POST', '/worlds', { body: {} }), (error) => {
    assert.ok(error instanceof ApiError);
    assert.deepEqual([error.status, error.title, error.detail, error.errors], [400, 'Wrong value', 'The body has one', errors]);
    assert.equal(
      error.message,
      'POST /dev/v1/worlds was refused with 400: Wrong value: The body has one\n  /clock: must be "skip", "frozen" or "real"',
    );
    return true;
  });
});

test('an answer of another kind is shown', async (t) => {
  const bodies = ['<h1>Bad gateway</h1>', 'null'];
  const api = await apiAt(t, (request, response) => {
    response.writeHead(request.method === 'GET' ? 200 : 502).end(bodies.shift());
  });
  await assert.rejects(api.json('POST', '/worlds'), /was refused with 502: .*: <h1>Bad gateway<\/h1>$/);
  await assert.rejects(api.json('POST', '/worlds'), /was refused with 502: .*: null$/);
  await assert.rejects(api.json('GET', '/worlds'), { name: 'SwitchboardError', message: 'GET /worlds: the answer is no JSON: ' });
});

test('a broken connection says why, and the request is not repeated', async (t) => {
  let count = 0;
  const api = await apiAt(t, (request) => {
    count++;
    request.socket.destroy();
  });
  await assert.rejects(api.json('GET', '/worlds'), {
    name: 'SwitchboardError',
    message: 'GET /dev/v1/worlds: the connection broke (socket hang up). The process has ended.',
  });
  assert.equal(count, 1);
});

test('an answer that breaks off is an error', async (t) => {
  const api = await apiAt(t, (_, response) => {
    response.writeHead(200, { 'Content-Length': 100 });
    response.write('{"a":', () => response.destroy());
  });
  await assert.rejects(api.json('GET', '/worlds'), /the connection broke \(aborted\)/);
});

test('a request without an answer ends', async (t) => {
  const api = await apiAt(t, () => {});
  const asked = api.json('GET', '/worlds', { timeout: 0.05 });
  await assert.rejects(asked, { name: 'SwitchboardError', message: 'GET /dev/v1/worlds: no answer within 0.05 seconds' });
});

test('a wait that was not met is an assertion error', () => {
  const error = new WaitError("wait('quiet')", 'nothing is queued', ['attempt 1 answered 500'], 17);
  assert.ok(error instanceof assert.AssertionError);
  assert.equal(error.message, "wait('quiet') was not met: nothing is queued\nWhat happened instead:\n  attempt 1 answered 500");
  assert.deepEqual([error.why, error.near, error.cursor], ['nothing is queued', ['attempt 1 answered 500'], 17]);
  assert.equal(new WaitError("wait('quiet')", 'it ended', [], 1).message, "wait('quiet') was not met: it ended");
});
