// The callbacks inspector: what was tried, what is sent, and what may be done about it.

import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { PATIENCE, cases } from '../support/cases.mjs';
import { GIVE_UP, atAsOperator, giveToken, replied, signature } from '../support/operator.mjs';

const ofChannel = (world) => `/callbacks?channel=${world.channel.id}`;
const MARKUP = `It's <b>bold</b> & "so" <script>alert(1)</script> \`$(id)\` é`;

/** A world with one message that has arrived, and its callback opened. */
async function delivered(visit) {
  const world = await visit.world();
  const delivery = await replied(visit, world, MARKUP, 'delivered');
  await visit.signIn(world);
  await visit.open(world, `/callbacks/${delivery.id}`);
  await giveToken(visit);
  await visit.sees('region', 'Callback body');
  return { world, delivery };
}

await cases({
  'a dead callback shows its attempts and is replayed by a key': async (visit) => {
    const world = await visit.world();
    world.receiver.answerWith(...GIVE_UP);
    const delivery = await replied(visit, world, 'Good morning', 'dead');
    world.receiver.answerWith(200);
    await visit.signIn(world);
    await visit.open(world, ofChannel(world));
    await giveToken(visit);
    const { page } = visit;
    const row = page.getByRole('link', { name: /Dead/ });
    await row.waitFor();
    await visit.isAccessible('list');
    await page.keyboard.press('j');
    await visit.sees('heading', 'Dead');
    assert.equal(new URL(page.url()).pathname, `/callbacks/${delivery.id}`);
    await visit.sees(/asks for no further attempt/);
    const attempts = page.getByRole('table').filter({ hasText: 'Response body' });
    await attempts.getByText('422', { exact: true }).waitFor();
    await attempts.getByText('TypeError: <img src=x onerror=alert(1)>').waitFor();
    assert.equal(await page.locator('main img').count(), 0);
    await visit.isAccessible('callback');
    await page.keyboard.press('x');
    await visit.sees('heading', 'Delivered');
    await attempts.getByText('200', { exact: true }).waitFor();
    await page.getByRole('link', { name: /Delivered/ }).waitFor();
    assert.equal(world.receiver.got.length, 2);
  },

  'a callback that waits for its next attempt is sent now on request': async (visit) => {
    const world = await visit.world();
    world.receiver.answerWith(500, { 'Retry-After': '3600' });
    const delivery = await replied(visit, world, 'Good morning', 'waiting');
    world.receiver.answerWith(200);
    await visit.signIn(world);
    await visit.open(world, `/callbacks/${delivery.id}`);
    await giveToken(visit);
    await visit.page.getByRole('button', { name: 'Replay the callback' }).click();
    await visit.sees('heading', 'Delivered');
    assert.equal(world.receiver.got.length, 2);
  },

  'an attempt that was refused is shown as refused': async (visit) => {
    const world = await visit.world();
    world.receiver.answerWith(403);
    const delivery = await replied(visit, world, 'Good morning', 'waiting');
    await visit.signIn(world);
    await visit.open(world, `/callbacks/${delivery.id}`);
    await giveToken(visit);
    const attempts = visit.page.getByRole('table').filter({ hasText: 'Response body' });
    await attempts.getByText('403', { exact: true }).first().waitFor();
    await attempts.getByText('The integration refuses the authorization of callbacks').first().waitFor();
    assert.equal(await attempts.getByText('The endpoint is wrong').count(), 0);
  },

  'an edited callback is sent once, validly or wrongly signed': async (visit) => {
    const { world, delivery } = await delivered(visit);
    const { page } = visit;
    await page.getByRole('button', { name: 'Edit and send…' }).click();
    const dialog = await visit.sees('dialog', 'Send an edited body');
    const body = '{"edited": "by hand, <i>é</i>"}\n';
    await dialog.getByLabel('Body').fill(body);
    await dialog.getByRole('button', { name: 'Send once' }).click();
    await dialog.getByText(/^Delivered/).waitFor();
    const [, right] = await world.receiver.until(2);
    assert.equal(right.body, body);
    assert.equal(right.headers['x-signature'], signature(world.channel.secret, body));
    assert.equal(right.headers['webhook-id'], delivery.id);
    await visit.isAccessible('edited');
    world.receiver.answerWith(403, {}, 'wrong signature');
    await dialog.getByLabel('Calculate a new signature').uncheck();
    await dialog.getByRole('button', { name: 'Send once' }).click();
    await dialog.getByText(/^Not delivered/).waitFor();
    await dialog.getByText('wrong signature').waitFor();
    const [, , wrong] = await world.receiver.until(3);
    assert.equal(wrong.body, body);
    assert.notEqual(wrong.headers['x-signature'], signature(world.channel.secret, body));
    assert.match(wrong.headers['x-signature'], /^[0-9a-f]{40}$/);
    const after = await world.operatorApi('GET', `/admin/v1/deliveries/${delivery.id}`);
    assert.deepEqual(after, delivery);
  },

  'an edited body is sent unchanged, in one line or in several': async (visit) => {
    const { world } = await delivered(visit);
    const { page } = visit;
    await page.getByRole('button', { name: 'Edit and send…' }).click();
    const dialog = await visit.sees('dialog', 'Send an edited body');
    const body = dialog.getByLabel('Body', { exact: true });
    const [original] = world.receiver.got;
    const sent = JSON.parse(await body.inputValue());
    assert.equal(await body.inputValue(), JSON.stringify(sent, null, 2));
    assert.deepEqual({ ...sent, time: 0 }, { ...JSON.parse(original.body), time: 0 });
    const lines = dialog.getByRole('button', { name: 'Many lines' });
    const line = dialog.getByRole('button', { name: 'One line' });
    assert.equal(await lines.getAttribute('aria-pressed'), 'true');
    await line.click();
    assert.equal(await body.inputValue(), JSON.stringify(sent));
    // What a number of the browser cannot hold stays what it is, and so does what looks like JSON in a text.
    await body.fill('{"n":123456789012345678901.10,"a":[],"o":{},"t":"{\\"a\\": [1 , 2]}\\\\","l":[1,null]}');
    await lines.click();
    const laidOut = '{\n  "n": 123456789012345678901.10,\n  "a": [],\n  "o": {},\n  "t": "{\\"a\\": [1 , 2]}\\\\",\n  "l": [\n    1,\n    null\n  ]\n}';
    assert.equal(await body.inputValue(), laidOut);
    await visit.isAccessible('layout');
    await dialog.getByRole('button', { name: 'Send once' }).click();
    await dialog.getByText(/^Delivered/).waitFor();
    const [, edited] = await world.receiver.until(2);
    assert.equal(edited.body, laidOut);
    await body.fill('{"a": ');
    await lines.waitFor({ state: 'detached' });
  },

  'the command of the page sends the same bytes, validly signed': async (visit) => {
    const { world, delivery } = await delivered(visit);
    const { page } = visit;
    assert.equal(await page.locator('main b, main script').count(), 0);
    const command = await page.locator('.command').getByText(/^curl/).textContent();
    await promisify(execFile)('sh', ['-c', command], { timeout: PATIENCE });
    const [real, repeated] = await world.receiver.until(2);
    assert.equal(repeated.path, real.path);
    assert.equal(repeated.headers['x-signature'], signature(world.channel.secret, repeated.body));
    assert.equal(repeated.headers['webhook-id'], delivery.id);
    const [one, other] = [JSON.parse(real.body), JSON.parse(repeated.body)];
    assert.deepEqual({ ...other, time: one.time }, one);
    assert.ok(repeated.body.includes('<b>bold</b>'));
  },

  'a callback is shown in the other version, byte by byte too': async (visit) => {
    await delivered(visit);
    const { page } = visit;
    const body = page.getByRole('region', { name: 'Callback body' });
    await body.getByText('"account_id"').waitFor();
    await page.getByRole('button', { name: 'v1', exact: true }).click();
    await body.getByText('"conversation_id": "c-1"').waitFor();
    await page.getByRole('button', { name: 'bytes' }).click();
    await body.getByText(/^0000 {2}7b 22/).waitFor();
    await visit.isAccessible('bytes');
  },

  'a queued callback is discarded after a second click': async (visit) => {
    const world = await visit.world();
    // Not tried again meanwhile: after a few more failures it would not wait, but be held.
    world.receiver.answerWith(500, { 'Retry-After': '3600' }, 'broken');
    await replied(visit, world, 'Good morning', 'waiting');
    await visit.signIn(world);
    await visit.open(world, `${ofChannel(world)}&group=waiting`);
    await giveToken(visit);
    const { page } = visit;
    await page.getByRole('link', { name: /Waiting for retry/ }).click();
    await page.getByRole('button', { name: 'Discard the callback', exact: true }).click();
    await page.getByRole('button', { name: 'Discard permanently' }).click();
    await visit.sees('heading', 'Cancelled');
    await visit.sees('No callbacks match the filter.');
    await page.getByRole('button', { name: 'Clear the filter' }).click();
    await page.waitForURL((url) => url.search === '');
  },

  'a filter replays many callbacks in a job that shows progress': async (visit) => {
    const world = await visit.world();
    world.receiver.answerWith(...GIVE_UP);
    const first = await replied(visit, world, 'one', 'dead');
    const second = await replied(visit, world, 'two', 'dead', 'c-2');
    world.receiver.answerWith(200);
    await visit.signIn(world);
    await visit.open(world, ofChannel(world));
    await giveToken(visit);
    const { page } = visit;
    await page.getByRole('button', { name: 'Replay callbacks…' }).click();
    const dialog = await visit.sees('dialog', 'Replay callbacks');
    await dialog.getByRole('button', { name: 'Replay callbacks' }).click();
    await dialog.getByText('Done: 2 queued again, 0 skipped').waitFor();
    await visit.isAccessible('replays');
    for (const { id } of [first, second]) {
      await visit.until(`${id} arrived`, async () => {
        const delivery = await world.operatorApi('GET', `/admin/v1/deliveries/${id}`);
        return delivery.state === 'delivered';
      });
    }
  },

  'callbacks are listed live, newest first, filtered by state': async (visit) => {
    const world = await visit.world();
    await visit.signIn(world);
    await visit.open(world, ofChannel(world));
    await giveToken(visit);
    const { page } = visit;
    await visit.sees('No callbacks match the filter.');
    // From here on nothing is opened again: rows come while the page is looked at.
    await page.evaluate(() => (window.isSame = true));
    const rows = page.getByRole('region', { name: 'Callbacks, newest first' }).getByRole('link');
    const ids = () => rows.evaluateAll((all) => all.map((row) => decodeURIComponent(row.pathname.split('/').at(-1))));
    const shows = (wanted) => visit.until(`rows ${wanted}`, async () => (await ids()).join() === wanted.map(({ id }) => id).join());
    const chip = (name) => page.getByRole('group', { name: 'State' }).getByRole('button', { name, exact: true });
    const arrived = await replied(visit, world, 'first', 'delivered');
    await shows([arrived]);
    world.receiver.answerWith(...GIVE_UP);
    const lost = await replied(visit, world, 'second', 'dead', 'c-2');
    await shows([lost, arrived]);
    world.receiver.answerWith(503, { 'Retry-After': '3600' });
    const due = await replied(visit, world, 'third', 'held', 'c-3');
    await shows([due, lost, arrived]);
    await rows.nth(0).getByText('Held').waitFor();
    await rows.nth(1).getByText('Dead').waitFor();
    await rows.nth(2).getByText('Delivered').waitFor();
    // A row says whose callback it is and why it has not arrived, and of today the time alone.
    await rows.nth(2).getByText('c-1', { exact: true }).waitFor();
    await rows.nth(2).getByText('Text · tg-bot', { exact: true }).waitFor();
    await rows.nth(1).getByText(/^422 · /).waitFor();
    assert.match(await rows.nth(2).locator('time').innerText(), /^\d\d:\d\d:\d\d$/);
    await visit.isAccessible('all');
    for (const [name, group, wanted] of [
      ['Failed', 'failed', [lost]],
      ['Waiting', 'waiting', [due]],
      ['Delivered', 'delivered', [arrived]],
      ['All', null, [due, lost, arrived]],
    ]) {
      await chip(name).click();
      await shows(wanted);
      assert.equal(await chip(name).getAttribute('aria-pressed'), 'true');
      assert.equal(new URL(page.url()).searchParams.get('group'), group);
    }
    assert.equal(await page.evaluate(() => window.isSame), true);
  },

  'an empty list explains what it shows and how to send': async (visit) => {
    await visit.page.route('**/admin/v1/deliveries?*', (route) => route.fulfill({ json: { deliveries: [], next: null } }));
    await atAsOperator(visit, '/callbacks');
    await visit.sees('No callbacks yet');
    await visit.sees(/reply "Hello"$/);
    await visit.isAccessible('empty');
  },

  'a delivered callback is replayed after a second click': async (visit) => {
    const world = await visit.world();
    world.receiver.answerWith(200, {}, 'Thank you <b>very</b> much');
    const delivery = await replied(visit, world, 'Good morning', 'delivered');
    await visit.signIn(world);
    await visit.open(world, ofChannel(world));
    await giveToken(visit);
    const { page } = visit;
    await page.getByRole('link', { name: /Delivered/ }).click();
    await visit.sees('heading', 'Delivered');
    const attempts = page.getByRole('table').filter({ hasText: 'Response body' });
    await attempts.getByText('Thank you <b>very</b> much').waitFor();
    await visit.sees('region', 'Callback body');
    await page.getByRole('button', { name: 'Replay the callback', exact: true }).click();
    const again = page.getByRole('button', { name: 'Already delivered: send it again' });
    await again.waitFor();
    await visit.isAccessible('delivered');
    assert.equal(world.receiver.got.length, 1);
    await again.click();
    const [first, second] = await world.receiver.until(2);
    assert.equal(second.headers['webhook-id'], delivery.id);
    // On a busy machine an attempt may end before it reaches the receiver: it counts too.
    assert.equal(Number(second.headers['x-delivery-attempt']), Number(first.headers['x-delivery-attempt']) + 1);
    assert.deepEqual({ ...JSON.parse(second.body), time: 0 }, { ...JSON.parse(first.body), time: 0 });
    await visit.until('two attempts', async () => (await attempts.getByText('200', { exact: true }).count()) === 2);
    await visit.sees('heading', 'Delivered');
    await visit.sees(/^1 time$/);
    await page.getByRole('button', { name: 'Replay the callback', exact: true }).waitFor();
  },

  'loaded rows stay when new ones arrive, and an id opens any': async (visit) => {
    const world = await visit.world();
    const done = await replied(visit, world, 'arrived', 'delivered');
    await world.operatorApi('POST', `/admin/v1/channels/${world.channel.id}/pause`, {});
    const { conversation_id: id } = await world.says('c-1', 'Good day');
    for (let number = 0; number < 60; number += 1) await world.replies(id, `number ${number}`);
    await visit.signIn(world);
    await visit.open(world, ofChannel(world));
    await giveToken(visit);
    const { page } = visit;
    const rows = page.getByRole('region', { name: 'Callbacks, newest first' }).getByRole('link');
    const places = () => rows.evaluateAll((all) => all.map((row) => row.pathname));
    await visit.until('50 rows', async () => (await rows.count()) === 50);
    await page.getByRole('button', { name: 'Show more' }).click();
    await visit.until('61 rows', async () => (await rows.count()) === 61);
    const before = await places();
    const { id: newest } = await world.replies(id, 'one more');
    await page.locator(`a[href^="/callbacks/${newest}"]`).waitFor();
    assert.deepEqual(await places(), [`/callbacks/${newest}`, ...before]);
    await page.getByLabel('Open by message id').fill(done.id);
    await page.keyboard.press('Enter');
    await visit.sees('heading', 'Delivered');
    await page.getByLabel('Open by message id').fill('30c362b9-9201-4864-8c24-1f637b1733ed');
    await page.keyboard.press('Enter');
    await visit.sees(/there is no such delivery/);
  },

  'the reason of a delivery is in the language of the reader': async (visit) => {
    const world = await visit.world();
    world.receiver.answerWith(...GIVE_UP);
    const delivery = await replied(visit, world, 'Good morning', 'dead');
    await visit.signIn(world);
    await visit.open(world, '/health');
    await giveToken(visit);
    for (const [language, reason] of [
      ['en', 'The integration answered 422: it rejects this message and asks for no further attempt'],
      ['ru', 'Интеграция ответила 422: она отклоняет это сообщение и просит не повторять попытки'],
      ['es', 'La integración respondió 422: rechaza este mensaje y pide no hacer más intentos'],
    ]) {
      await visit.page.evaluate((it) => localStorage.setItem('switchboard.language', it), language);
      await visit.open(world, `/callbacks/${delivery.id}`);
      await visit.sees(reason);
      await visit.open(world, `/conversations/${delivery.conversation_id}`);
      await visit.sees(new RegExp(reason));
    }
    // A code that this console does not know yet.
    await visit.page.route(`**/admin/v1/deliveries/${delivery.id}`, (route) =>
      route.fulfill({ json: { ...delivery, reason: 'a new sentence', reason_code: 'constructor' } }),
    );
    await visit.open(world, `/callbacks/${delivery.id}`);
    await visit.sees('a new sentence');
  },

  'a page without the operator token shows nothing': async (visit) => {
    const world = await visit.at('/callbacks');
    const { page } = visit;
    await page.getByLabel('Operator token').fill(world.admin.token);
    await page.getByRole('button', { name: 'Continue' }).click();
    await visit.sees('The operator token is wrong.');
    await visit.isAccessible('gate');
    assert.equal(await page.getByRole('region').count(), 0);
  },
});
