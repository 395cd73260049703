// Relays in the operator's part of the console: a service with a relay, a bridge that is down and then up, and hooks that the case
// signs as the counterpart does.

import assert from 'node:assert/strict';
import { createServer } from 'node:http';
import { cases, settings } from '../support/cases.mjs';
import { giveToken, signature } from '../support/operator.mjs';
import { SIZES, resize, wrongOnScreens } from '../support/screens.mjs';
import { Service } from '../support/service.mjs';
import { receiver } from '../support/world.mjs';

const SECRET = 'secret-of-the-shop';
const SCOPE = 'shop_af9945ff-1490-4cad-807d-945c15d88bec';

/** A port at which nobody listens. */
async function freePort() {
  const server = createServer();
  await new Promise((done) => server.listen(0, '127.0.0.1', done));
  const { port } = server.address();
  await new Promise((done) => server.close(done));
  return port;
}

/** A service that only relays: to this bridge, and to a receiver of copies. */
async function relaying(visit, bridge) {
  const copies = await receiver();
  const lines = `[[relay]]\nchannel = "shop"\nsecret = "${SECRET}"\nfrom = "/relay/shop"\nto = "${bridge}"\ncopies = ["${copies.url('staging')}"]\n`;
  const service = await Service.start(settings.program, lines);
  Object.assign(visit, { base: service.base, operator: service.operator });
  visit.end = async () => {
    await service.end();
    await copies.close();
  };
  return { service, copies };
}

/** The body of a message of an account user. */
function body(message, more = {}) {
  const conversation = { id: 'c', client_id: '' };
  const content = { id: message, type: 'text', text: 'Hello', ...more };
  return JSON.stringify({ account_id: 'a', time: 1_700_000_000, message: { receiver: { id: 'r', client_id: 'them' }, conversation, message: content } });
}

/** Sends a hook as the counterpart does, and gives the status of the answer. */
async function sends(service, text, secret = SECRET) {
  const headers = { 'Content-Type': 'application/json', 'User-Agent': 'amoCRM/1.0', 'X-Signature': signature(secret, text) };
  const response = await fetch(`${service.base}/relay/shop/${SCOPE}`, { method: 'POST', headers, body: text });
  return response.status;
}

/** The console without an account: the operator gives the token, and sees the relays. */
async function watchesAlone(visit, service, path = '/') {
  const page = await visit.open(service, path);
  await visit.sees('heading', 'Relays');
  await giveToken(visit);
  return page;
}

/** The page of the relay, with an administrator signed in who gives the operator's token. */
async function watches(visit, service) {
  const world = await visit.world();
  await visit.signIn(world);
  await visit.open(service, '/relays');
  await giveToken(visit);
  const { page } = visit;
  await page.getByRole('link', { name: /^shop/ }).press('Enter');
  await visit.sees('heading', 'shop');
  return page;
}

/** The row of a target, and that of a hook. */
const target = (page, name) => page.locator('.relay-targets').getByRole('row', { name });
const hook = (page, message) => page.locator('.relay-hooks').getByRole('row').filter({ hasText: message });

await cases({
  'hooks wait while the bridge is down, and arrive in order when it is up': async (visit) => {
    const port = await freePort();
    const { service, copies } = await relaying(visit, `http://127.0.0.1:${port}/in/:scope_id`);
    const page = await watches(visit, service);
    await visit.sees('The relay has taken no hooks yet.');
    await target(page, /^Bridge/).getByText('Not tried since the start').waitFor();
    await visit.isAccessible('a relay without hooks');
    for (const message of ['m-1', 'm-2']) assert.equal(await sends(service, body(message)), 200);
    await target(page, /^Bridge/).getByText('Connection refused').waitFor();
    await target(page, /^Bridge/).getByText('Down, hooks are held').waitFor();
    await hook(page, 'm-1').getByText('Delivered').waitFor();
    await page.getByRole('status').getByText('Bridge: down').waitFor();
    await page.getByRole('link', { name: /^shop Bridge: down Received: 2/ }).waitFor();
    assert.deepEqual((await copies.until(2)).map(({ body }) => JSON.parse(body).message.message.id), ['m-1', 'm-2']);
    await visit.isAccessible('a relay whose bridge is down');
    await visit.shot('relay-down');
    const got = [];
    const bridge = createServer((request, response) => {
      request.resume().on('end', () => {
        got.push(request.headers['webhook-id']);
        response.end();
      });
    });
    await new Promise((done) => bridge.listen(port, '127.0.0.1', done));
    await target(page, /^Bridge/).getByText('Last response: 200').waitFor();
    await hook(page, 'm-2').getByText('Bridge Delivered').waitFor();
    await page.getByRole('status').getByText('No trouble').waitFor();
    assert.deepEqual(got, ['m-1', 'm-2']);
    await visit.isAccessible('a relay whose bridge is up');
    await visit.shot('relay-up');
    bridge.closeAllConnections();
    bridge.close();
  },

  'a relay is paused and resumed by keys after a second wish': async (visit) => {
    const bridge = await receiver();
    const { service } = await relaying(visit, bridge.url('in'));
    const page = await watches(visit, service);
    await page.getByRole('button', { name: 'Pause relay…' }).press('Enter');
    const sure = await visit.sees('dialog', 'Pause the relay?');
    await visit.isAccessible('pause');
    await sure.getByRole('button', { name: 'Cancel' }).press('Enter');
    await sure.waitFor({ state: 'detached' });
    assert.equal(await page.getByRole('status').getByText('Paused', { exact: true }).count(), 0);
    await page.getByRole('button', { name: 'Pause relay…' }).press('Enter');
    await page.getByRole('dialog').getByRole('button', { name: 'Pause the relay' }).press('Enter');
    await page.getByRole('status').getByText('Paused', { exact: true }).waitFor();
    assert.equal(await sends(service, body('m-1')), 200);
    await hook(page, 'm-1').waitFor();
    assert.equal(bridge.got.length, 0);
    await page.getByRole('button', { name: 'Resume relay…' }).press('Enter');
    await page.getByRole('dialog').getByRole('button', { name: 'Resume the relay' }).press('Enter');
    await page.getByRole('status').getByText('No trouble').waitFor();
    await bridge.until(1);
    await hook(page, 'm-1').getByText('Bridge Delivered').waitFor();
    await bridge.close();
  },

  'hooks are found by message and by time, and replayed': async (visit) => {
    const bridge = await receiver();
    const { service, copies } = await relaying(visit, bridge.url('in'));
    const page = await watches(visit, service);
    for (const message of ['m-1', 'm-2', 'm-3']) assert.equal(await sends(service, body(message)), 200);
    await bridge.until(3);
    await copies.until(3);
    const rows = page.locator('.relay-hooks tbody tr');
    await visit.until('three hooks', async () => (await rows.count()) === 3);
    const search = page.getByRole('search', { name: 'Hooks' });
    await search.getByLabel('Message id').fill('m-2');
    await visit.until('one hook', async () => (await rows.count()) === 1);
    await hook(page, 'm-2').getByText('Bridge Delivered').waitFor();
    await page.getByRole('button', { name: 'Replay m-2' }).press('Enter');
    const one = await visit.sees('dialog', 'Replay the hook?');
    await visit.isAccessible('replay');
    await one.getByRole('button', { name: 'Replay' }).press('Enter');
    await one.getByText('Queued again: 1 hook.').waitFor();
    const [, , , again] = await bridge.until(4);
    assert.equal(again.headers['webhook-id'], 'm-2');
    assert.equal(again.headers['x-delivery-attempt'], '2');
    assert.equal(again.headers['x-signature'], signature(SECRET, again.body));
    await one.getByRole('button', { name: 'Close' }).last().press('Enter');
    await search.getByLabel('Message id').fill('m-4');
    await visit.sees('No hooks match the search.');
    await search.getByLabel('Message id').fill('');
    await search.getByLabel('Until').fill('2020-01-01T00:00');
    await visit.sees('No hooks match the search.');
    await search.getByLabel('From').fill('2020-01-01T00:00');
    await search.getByLabel('Until').fill('2100-01-01T00:00');
    await visit.until('three hooks', async () => (await rows.count()) === 3);
    await page.getByRole('button', { name: 'Replay hooks…' }).press('Enter');
    const all = await visit.sees('dialog', 'Replay the hooks of a time');
    await all.getByLabel('Target').selectOption('Copy 1');
    await all.getByLabel('From').fill('2020-01-01T00:00');
    await all.getByLabel('Until').fill('2100-01-01T00:00');
    await visit.isAccessible('replay a time');
    await all.getByRole('button', { name: 'Replay' }).press('Enter');
    await all.getByText('Queued again: 3 hooks.').waitFor();
    await copies.until(6);
    assert.equal(bridge.got.length, 4);
    await bridge.close();
  },

  'wrong signatures and news are listed, as text and without contents': async (visit) => {
    const bridge = await receiver();
    const { service } = await relaying(visit, bridge.url('in'));
    const page = await watches(visit, service);
    assert.equal(await sends(service, body('m-1'), `${SECRET}\n`), 401);
    const strange = body('m-2', { mood: 'sad secret', '<img src=x onerror=alert(1)>': 'sad secret' });
    assert.equal(await sends(service, strange), 200);
    const wrong = page.getByRole('region', { name: 'Wrong signatures' }).getByRole('row');
    await wrong.filter({ hasText: '127.0.0.1' }).getByText(/secret/).waitFor();
    await page.getByText('wrong signature: 1').waitFor();
    const news = page.getByRole('region', { name: 'News' });
    for (const name of ['mood', '*']) await news.getByText(`field: message.message.${name} (text)`).waitFor();
    assert.equal(await page.locator('main img').count(), 0);
    assert.equal(await page.getByText('sad secret').count(), 0);
    await visit.isAccessible('wrong signatures and news');
    await page.getByText(/99% of hooks were answered within/).waitFor();
    await bridge.close();
  },

  'a relay is accessible in Russian, in the dark, on a telephone': {
    options: { viewport: { width: 390, height: 780 }, locale: 'ru-RU', colorScheme: 'dark' },
    work: async (visit) => {
      const bridge = await receiver();
      const { service } = await relaying(visit, bridge.url('in'));
      assert.equal(await sends(service, body('m-1')), 200);
      assert.equal(await sends(service, body('m-2'), 'another'), 401);
      await bridge.until(1);
      const world = await visit.world({ lang: 'ru' });
      await visit.signIn(world);
      await visit.context.addInitScript((token) => sessionStorage.setItem('switchboard.operator', token), service.operator);
      const page = await visit.open(service, '/relays/shop');
      await hook(page, 'm-1').getByText('Доставлен').first().waitFor();
      await page.getByText('неверная подпись: 1').waitFor();
      await visit.isAccessible('a relay');
      await visit.shot('relay-narrow');
      await page.getByRole('button', { name: 'Назад к списку' }).click();
      await page.getByRole('link', { name: /^shop/ }).waitFor();
      await visit.isAccessible('relays');
      await bridge.close();
    },
  },

  'the health page names a relay that is paused, down or late': async (visit) => {
    const { service } = await relaying(visit, `http://127.0.0.1:${await freePort()}/in/:scope_id`);
    const world = await visit.world();
    await visit.signIn(world);
    const page = await visit.open(service, '/health');
    await giveToken(visit);
    const row = page.locator('.relay-health tbody tr');
    await row.getByText('No trouble').waitFor();
    assert.equal(await sends(service, body('m-1')), 200);
    await row.getByText('Bridge: down').waitFor();
    assert.equal(await row.getByText('Age of the oldest').count(), 0);
    await world.operatorApi('POST', '/admin/v1/relays/shop/pause', {});
    await row.getByText('Paused').waitFor();
    await page.clock.setFixedTime(Date.now() + 20 * 60_000);
    await row.getByText('Age of the oldest: 20 min').waitFor();
    await visit.isAccessible('health');
    await visit.shot('relay-health');
    await row.getByRole('link', { name: 'shop' }).press('Enter');
    await visit.sees('heading', 'shop');
  },

  'a service that only relays shows its relays alone, to the operator': async (visit) => {
    const bridge = await receiver();
    const { service } = await relaying(visit, bridge.url('in'));
    const page = await visit.open(service, '/');
    await visit.sees('heading', 'For the operator');
    assert.equal(await page.getByRole('navigation').count(), 0);
    assert.equal(await page.getByLabel('Password').count(), 0);
    await visit.isAccessible('asked for the token');
    await page.getByLabel('Operator token', { exact: true }).fill('wrong');
    await page.getByRole('button', { name: 'Continue' }).click();
    await visit.sees('The operator token is wrong.');
    await giveToken(visit);
    // The only relay is there at once.
    await visit.sees('heading', 'shop');
    await visit.isAccessible('alone');
    await visit.shot('relays-alone');
    assert.equal(await sends(service, body('m-1')), 200);
    await hook(page, 'm-1').getByText('Bridge Delivered').waitFor();
    await page.getByRole('link', { name: /^shop/ }).press('Enter');
    assert.equal(new URL(page.url()).pathname, '/relays/shop');
    // A reload keeps the token, and another language its page.
    await page.reload();
    await hook(page, 'm-1').waitFor();
    await page.getByLabel('Language').selectOption('es');
    await visit.sees('heading', 'Destinos');
    await page.getByLabel('Idioma').selectOption('en');
    await page.getByRole('button', { name: 'Delete the operator token' }).press('Enter');
    await page.getByLabel('Operator token', { exact: true }).waitFor();
    assert.equal(await page.evaluate(() => sessionStorage.getItem('switchboard.operator')), null);
    await bridge.close();
  },

  'relays alone fit every screen in every language': async (visit) => {
    const bridge = await receiver();
    const { service } = await relaying(visit, bridge.url('in'));
    const page = await watchesAlone(visit, service);
    for (const language of ['en', 'ru', 'es']) {
      await page.evaluate((name) => localStorage.setItem('switchboard.language', name), language);
      for (const path of ['/', '/relays/shop']) {
        await resize(visit, SIZES[0]);
        await visit.open(service, path);
        await page.locator('.relay-targets').waitFor();
        for await (const { size, theme, wrong } of wrongOnScreens(visit, language)) assert.deepEqual(wrong, [], `${path} ${size.width} ${theme} ${language}`);
      }
    }
    await bridge.close();
  },

  'a service with an account begins with the sign-in, and forgets a token there': async (visit) => {
    const bridge = await receiver();
    const { service } = await relaying(visit, bridge.url('in'));
    const page = await watchesAlone(visit, service);
    await visit.world();
    await page.reload();
    await visit.sees('heading', 'Sign in');
    assert.equal(await page.evaluate(() => sessionStorage.getItem('switchboard.operator')), null);
    await bridge.close();
  },

  'a service without relays says so': async (visit) => {
    const world = await visit.world();
    await visit.signIn(world);
    await visit.open(world, '/relays');
    await giveToken(visit);
    await visit.sees('No relays');
    await visit.isAccessible('no relays');
  },
});
