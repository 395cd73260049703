// What integrations ask, and the signature doctor.

import assert from 'node:assert/strict';
import { cases, settings } from '../support/cases.mjs';
import { atAsOperator, giveToken, signature } from '../support/operator.mjs';

const ofChannel = (world) => `/requests?channel=${world.channel.id}`;
const text = (text) => JSON.stringify({
  event_type: 'new_message',
  payload: {
    timestamp: Math.floor(Date.now() / 1000),
    msgid: 'm-signed',
    conversation_id: 'c-1',
    sender: { id: 'u-1', name: 'Ada', avatar: 'https://images.example.com/a.png' },
    message: { type: 'text', text },
    silent: false,
  },
});

/** Sends a body under a signature that is made of another text; gives the status. */
async function post(world, body, signed = body, secret = world.channel.secret, path = `/v2/origin/custom/${world.scope}`) {
  const headers = { 'Content-Type': 'application/json', 'X-Signature': signature(secret, signed) };
  const response = await fetch(world.base + path, { method: 'POST', body, headers });
  await response.arrayBuffer();
  return response.status;
}

await cases({
  'a wrong signature appears live with its cause and remedy': async (visit) => {
    const world = await atAsOperator(visit, (it) => `${ofChannel(it)}&outcome=refused`);
    const { page } = visit;
    await visit.sees('No requests match the filter.');
    const body = text('<img src=x onerror=alert(1)>');
    const spaced = body.replaceAll('":', '": ').replaceAll(',"', ', "');
    assert.equal(await post(world, body, spaced), 403);
    await page.getByRole('link', { name: /403/ }).click();
    await visit.sees('The signature is wrong');
    const doctor = page.getByRole('region', { name: 'Signature', exact: true });
    await doctor.getByText(/another form of the same JSON was signed/).waitFor();
    await doctor.getByText(signature(world.channel.secret, spaced)).waitFor();
    await doctor.getByText(signature(world.channel.secret, body)).waitFor();
    await doctor.getByText(/hashlib.sha1/).waitFor();
    for (const [name, shown] of [['Node', /createHmac/], ['PHP', /hash_hmac/], ['Go', /hmac.New/], ['Rust', /new_from_slice/], ['shell', /openssl/]]) {
      await doctor.getByRole('button', { name, exact: true }).click();
      await doctor.getByText(shown).waitFor();
    }
    const shown = page.getByRole('region', { name: 'Body', exact: true });
    await shown.getByText('<img src=x onerror=alert(1)>').first().waitFor();
    assert.equal(await page.locator('main img').count(), 0);
    await visit.isAccessible('doctor');
    // What was signed by mistake becomes right when it is the body.
    await doctor.getByRole('button', { name: 'Check another body' }).click();
    await doctor.getByLabel('Another body').fill(spaced);
    await doctor.getByRole('button', { name: 'Compare' }).click();
    await doctor.getByText('The signature is correct').waitFor();
    await visit.isAccessible('try');
  },

  'a row says what sets it apart, in the language of the reader': async (visit) => {
    const world = await atAsOperator(visit, ofChannel);
    const { page } = visit;
    const rows = page.getByRole('region', { name: 'Requests of programs' }).getByRole('link');
    assert.equal(await post(world, text('one')), 200);
    const { conversation_id: id } = await world.says('c-2', 'two', { name: 'Boris' });
    const { id: message } = await world.replies(id, 'three');
    await world.receiver.until(1);
    await world.reports(message, 2);
    assert.equal(await post(world, text('one'), 'another'), 403);
    await visit.until('all are listed', async () => (await rows.count()) === 5);
    const shown = (await rows.allInnerTexts()).map((it) => it.split('\n').map((line) => line.trim()));
    const heads = shown.map((lines) => lines[0].replace(/^.*?(?=[A-Z])/, ''));
    assert.deepEqual(heads, ['Send or edit a message', 'Report a delivery status: read', 'Send or edit a message', 'Send or edit a message', 'Connect an account']);
    assert.ok(shown[0].includes('The signature is wrong'), shown[0].join(' / '));
    assert.ok(shown[2].some((line) => line === 'Boris · m-1 · tg-bot'), shown[2].join(' / '));
    assert.ok(shown[3].some((line) => line === 'Ada · m-signed · tg-bot'), shown[3].join(' / '));
    for (const lines of shown) assert.ok(lines.some((line) => /^\d\d:\d\d:\d\d$/.test(line)), lines.join(' / '));
    for (const [language, reason] of [['ru', 'Подпись неверна'], ['es', 'La firma es incorrecta']]) {
      await page.evaluate((it) => localStorage.setItem('switchboard.language', it), language);
      await page.reload();
      await page.locator('.split-list .line').first().getByText(reason).waitFor();
    }
  },

  'requests of the account interface and of OAuth are shown without secrets': async (visit) => {
    const world = await visit.world();
    const made = await world.api('POST', '/api/v4/leads', { body: [{ name: 'First' }] });
    const lead = made._embedded.leads[0].id;
    await world.api('PATCH', `/api/v4/leads/${lead}`, { body: { name: 'Second', secret: 'canary-of-a-secret' } }).catch(() => undefined);
    const form = new URLSearchParams({ client_id: crypto.randomUUID(), client_secret: 'canary-of-a-client', grant_type: 'refresh_token', refresh_token: 'canary-of-a-token' });
    assert.equal((await fetch(`${world.base}/oauth2/access_token`, { method: 'POST', body: form })).status, 401);
    const unread = { method: 'POST', body: 'canary-of-a-body', headers: { Authorization: 'Bearer canary-of-a-bearer' } };
    assert.equal((await fetch(`${world.base}/api/v4/leads`, unread)).status, 401);
    await visit.signIn(world);
    await visit.open(world, '/requests');
    await giveToken(visit);
    const { page } = visit;
    const rows = page.getByRole('region', { name: 'Requests of programs' }).getByRole('link');
    const surface = page.getByRole('group', { name: 'Interface' });
    await surface.getByRole('button', { name: 'Account' }).click();
    await page.waitForURL((url) => url.searchParams.get('surface') === 'account');
    assert.equal(await page.getByRole('combobox', { name: 'Channel' }).count(), 0, 'a channel has no such requests');
    await rows.filter({ hasText: 'Update a lead' }).filter({ hasText: `${lead} · Acme Sales · user 1` }).first().click();
    await page.getByRole('region', { name: 'Response', exact: true }).first().waitFor();
    await page.getByText('"secret": "***"').first().waitFor();
    await visit.isAccessible('of the account interface');
    await rows.filter({ hasText: 'Create leads' }).filter({ hasText: 'Unknown sender' }).first().click();
    await visit.sees(/^The service answered before it read the body/);
    await surface.getByRole('button', { name: 'OAuth' }).click();
    await rows.filter({ hasText: 'Get tokens' }).filter({ hasText: 'refresh_token · Unknown OAuth client' }).first().click();
    await page.getByText('client_secret=***').first().waitFor();
    assert.ok(!(await page.content()).includes('canary'));
  },

  'an id of any kind is explained, and a token is forgotten': async (visit) => {
    const world = await atAsOperator(visit, ofChannel);
    const { conversation_id: id } = await world.says('c-2', 'two', { name: 'Boris' });
    const { page } = visit;
    await page.getByRole('button', { name: 'Explain an id' }).click();
    const dialog = page.getByRole('dialog', { name: 'Explain an id' });
    const input = dialog.getByLabel('Id', { exact: true });
    const explain = dialog.getByRole('button', { name: 'Explain', exact: true });
    await input.fill(id);
    await explain.click();
    const conversation = dialog.getByRole('region', { name: 'Conversation', exact: true });
    await conversation.getByText('c-2', { exact: true }).waitFor();
    await conversation.getByText('Boris').waitFor();
    await conversation.getByText(world.scope).waitFor();
    assert.equal(await input.inputValue(), id);
    await visit.isAccessible('explained');
    // A msgid is looked up in its conversation.
    await input.fill('nobody');
    await explain.click();
    await dialog.getByText(/^Nothing has this id/).waitFor();
    await input.fill(settings.operator);
    await explain.click();
    await dialog.getByRole('region', { name: "Operator's token" }).waitFor();
    assert.equal(await input.inputValue(), '');
    assert.ok(!(await page.content()).includes(settings.operator));
    for (const [language, title] of [['ru', 'Объяснить идентификатор'], ['es', 'Explicar un identificador']]) {
      await page.evaluate((it) => localStorage.setItem('switchboard.language', it), language);
      await page.reload();
      await page.getByRole('button', { name: title }).click();
      await page.getByRole('dialog', { name: title }).getByRole('button', { name: title.split(' ')[0], exact: true }).waitFor();
    }
  },

  'hints and refusals are in the language of the reader': async (visit) => {
    const world = await visit.world();
    const body = text('one');
    const spaced = body.replaceAll('":', '": ').replaceAll(',"', ', "');
    assert.equal(await post(world, body, spaced), 403);
    assert.equal(await post(world, body, body, undefined, `/v2/origin/custom/${world.scope}/message`), 404);
    const event = JSON.parse(body);
    event.payload.timestamp = 'now';
    assert.equal(await post(world, JSON.stringify(event)), 400);
    await visit.signIn(world);
    const { page } = visit;
    await visit.open(world, `${ofChannel(world)}&outcome=refused`);
    await giveToken(visit);
    const texts = { ru: [/^Подписана другая запись того же JSON/, /имелось в виду POST/, /payload\.timestamp – /], es: [/^Se firmó otra forma del mismo JSON/, /¿quiso decir POST/, /payload\.timestamp tiene/] };
    for (const [language, [reserialised, meant, field]] of Object.entries(texts)) {
      await page.evaluate((it) => localStorage.setItem('switchboard.language', it), language);
      await page.reload();
      for (const [status, said] of [[403, reserialised], [404, meant], [400, field]]) {
        await page.locator('.split-list .line').filter({ hasText: String(status) }).first().click();
        await page.locator('article > .note.bad').getByText(said).waitFor();
        assert.equal(await page.locator('article > .note [lang=en], .part .note [lang=en]').count(), 0, `${language} ${status}`);
      }
    }
  },

  'requests that are not listed were processed, and the page says so': async (visit) => {
    const world = await visit.world();
    await visit.page.route('**/admin/v1/requests?*', async (route) => {
      const answer = await route.fetch();
      await route.fulfill({ response: answer, json: { ...(await answer.json()), left_out: 11_036 } });
    });
    await visit.signIn(world);
    await visit.open(world, '/requests');
    await giveToken(visit);
    await visit.sees(/^11,036 requests are not in this list: .* All of them were processed\.$/);
  },

  'invalid fields are marked in the body': async (visit) => {
    const world = await visit.world();
    const event = JSON.parse(text('hello'));
    event.payload.timestamp = 'now';
    delete event.payload.sender.id;
    assert.equal(await post(world, JSON.stringify(event)), 400);
    await visit.signIn(world);
    await visit.open(world, `${ofChannel(world)}&outcome=refused`);
    await giveToken(visit);
    const { page } = visit;
    await page.getByRole('link', { name: /400/ }).click();
    await visit.sees('The signature is correct');
    const marks = page.getByRole('region', { name: 'Body', exact: true }).locator('mark');
    await marks.filter({ hasText: '"timestamp": "now"' }).filter({ hasText: 'payload.timestamp:' }).waitFor();
    // What is not there is pointed at where it should be.
    await marks.filter({ hasText: '"sender": {' }).filter({ hasText: 'payload.sender.id:' }).waitFor();
    await visit.isAccessible('marks');
  },

  'the list can be paused, filtered and walked by keys': async (visit) => {
    const world = await atAsOperator(visit, ofChannel);
    const { page } = visit;
    const rows = page.getByRole('region', { name: 'Requests of programs' }).getByRole('link');
    await visit.until('the connection is listed', async () => (await rows.count()) === 1);
    await page.getByRole('button', { name: 'Pause updates', exact: true }).click();
    assert.equal(await post(world, text('while paused')), 200);
    const asked = [];
    page.on('request', (request) => asked.push(request.url()));
    await page.getByRole('main').getByRole('button', { name: 'Resume updates' }).click();
    await visit.until('it is listed now', async () => (await rows.count()) === 2);
    await visit.until('it asks again', () => asked.some((url) => url.includes('/admin/v1/requests')));
    await page.getByRole('button', { name: 'Rejected' }).click();
    await visit.sees('No requests match the filter.');
    await page.getByRole('button', { name: 'Clear the filter' }).click();
    await page.waitForURL((url) => url.search === '');
    await rows.first().waitFor();
    await page.keyboard.press('j');
    await visit.until('one is open', () => /^\/requests\/\d+$/.test(new URL(page.url()).pathname));
    await page.reload();
    await visit.sees('region', 'Response');
  },

  'addresses of unknown clients are shown as text': async (visit) => {
    const world = await visit.world();
    const path = `/v2/origin/custom/${encodeURIComponent('<script>alert(1)</script>')}/connect?<b>=%22%3E<i>`;
    assert.equal(await post(world, '<svg onload=alert(1)>', 'x', 'y', path), 404);
    await visit.signIn(world);
    await visit.open(world, '/requests?outcome=refused');
    await giveToken(visit);
    const { page } = visit;
    await page.getByRole('link', { name: /404.*Unknown channel/ }).first().click();
    await page.locator('.facts').getByText(/%3Cscript%3E/).waitFor();
    await visit.sees(/%22%3E/);
    assert.equal(await page.locator('main script, main b, main i, main svg[onload]').count(), 0);
    await visit.isAccessible('stranger');
  },
});
