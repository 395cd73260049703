// OAuth clients, as the operator manages them.

import assert from 'node:assert/strict';
import { cases } from '../support/cases.mjs';
import { busyClient, installs, oauthClient, SITE, tokens } from '../support/oauth.mjs';
import { atAsOperator, giveToken } from '../support/operator.mjs';

const at = (client) => `/oauth-clients/${client.id}`;

/** A world with a client that did something, at its page. */
async function atBusy(visit) {
  const world = await visit.world();
  world.client = await busyClient(world);
  await visit.signIn(world);
  await visit.open(world, at(world.client));
  await giveToken(visit);
  return world;
}

await cases({
  'a client is created and changed, and each secret is shown once': async (visit) => {
    const world = await atAsOperator(visit, '/oauth-clients', { name: `Acme ${Date.now()}` });
    const { page } = visit;
    await page.getByRole('button', { name: 'Create an OAuth client' }).click();
    const form = await visit.sees('dialog', 'Create an OAuth client');
    await form.getByLabel('Name').fill('<b>Bridge</b> & co');
    await form.getByLabel('Redirect address').fill('javascript:alert(1)');
    await form.getByRole('button', { name: 'Save' }).click();
    await form.locator('[aria-invalid]').waitFor();
    await visit.isAccessible('create');
    await form.getByLabel('Redirect address').fill(`${SITE}/callback`);
    await form.getByLabel('Uninstall hook').fill(`${SITE}/uninstalled`);
    await form.getByRole('combobox', { name: 'Channel' }).selectOption(world.channel.id);
    await form.getByLabel('Ask for writing to talks as a bot').uncheck();
    await form.getByLabel('All accounts').uncheck();
    const { name: account } = await world.api('GET', '/api/v4/account');
    await form.getByLabel(account).check();
    await form.getByRole('button', { name: 'Save' }).click();
    const made = await visit.sees('dialog', /^The secret of/);
    const secret = await made.locator('.facts code').textContent();
    await visit.isAccessible('secret');
    await made.getByRole('button', { name: 'I copied the secret' }).click();
    await visit.sees('heading', '<b>Bridge</b> & co');
    assert.ok(!(await page.content()).includes(secret));
    const id = new URL(page.url()).pathname.split('/').at(-1);
    const shown = () => world.operatorApi('GET', `/admin/v1/oauth-clients/${id}`);
    const { secret_fingerprint: fingerprint, ...client } = await shown();
    assert.deepEqual(client, {
      id,
      name: '<b>Bridge</b> & co',
      redirect_uri: `${SITE}/callback`,
      uninstall_hook: `${SITE}/uninstalled`,
      channel: world.channel.id,
      accounts: [world.account],
      list_external_messages: true,
      send_external_messages: false,
    });
    const granted = await installs(world, client);
    const code = granted.searchParams.get('code');

    await page.getByRole('button', { name: 'Edit the OAuth client' }).click();
    const editor = await visit.sees('dialog', 'Edit the OAuth client');
    await editor.getByLabel('Name').fill('Bridge two');
    await editor.getByLabel('Uninstall hook').fill('');
    await editor.getByRole('combobox', { name: 'Channel' }).selectOption('');
    await editor.getByRole('button', { name: 'Save' }).click();
    await visit.sees('heading', 'Bridge two');
    const changed = await shown();
    assert.deepEqual([changed.name, changed.uninstall_hook, changed.channel], ['Bridge two', null, null]);
    assert.deepEqual(changed.accounts, [world.account]);

    await page.getByRole('button', { name: 'Rotate the secret' }).click();
    const asking = await visit.sees('dialog', 'Rotate the secret');
    await asking.getByRole('button', { name: 'Rotate the secret' }).click();
    const second = await visit.sees('dialog', /^The secret of/);
    const other = await second.locator('.facts code').textContent();
    await second.getByRole('button', { name: 'I copied the secret' }).click();
    await page.getByText(fingerprint).waitFor({ state: 'detached' });
    assert.equal((await tokens(world, { ...client, secret }, { code })).status, 401);
    assert.equal((await tokens(world, { ...client, secret: other }, { code })).status, 200);
    await visit.isAccessible('client');
  },

  'token requests have their outcome, and a refusal has its hint': async (visit) => {
    const world = await atBusy(visit);
    const { page } = visit;
    const rows = page.getByRole('region', { name: 'Token requests' }).locator('tbody tr');
    await rows.nth(2).waitFor();
    const texts = await rows.allTextContents();
    assert.equal(texts.length, 3);
    assert.match(texts[0], /refresh_token.*amocrm-api-client.*127\.0\.0\.1.*Refused.*was used at .* by Demo-Bridge\/1\.4/);
    assert.match(texts[1], /refresh_token.*Demo-Bridge.*Tokens issued.*Acme Sales/);
    assert.match(texts[2], /authorization_code.*Demo-Bridge.*Tokens issued.*Acme Sales/);
    await visit.isAccessible('token requests');
    // What happens while somebody looks is shown.
    await tokens(world, world.client, { code: 'no-such-code' }, '<i>curl</i>/8');
    await rows.filter({ hasText: '<i>curl</i>/8' }).getByText(/did not issue this authorization code/).waitFor();
  },

  'the operator uninstalls a client from an account': async (visit) => {
    const world = await atBusy(visit);
    const { page } = visit;
    const part = page.getByRole('region', { name: 'Accounts that installed the client' });
    await part.getByRole('row').filter({ hasText: 'Acme Sales' }).getByRole('button', { name: 'Uninstall' }).click();
    const dialog = await visit.sees('dialog', 'Uninstall the client from Acme Sales?');
    await visit.isAccessible('uninstall');
    await dialog.getByRole('button', { name: 'Uninstall' }).click();
    await part.getByText('No account has installed the client.').waitFor();
    const client = await world.api('GET', `/inbox/v1/oauth-clients/${world.client.id}`);
    assert.equal(client.grant, null);
  },

  'an unknown client has no page of its own': async (visit) => {
    const world = await visit.world();
    await oauthClient(world);
    await visit.signIn(world);
    await visit.open(world, at({ id: '00000000-0000-4000-8000-000000000000' }));
    await giveToken(visit);
    await visit.sees('This OAuth client does not exist.');
  },
});
