// The page of the API: every operation is read, found and tried, signed where it has to be.

import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { createHash } from 'node:crypto';
import { promisify } from 'node:util';
import { PATIENCE, cases, settings } from '../support/cases.mjs';
import { atAsOperator, signature } from '../support/operator.mjs';

const run = promisify(execFile);

/** The text of a command of the form, once it has this in it. */
async function command(visit, pattern) {
  const shown = visit.page.locator('.try .command').filter({ hasText: pattern }).last();
  await shown.waitFor();
  return shown.locator('code').textContent();
}

/** What was answered. «Responses» is another region: what the document says of all answers, which is there before any. */
const response = (page) => page.getByRole('region', { name: 'Response', exact: true });

await cases({
  'every operation and callback is listed and has a URL': async (visit) => {
    const world = await visit.at('/reference');
    const { page } = visit;
    const document = await (await fetch(`${world.base}/openapi.json`)).json();
    const ids = [...Object.values(document.paths), ...Object.values(document.webhooks)].flatMap((methods) =>
      Object.values(methods).map((operation) => operation.operationId),
    );
    const rows = page.getByRole('region', { name: 'Operations' }).locator('section').getByRole('link');
    await visit.until('all rows', async () => (await rows.count()) === ids.length);
    const links = await rows.evaluateAll((all) => all.map((it) => it.getAttribute('href')));
    assert.deepEqual(links.toSorted(), ids.map((id) => `/reference/${id}`).toSorted());
    await visit.sees('heading', 'Switchboard 0.1.0');
    await visit.isAccessible('overview');
    const headings = await page.locator('h2.group, .schemes dt').allTextContents();
    const names = [...document.tags.map(({ name }) => name), ...Object.keys(document.components.securitySchemes)];
    assert.ok(headings.length > 12, headings.join());
    assert.deepEqual(headings.filter((it) => names.includes(it)), [], 'names for programs');
    await page.keyboard.press('/');
    await page.keyboard.type('reply_to quoted');
    await visit.sees('No operation matches the search.');
    await page.getByLabel('Search operations and fields').fill('hook_api_version is_time_window_disabled');
    await visit.until('one row', async () => (await rows.count()) === 1);
    await rows.first().click();
    await page.getByRole('heading', { name: /POST .*\/connect/ }).waitFor();
    assert.equal(new URL(page.url()).pathname, '/reference/connect');
    await page.reload();
    await page.getByRole('region', { name: 'Body', exact: true }).getByText('hook_api_version').first().waitFor();
    await visit.isAccessible('operation');
  },

  'a callback page shows an example of each body': async (visit) => {
    const world = await visit.at('/reference');
    const { webhooks } = await (await fetch(`${world.base}/openapi.json`)).json();
    const wanted = { messageV1: ['text', 'picture', 'file'], messageV2: ['text', 'picture', 'file'], typing: ['typing'], reaction: ['reaction'] };
    assert.deepEqual(Object.keys(webhooks).toSorted(), Object.keys(wanted).toSorted());
    for (const [name, kinds] of Object.entries(wanted)) {
      const { operationId, requestBody } = webhooks[name].post;
      const { examples } = requestBody.content['application/json'];
      assert.deepEqual(Object.keys(examples).toSorted(), kinds.toSorted());
      await visit.open(world, `/reference/${operationId}`);
      for (const kind of kinds) {
        const shown = await visit.sees('region', `Example body: ${kind}`);
        assert.deepEqual(JSON.parse(await shown.textContent()), examples[kind].value);
      }
      await visit.isAccessible(name);
    }
  },

  'a message is signed with the secret, as is its command': async (visit) => {
    const world = await visit.at('/reference/sendMessage');
    const { page } = visit;
    await page.getByLabel('Channel secret').fill(world.channel.secret);
    await page.getByLabel('scope_id (path)').fill(world.scope);
    const event = JSON.parse(await page.getByLabel('Request body').inputValue());
    event.payload.message.text = `It's é & "so" $(id)`;
    const body = JSON.stringify(event);
    await page.getByLabel('Request body').fill(body);
    await page.getByRole('button', { name: 'Send the request', exact: true }).click();
    const answer = response(page);
    await answer.getByText('200').first().waitFor();
    await answer.getByText('"new_message"').waitFor();
    await page.getByRole('table', { name: 'Request' }).getByText(signature(world.channel.secret, body)).waitFor();
    await visit.isAccessible('answer');
    // The same once more: the service knows it by its msgid.
    const { stdout } = await run('sh', ['-c', await command(visit, /^curl/)], { timeout: PATIENCE });
    assert.match(stdout, /^HTTP\/1.1 200[^]*idempotent-replayed: true/i);
    // «Send» once more is another message of now, and what somebody wrote stays.
    const sent = () => page.getByLabel('Request body').inputValue().then((text) => JSON.parse(text).payload);
    const before = await sent();
    assert.ok(Math.abs(before.timestamp - Date.now() / 1000) < 600, 'the time is that of now');
    await page.getByRole('button', { name: 'Send the request', exact: true }).click();
    await visit.until('another msgid', async () => (await sent()).msgid !== before.msgid);
    assert.equal((await sent()).message.text, event.payload.message.text);
    await answer.getByText((await sent()).msgid).waitFor();
    assert.ok(!(await page.evaluate(() => JSON.stringify({ ...localStorage, ...sessionStorage }))).includes(world.channel.secret));
  },

  'errors of a request are answered and shown': async (visit) => {
    const world = await visit.at('/reference/sendMessage');
    const { page } = visit;
    await visit.sees('To sign the request, enter the channel secret.');
    await page.getByLabel('Channel secret').fill('another');
    await page.getByLabel('scope_id (path)').fill(world.scope);
    await page.getByRole('button', { name: 'Send the request', exact: true }).click();
    const answer = response(page);
    await answer.getByText('403').first().waitFor();
    await answer.getByText(/ORIGIN_INVALID_SIGNATURE/).waitFor();
  },

  'the current signature and its command are accepted': async (visit) => {
    const world = await visit.at('/reference/openChat');
    const { page } = visit;
    await page.getByLabel('Channel secret').fill(world.channel.secret);
    await page.getByLabel('scope_id (path)').fill(world.scope);
    await visit.sees(/A browser does not let a page set the Date header/);
    assert.equal(await page.getByRole('button', { name: 'Send the request', exact: true }).count(), 0);
    const body = await page.getByLabel('Request body').inputValue();
    const line = await command(visit, new RegExp(`^curl[^]*${world.scope}`));
    assert.ok(line.includes(createHash('md5').update(body).digest('hex')));
    const text = await command(visit, /^POST\n/);
    assert.deepEqual(text.split('\n').with(3, 'date'), ['POST', createHash('md5').update(body).digest('hex'), 'application/json', 'date', `/v2/origin/custom/${world.scope}/chats`]);
    const { stdout } = await run('sh', ['-c', line], { timeout: PATIENCE });
    assert.match(stdout, /^HTTP\/1.1 200/);
  },

  'the service signs for the operator as a channel': async (visit) => {
    const world = await atAsOperator(visit, '/reference/listChannels');
    const { page } = visit;
    await page.getByRole('button', { name: 'Send the request', exact: true }).click();
    await page.getByRole('region', { name: 'Response body' }).getByText(world.channel.id).first().waitFor();
    const shown = await command(visit, /^curl/);
    assert.ok(shown.includes('Bearer ••••••') && !(await page.content()).includes(settings.operator), shown);
    await page.getByLabel('Search operations and fields').fill('hook_api_version title');
    await page.getByRole('region', { name: 'Operations' }).getByRole('link', { name: /connect/ }).click();
    await page.getByLabel('Channel', { exact: true }).selectOption(world.channel.id);
    await page.getByRole('table', { name: 'Request' }).waitFor();
    await page.getByRole('button', { name: 'Send the request', exact: true }).click();
    const answer = response(page);
    await answer.getByText('200').first().waitFor();
    await answer.getByText(world.scope).waitFor();
    // Channel and scope are known: nothing is to be typed.
    await visit.open(world, '/reference/sendMessage');
    await page.getByLabel('Channel', { exact: true }).locator('option', { hasText: 'tg-bot' }).first().waitFor({ state: 'attached' });
    await page.getByLabel('Channel', { exact: true }).selectOption(world.channel.id);
    const scope = page.getByLabel('scope_id (path)');
    await scope.locator('option', { hasText: world.account }).waitFor({ state: 'attached' });
    assert.equal(await scope.inputValue(), world.scope);
    await page.getByRole('button', { name: 'Send the request', exact: true }).click();
    await answer.getByText('"new_message"').waitFor();
  },

  'requests use the session, and commands use a token': async (visit) => {
    const world = await visit.at('/reference/listen');
    const { page } = visit;
    await page.getByRole('button', { name: 'Send the request', exact: true }).click();
    const answer = response(page);
    await answer.getByText('event: ready').waitFor();
    await page.getByRole('button', { name: 'Stop the request' }).click();
    await answer.getByText('The response is incomplete.').waitFor();
    await visit.open(world, '/reference/createRoles');
    const body = page.getByLabel('Request body');
    await body.fill('{"name": "Tried from the page"}');
    await page.getByRole('button', { name: 'Send the request', exact: true }).click();
    await answer.getByText('201').first().waitFor();
    await command(visit, /"Authorization: Bearer \$USER_TOKEN"/);
    await page.getByLabel('Token of an account user').fill('wrong');
    await command(visit, /Bearer ••••••/);
    await page.getByRole('button', { name: 'Send the request', exact: true }).click();
    await answer.getByText('401').first().waitFor();
  },

  'the reference is complete on a phone and in all languages': {
    options: { viewport: { width: 390, height: 780 } },
    work: async (visit) => {
      const world = await visit.at('/reference');
      const { page } = visit;
      for (const [language, shown] of [['ru', 'Попробовать'], ['es', 'Probar'], ['en', 'Try it']]) {
        await page.evaluate((it) => localStorage.setItem('switchboard.language', it), language);
        await visit.open(world, '/reference/sendMessage');
        await visit.sees('heading', shown);
        assert.ok(await page.evaluate(() => document.documentElement.scrollWidth <= innerWidth), language);
        await visit.isAccessible(language);
        await visit.shot(`reference-narrow-${language}`);
      }
    },
  },
});
