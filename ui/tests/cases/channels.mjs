// Channels, the operator's token, and the service's health.

import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { cases, settings } from '../support/cases.mjs';
import { atAsOperator, giveToken, replied, signature } from '../support/operator.mjs';

const at = (world) => `/channels/${world.channel.id}`;

/** Whether a secret is taken: with it, the channel connects an account. */
async function connects(world, channel, secret) {
  const body = JSON.stringify({ account_id: world.account, hook_api_version: 'v2', title: 'Test' });
  const headers = { 'Content-Type': 'application/json', 'X-Signature': signature(secret, body) };
  const response = await fetch(`${world.base}/v2/origin/custom/${channel}/connect`, { method: 'POST', body, headers });
  await response.arrayBuffer();
  return response.status;
}

await cases({
  'a channel and its rotated secret are each shown once': async (visit) => {
    const name = `Acme ${randomUUID()}`;
    const world = await atAsOperator(visit, '/channels', { name });
    const { page } = visit;
    await page.getByRole('button', { name: 'Create a channel' }).click();
    const form = await visit.sees('dialog', 'Create a channel');
    await form.getByLabel('Name').fill('<b>Telegram</b> & co');
    await form.getByLabel('Endpoint for v2').fill('ftp://wrong');
    await form.getByRole('button', { name: 'Save' }).click();
    await form.locator('[aria-invalid]').waitFor();
    await visit.isAccessible('register');
    await form.getByLabel('Endpoint for v2').fill(world.receiver.url('v2'));
    await form.getByLabel('all accounts').uncheck();
    await form.getByLabel(name).check();
    await form.getByRole('button', { name: 'Save' }).click();
    const dialog = await visit.sees('dialog', /^The secret of/);
    const env = await dialog.locator('.command code').textContent();
    const lines = Object.fromEntries(env.split('\n').filter((line) => !line.startsWith('#')).map((line) => line.split('=')));
    assert.equal(lines.SWITCHBOARD_URL, new URL(world.base).origin);
    const { SWITCHBOARD_CHANNEL_ID: id, SWITCHBOARD_CHANNEL_SECRET: secret } = lines;
    assert.equal(await connects(world, id, secret), 200);
    await visit.isAccessible('secret');
    await dialog.getByRole('button', { name: 'I copied the secret' }).click();
    await dialog.waitFor({ state: 'detached' });
    await visit.sees('heading', '<b>Telegram</b> & co');
    assert.equal(new URL(page.url()).pathname, `/channels/${id}`);
    assert.ok(!(await page.content()).includes(secret));

    await page.getByRole('button', { name: 'Rotate the secret' }).click();
    const asking = await visit.sees('dialog', 'Rotate the secret');
    await asking.getByRole('button', { name: 'Rotate the secret' }).click();
    const second = await visit.sees('dialog', /^The secret of/);
    const other = await second.locator('.facts code').first().textContent();
    assert.notEqual(other, secret);
    await second.getByRole('button', { name: 'I copied the secret' }).click();
    await visit.sees(/signs callbacks with the old secret/);
    assert.deepEqual([await connects(world, id, secret), await connects(world, id, other)], [200, 200]);
    await page.getByRole('button', { name: 'End the rotation' }).click();
    await visit.sees('button', 'Rotate the secret');
    assert.deepEqual([await connects(world, id, secret), await connects(world, id, other)], [403, 200]);
    await visit.isAccessible('channel');
    const kept = await page.evaluate(() => JSON.stringify({ ...localStorage, ...sessionStorage }));
    assert.ok(!kept.includes(secret) && !kept.includes(other));
  },

  'a test send shows its result': async (visit) => {
    const world = await atAsOperator(visit, at);
    const { page } = visit;
    await page.getByRole('button', { name: 'Send a test callback' }).click();
    await visit.sees(/^Delivered: The integration accepted it/);
    const [got] = await world.receiver.until(1);
    assert.equal(got.headers['x-signature'], signature(world.channel.secret, got.body));
    world.receiver.answerWith(500, {}, '<h1>broken</h1>');
    await page.getByLabel('Version of the test').selectOption('v1');
    await page.getByRole('button', { name: 'Send a test callback' }).click();
    await visit.sees(/^Not delivered/);
    await visit.sees('<h1>broken</h1>');
    assert.ok((await world.receiver.until(2))[1].path.startsWith('/v1/'));
    await visit.isAccessible('outcome');
  },

  'a channel is paused, edited and resumed': async (visit) => {
    const world = await atAsOperator(visit, at);
    const { page } = visit;
    await page.getByRole('button', { name: 'Pause the channel' }).click();
    await visit.sees(/^An operator paused the channel on/);
    const held = await replied(visit, world, 'wait', 'held');
    await visit.isAccessible('paused');
    await page.getByRole('button', { name: 'Edit the channel' }).click();
    const form = await visit.sees('dialog', 'Edit the channel');
    await form.getByLabel('Name').fill('tg-bot two');
    await form.getByLabel('Endpoint for v1').fill('');
    await form.getByLabel(/^Response timeout/).fill('7');
    await form.getByRole('button', { name: 'Save' }).click();
    await visit.sees('heading', 'tg-bot two');
    const channel = await world.operatorApi('GET', `/admin/v1/channels/${world.channel.id}`);
    assert.deepEqual([channel.name, channel.webhook_v1, channel.timeout_seconds], ['tg-bot two', null, 7]);
    assert.deepEqual(channel.accounts, [world.account]);
    assert.deepEqual([channel.buttons, channel.lists, channel.window_hours], [false, false, null]);
    assert.equal(world.receiver.got.length, 0);
    await page.getByRole('button', { name: 'Resume the channel' }).click();
    await world.receiver.until(1);
    await visit.until('it arrived', async () => {
      const delivery = await world.operatorApi('GET', `/admin/v1/deliveries/${held.id}`);
      return delivery.state === 'delivered';
    });
  },

  'buttons, lists and a time window are switched on and off': async (visit) => {
    const world = await atAsOperator(visit, at);
    const { page } = visit;
    const fact = (text) => page.locator('.facts').getByText(text, { exact: true });
    await fact('Text only').waitFor();
    await page.getByRole('button', { name: 'Edit the channel' }).click();
    let form = await visit.sees('dialog', 'Edit the channel');
    await form.getByLabel('Buttons of templates').check();
    await form.getByLabel('List messages').check();
    await form.getByLabel(/^Time window/).fill('24');
    await visit.isAccessible('switches');
    await form.getByRole('button', { name: 'Save' }).click();
    await fact('Buttons of templates, List messages').waitFor();
    await fact('24').waitFor();
    const read = async () => {
      const { buttons, lists, window_hours: hours } = await world.operatorApi('GET', `/admin/v1/channels/${world.channel.id}`);
      return [buttons, lists, hours];
    };
    assert.deepEqual(await read(), [true, true, 24]);
    await page.getByRole('button', { name: 'Edit the channel' }).click();
    form = await visit.sees('dialog', 'Edit the channel');
    await form.getByLabel('List messages').uncheck();
    await form.getByLabel(/^Time window/).fill('');
    await form.getByRole('button', { name: 'Save' }).click();
    await fact('No window').waitFor();
    assert.deepEqual(await read(), [true, false, null]);
  },

  'a kind and a page are set, shown and cleared': async (visit) => {
    const world = await atAsOperator(visit, at);
    const { page } = visit;
    const facts = page.locator('.facts').first();
    await facts.getByText('No page', { exact: true }).waitFor();
    await page.getByRole('button', { name: 'Edit the channel' }).click();
    let form = await visit.sees('dialog', 'Edit the channel');
    await form.getByLabel('Kind', { exact: true }).selectOption('Telegram');
    await form.getByLabel('Page of the integration').fill('https://user:secret@bridge.example.com/');
    await form.getByRole('button', { name: 'Save' }).click();
    await form.locator('[aria-invalid]').waitFor();
    await visit.isAccessible('kind and page');
    await form.getByLabel('Page of the integration').fill('https://bridge.example.com/');
    await form.getByRole('button', { name: 'Save' }).click();
    await facts.getByRole('img', { name: 'Telegram' }).waitFor();
    await page.locator('a.line[aria-current]').getByRole('img', { name: 'Telegram' }).waitFor();
    assert.equal(await facts.getByRole('link', { name: 'https://bridge.example.com/' }).getAttribute('href'), 'https://bridge.example.com/');
    const read = async () => {
      const { kind, page: own } = await world.operatorApi('GET', `/admin/v1/channels/${world.channel.id}`);
      return [kind, own];
    };
    assert.deepEqual(await read(), ['telegram', 'https://bridge.example.com/']);
    await page.getByRole('button', { name: 'Edit the channel' }).click();
    form = await visit.sees('dialog', 'Edit the channel');
    await visit.until('the kind is chosen', async () => (await form.getByLabel('Kind', { exact: true }).inputValue()) === 'telegram');
    await form.getByLabel('Page of the integration').fill('');
    await form.getByRole('button', { name: 'Save' }).click();
    await facts.getByText('No page', { exact: true }).waitFor();
    assert.deepEqual(await read(), ['telegram', null]);
  },

  'connected accounts are listed, and can be disconnected': async (visit) => {
    const world = await atAsOperator(visit, at, { name: 'Acme & <b>Sons</b>' });
    const { page } = visit;
    const part = page.getByRole('region', { name: 'Connected accounts' });
    const row = part.getByRole('row').filter({ hasText: 'Acme & <b>Sons</b>' });
    for (const text of ['Telegram', 'v2', world.scope]) await row.getByText(text, { exact: true }).waitFor();
    const { conversation_id: id } = await world.says('c-1', 'Good day');
    await world.operatorApi('POST', `/admin/v1/channels/${world.channel.id}/pause`, {});
    const queued = await world.replies(id, 'It is on its way');
    await row.getByRole('button', { name: 'Disconnect', exact: true }).click();
    await part.getByText(/cancels the callbacks that are queued for the account/).waitFor();
    await visit.isAccessible('connected');
    await row.getByRole('button', { name: 'Disconnect now' }).click();
    await part.getByText(/^No account is connected/).waitFor();
    await visit.until('the callback is cancelled', async () => {
      const delivery = await world.operatorApi('GET', `/admin/v1/deliveries/${queued.id}`);
      return delivery.state === 'cancelled';
    });
    await assert.rejects(world.says('c-1', 'Are you there?'), / 404 /);
  },

  'the token stays in open tabs and out of URLs': async (visit) => {
    const world = await visit.world();
    await visit.signIn(world);
    const asked = [];
    visit.page.on('request', (request) => asked.push(request.url()));
    await visit.open(world, '/callbacks');
    await giveToken(visit);
    await visit.sees('region', 'Callbacks, newest first');
    const { page } = visit;
    for (const [entry, title] of [['Requests', 'Requests received'], ['Channels', 'Channels'], ['Health', 'Health'], ['Callbacks', 'Callbacks']]) {
      await page.getByRole('navigation', { name: 'Pages' }).getByRole('link', { name: entry }).click();
      await visit.sees('heading', title);
      assert.ok(!page.url().includes(settings.operator));
    }
    await page.reload();
    await visit.sees('region', 'Callbacks, newest first');
    assert.equal(await page.getByLabel('Operator token').count(), 0);
    assert.ok(asked.length > 5 && asked.every((url) => !url.includes(settings.operator)));
    const lasting = await page.evaluate(() => JSON.stringify({ ...localStorage }) + document.cookie);
    assert.ok(!lasting.includes(settings.operator));
    // With the last tab the token is gone.
    await visit.context.newPage();
    await page.close();
    const other = await visit.context.newPage();
    await other.goto(`${world.base}/health`);
    await other.getByLabel('Operator token').waitFor();
  },

  'a gone endpoint is shown and enabled again': async (visit) => {
    const world = await visit.world();
    world.receiver.answerWith(410, {}, 'no such <u>hook</u>');
    await replied(visit, world, 'hello', 'held');
    await visit.signIn(world);
    await visit.open(world, '/health');
    await giveToken(visit);
    const { page } = visit;
    await visit.sees(/^Ready/);
    const row = page.getByRole('row').filter({ hasText: world.receiver.url('v2') });
    await row.getByText('Disabled', { exact: true }).waitFor();
    await row.getByText('410', { exact: true }).waitFor();
    await row.getByText('no such <u>hook</u>').waitFor();
    await visit.isAccessible('health');
    world.receiver.answerWith(200);
    await row.getByRole('button', { name: 'Enable the endpoint' }).click();
    await row.getByText('Disabled', { exact: true }).waitFor({ state: 'detached' });
    await world.receiver.until(2);
    await page.getByText('More numbers').click();
    await page.getByText('Delivered since the start').waitFor();
    await page.locator('.facts').getByText(/^0\.\d+\.\d+$/).waitFor();
    await visit.isAccessible('all numbers');
  },

  'an endpoint that accepts callbacks is not said to fail': async (visit) => {
    const world = await visit.world();
    world.receiver.answerWith(400);
    await replied(visit, world, 'hello', 'waiting');
    const { endpoints } = await world.operatorApi('GET', '/admin/v1/endpoints?limit=250');
    const endpoint = endpoints.find((it) => it.channel_id === world.channel.id && it.version === 'v2');
    assert.deepEqual([endpoint.health, endpoint.failing_since === null], ['healthy', false], 'the case that the page has to tell apart');
    await visit.signIn(world);
    await visit.open(world, '/health');
    await giveToken(visit);
    const row = visit.page.getByRole('row').filter({ hasText: world.receiver.url('v2') });
    await row.getByText('Healthy', { exact: true }).waitFor();
    await row.getByText('400', { exact: true }).waitFor();
    assert.equal(await row.getByText(/failing since/).count(), 0);
  },

  'the node of a shared log is shown, also when it may not answer': async (visit) => {
    await atAsOperator(visit, '/health');
    const { page } = visit;
    await visit.sees(/^Ready/);
    const part = page.getByRole('region', { name: 'Shared log' });
    assert.equal(await part.count(), 0);
    const is = (name, value) => part.locator('dl > div').filter({ hasText: name }).getByText(value, { exact: true }).waitFor();
    const checks = { store: 'ok', index: 'ok', draining: false };
    const node = { name: 'north', role: 'owner', owner: 'north', owner_url: 'http://north:8080', epoch: 3, entry: 1204 };
    const current = { ...node, behind_entries: 0, behind_seconds: 0 };
    // Each answer replaces the one before: the page asks for the next by itself.
    let answer = { ready: true, writable: true, checks, node: current };
    await page.route('**/readyz', (route) => route.fulfill({ status: answer.ready ? 200 : 503, json: answer }));
    await is('Role', 'Owner');
    await is('Name of the node', 'north');
    await is('URL of the owner', 'http://north:8080');
    await is('Epoch', '3');
    await is('Newest entry', '1,204');
    await is('Lag', 'Has everything');
    assert.equal(await part.getByRole('link').count(), 0);
    await visit.isAccessible('shared log');

    const refusal = { status: 503, json: { status: 503, title: 'Not the owner', detail: 'this node does not own the shared log' } };
    await page.route('**/admin/v1/endpoints*', (route) => route.fulfill(refusal));
    answer = { ready: false, writable: false, checks, node: { ...current, trouble: 'the log <b>is</b> away' } };
    await visit.sees(/^Not ready: the shared log does not confirm/);
    await is('Trouble', 'the log <b>is</b> away');
    await visit.sees('this node does not own the shared log');
    assert.equal(await part.getByText('Has everything').count(), 0);
    await visit.isAccessible('shared log in trouble');

    const standby = { ...node, role: 'standby', owner: 'south', behind_entries: 1, behind_seconds: 30 };
    answer = { ready: false, writable: false, checks: { ...checks, store: 'the node is a standby' }, node: standby };
    await visit.sees('Not ready: the node is a standby');
    await is('Role', 'Standby');
    await is('Lag', 'Lacks 1 entry');
    await is('May lack the last', '30 seconds');
    // Without a shared log, as the service of these cases is.
    await page.unroute('**/admin/v1/endpoints*');
    await page.unroute('**/readyz');
    await visit.sees(/^Ready/);
    assert.equal(await part.count(), 0);
    // The browser reports these answers as errors of its own.
    visit.watched.wrong = visit.watched.wrong.filter((it) => !it.includes('the server responded with a status of 503'));
  },
});
