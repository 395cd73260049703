// The consent page, to which other sites lead, and the integrations of an account.

import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { cases } from '../support/cases.mjs';
import { busyClient, installs, oauthClient, SITE, tokens } from '../support/oauth.mjs';

const at = (client, more = {}) => `/oauth?${new URLSearchParams({ client_id: client.id, state: 'st/1 ü', ...more })}`;
const ARRIVED = '<title>arrived</title>';

/** A page of a site that opens the consent page, and shows what it is told. */
const OPENER = (address) => `<title>opener</title><button onclick="open('${address}', '_blank', 'width=500,height=700')">Connect</button>
  <output></output><script>onmessage = ({ data, origin }) => {
    document.querySelector('output').textContent = JSON.stringify({ data, origin });
  };</script>`;

/** A world with a client, at the consent page as its administrator. */
async function asked(visit, more) {
  const world = await visit.world();
  world.client = await oauthClient(world);
  await visit.site(SITE, ARRIVED);
  await visit.signIn(world);
  await visit.open(world, at(world.client, more));
  return world;
}

async function signIn(visit, { email, password }) {
  await visit.page.getByLabel('E-mail').fill(email);
  await visit.page.getByLabel('Password').fill(password);
  await visit.page.getByRole('button', { name: 'Sign in' }).click();
}

/** The parameters with which the client is reached. */
async function arrival(page) {
  await page.waitForURL((url) => url.origin === SITE && url.pathname === '/callback');
  return Object.fromEntries(new URL(page.url()).searchParams);
}

/** A page of the site opens the consent page in a window of its own, in this mode. */
async function opened(visit, mode, site = SITE) {
  const world = await visit.world();
  world.client = await oauthClient(world);
  await visit.site(SITE, ARRIVED);
  const address = world.base + at(world.client, { mode });
  await visit.site(site, OPENER(address));
  await visit.signIn(world);
  await visit.page.goto(`${site}/settings`);
  const popup = visit.context.waitForEvent('page');
  await visit.page.getByRole('button', { name: 'Connect' }).click();
  world.popup = await popup;
  return world;
}

const grantOf = async (world) => (await world.api('GET', `/inbox/v1/oauth-clients/${world.client.id}`)).grant;
const noChoice = async (page) => {
  for (const name of ['Allow', 'Deny']) assert.equal(await page.getByRole('button', { name, exact: true }).count(), 0);
};

await cases({
  'a visitor signs in, allows a client, and arrives there with a code': async (visit) => {
    const world = await visit.world();
    const client = await oauthClient(world);
    await visit.site(SITE, ARRIVED);
    const verifier = 'dBjftJeZ4CVP-mB92K27uhbUJU1p1r_wW1gFWFOEjXk';
    const challenge = createHash('sha256').update(verifier).digest('base64url');
    const pkce = { code_challenge: challenge, code_challenge_method: 'S256' };
    const page = await visit.open(world, at(client, { response_type: 'code', redirect_uri: client.redirect_uri, ...pkce }));
    await signIn(visit, world.admin);
    await visit.sees('heading', 'Allow “Demo bridge” to use this account?');
    for (const text of ['Acme Sales', 'Ann Miller', world.admin.email, 'bridge.example']) await visit.sees(text);
    await visit.sees('It cannot read the password.');
    await visit.isAccessible('consent');
    await page.getByRole('button', { name: 'Allow' }).click();
    const { code, ...rest } = await arrival(page);
    const referer = new URL(world.base).host;
    assert.deepEqual(rest, { tenant: '7', state: 'st/1 ü', referer, platform: '1', client_id: client.id });
    assert.equal((await tokens(world, client, { code })).status, 400);
    const issued = await tokens(world, client, { code, code_verifier: verifier });
    assert.equal(issued.status, 200, JSON.stringify(issued));
    const account = await world.api('GET', '/api/v4/account', { token: issued.access_token });
    assert.equal(account.name, 'Acme Sales');
  },

  'the page lists the scopes in plain words, and what it listed is granted': async (visit) => {
    const world = await asked(visit);
    const { page } = visit;
    await visit.sees('Read the messages of talks');
    await visit.sees('Write to customers in talks as a bot');
    // The operator takes a scope away, and gives it back while an administrator looks at the page.
    const atOperator = `/admin/v1/oauth-clients/${world.client.id}`;
    await world.operatorApi('PATCH', atOperator, { send_external_messages: false });
    await page.reload();
    await visit.sees('Read the messages of talks');
    assert.equal(await page.getByText('Write to customers in talks as a bot').count(), 0);
    await world.operatorApi('PATCH', atOperator, { send_external_messages: true });
    await page.getByRole('button', { name: 'Allow' }).click();
    const { code } = await arrival(page);
    const issued = await tokens(world, world.client, { code });
    const claims = JSON.parse(Buffer.from(issued.access_token.split('.')[1], 'base64url'));
    assert.deepEqual(claims.scopes, ['crm', 'notifications', 'list_external_messages']);
    assert.deepEqual((await grantOf(world)).scopes, ['list_external_messages']);
  },

  'a denial arrives at the client, and nothing is installed': async (visit) => {
    const world = await asked(visit);
    await visit.page.getByRole('button', { name: 'Deny' }).click();
    assert.deepEqual(await arrival(visit.page), { tenant: '7', error: 'access_denied', state: 'st/1 ü' });
    assert.equal(await grantOf(world), null);
  },

  'a user who is no administrator cannot allow a client': async (visit) => {
    const world = await visit.world();
    const client = await oauthClient(world);
    await visit.signIn(world, await world.user('Boris'));
    const page = await visit.open(world, at(client));
    await visit.sees(/^Only an administrator of the account can install an integration/);
    await noChoice(page);
    await visit.isAccessible('no administrator');
    // Who meant another account goes on from here.
    await page.getByRole('button', { name: 'Use another account' }).click();
    await visit.sees('heading', 'Sign in');
    await signIn(visit, world.admin);
    await visit.sees('button', 'Allow');
    assert.equal(new URL(page.url()).searchParams.get('client_id'), client.id);
  },

  'a request that is wrong has its reason, and no button': async (visit) => {
    const world = await asked(visit, { redirect_uri: 'https://stranger.example/callback' });
    const { page } = visit;
    await visit.sees(/https:\/\/stranger\.example\/callback/);
    await noChoice(page);
    await visit.isAccessible('refused');
    const other = await visit.world({ name: 'Other' });
    const strange = await oauthClient(other);
    for (const path of ['/oauth', at({ id: '00000000-0000-4000-8000-000000000000' }), at({ id: '../x' }), at(strange)]) {
      await visit.open(world, path);
      await visit.page.getByRole('alert').waitFor();
      await visit.sees('The integration cannot be installed');
      await noChoice(page);
    }
    // What only the decision shows is said beside the buttons, and nobody is sent anywhere.
    await visit.open(world, at(world.client, { code_challenge: 'short' }));
    await page.getByRole('button', { name: 'Allow' }).click();
    await page.getByRole('alert').getByText('code_challenge').waitFor();
    assert.equal(await grantOf(world), null);
  },

  'a popup opens the client in the window that opened it': async (visit) => {
    const world = await opened(visit, 'popup');
    const closed = world.popup.waitForEvent('close');
    await world.popup.getByRole('button', { name: 'Allow' }).click();
    const { code, state } = await arrival(visit.page);
    await closed;
    assert.equal(state, 'st/1 ü');
    assert.equal((await tokens(world, world.client, { code })).status, 200);
  },

  'with post_message, the client opens in the popup itself': async (visit) => {
    const world = await opened(visit, 'post_message');
    await world.popup.getByRole('button', { name: 'Allow' }).click();
    const { code, state } = await arrival(world.popup);
    assert.equal(state, 'st/1 ü');
    assert.equal((await tokens(world, world.client, { code })).status, 200);
  },

  'with post_message, a denial is a message to the client': async (visit) => {
    const world = await opened(visit, 'post_message');
    const closed = world.popup.waitForEvent('close');
    await world.popup.getByRole('button', { name: 'Deny' }).click();
    await closed;
    const { data } = JSON.parse(await visit.page.locator('output:not(:empty)').textContent());
    assert.deepEqual(data, { error: 'access_denied', state: 'st/1 ü' });
  },

  'a page of another site is told nothing': async (visit) => {
    const world = await opened(visit, 'post_message', 'https://stranger.example');
    const closed = world.popup.waitForEvent('close');
    await world.popup.getByRole('button', { name: 'Deny' }).click();
    await closed;
    assert.equal(await grantOf(world), null);
    // A message to the page itself comes behind all that were sent before.
    await visit.page.evaluate(() => new Promise((done) => (addEventListener('message', done, { once: true }), postMessage('last', '*'))));
    assert.match(await visit.page.locator('output').textContent(), /^\{"data":"last"/);
    // The browser notes on its console that the message went nowhere.
    visit.watched.wrong = visit.watched.wrong.filter((wrong) => !wrong.includes("Failed to execute 'postMessage'"));
  },

  'no page may frame the consent page': async (visit) => {
    const world = await visit.world();
    const client = await oauthClient(world);
    const answer = await fetch(world.base + at(client));
    assert.match(answer.headers.get('content-security-policy'), /frame-ancestors 'none'/);
    assert.equal(answer.headers.get('cross-origin-opener-policy'), 'unsafe-none');
    const other = await fetch(`${world.base}/integrations`);
    assert.equal(other.headers.get('cross-origin-opener-policy'), 'same-origin');
  },

  'an integration is installed from inside the account, and uninstalled': async (visit) => {
    const world = await visit.world();
    world.client = await oauthClient(world, { name: 'Demo <b>bridge</b>' });
    await busyClient(world, { name: 'Another bridge' });
    await visit.site(SITE, ARRIVED);
    await visit.signIn(world);
    const page = await visit.open(world, '/integrations');
    const rows = page.getByRole('region', { name: 'Integrations' }).getByRole('link');
    await rows.nth(1).waitFor();
    assert.match(await rows.nth(0).textContent(), /^Another bridge.*Installed/);
    await rows.filter({ hasText: 'Demo <b>bridge</b>' }).click();
    await visit.sees('heading', 'Demo <b>bridge</b>');
    await visit.sees('Not installed');
    await visit.isAccessible('not installed');
    await page.getByRole('button', { name: 'Install', exact: true }).click();
    const { code, from_widget } = await arrival(page);
    assert.equal(from_widget, '1');
    assert.equal((await tokens(world, world.client, { code })).status, 200);
    await visit.open(world, `/integrations/${world.client.id}`);
    await visit.sees('Ann Miller (you)');
    await page.getByRole('button', { name: 'Uninstall' }).click();
    const dialog = await visit.sees('dialog', 'Uninstall “Demo <b>bridge</b>”?');
    await visit.isAccessible('uninstall');
    await dialog.getByRole('button', { name: 'Uninstall' }).click();
    await visit.sees('Not installed');
    assert.equal(await grantOf(world), null);
  },

  'the users whom an uninstalled integration leaves are listed': async (visit) => {
    const world = await visit.world();
    const client = await oauthClient(world);
    const code = (await installs(world, client)).searchParams.get('code');
    const { access_token: token } = await tokens(world, client, { code });
    const email = `eve-${world.account}@example.com`;
    await world.api('POST', '/api/v4/users', { token, body: [{ name: 'Eve Hill', email, password: 'aBcde1@345' }] });
    await visit.signIn(world);
    const page = await visit.open(world, `/integrations/${client.id}`);
    await page.getByRole('button', { name: 'Uninstall' }).click();
    await (await visit.sees('dialog', /^Uninstall/)).getByRole('button', { name: 'Uninstall' }).click();
    const row = page.getByRole('region', { name: 'Users that stay' }).getByRole('row').filter({ hasText: email });
    await row.waitFor();
    await visit.isAccessible('users that stay');
    await row.getByRole('link', { name: 'Eve Hill' }).click();
    await visit.sees('heading', 'Eve Hill');
  },

  'a message that a client wrote shows the client beside the user': async (visit) => {
    const world = await visit.world();
    const client = await oauthClient(world, { name: 'Demo <b>bridge</b>' });
    const code = (await installs(world, client)).searchParams.get('code');
    const { access_token: token } = await tokens(world, client, { code });
    const { conversation_id: id } = await world.says('c', 'Hello');
    const body = { type: 'text', text: 'from the bridge' };
    await world.api('POST', `/inbox/v1/conversations/${id}/messages`, { token, body });
    await visit.signIn(world);
    await visit.open(world, `/conversations/${id}`);
    await visit.sees(/^Ann Miller via Demo <b>bridge<\/b>/);
    await visit.isAccessible('a message of a client');
  },

  'long-lived tokens are shown once and revoked': async (visit) => {
    const world = await visit.world();
    const client = await oauthClient(world);
    await visit.signIn(world);
    const page = await visit.open(world, `/integrations/${client.id}`);
    await page.getByRole('button', { name: 'Create a token' }).click();
    const form = await visit.sees('dialog', 'Create a token');
    await form.getByText('Creating a token installs the integration.').waitFor();
    await form.getByLabel('Purpose').fill('Nightly <i>report</i>');
    await form.getByLabel(/^Validity/).fill('1825');
    await visit.isAccessible('create a token');
    await form.getByRole('button', { name: 'Create a token' }).click();
    const made = await visit.sees('dialog', 'The token “Nightly <i>report</i>”');
    const token = await made.locator('.facts code').textContent();
    assert.equal((await world.api('GET', '/api/v4/account', { token })).name, 'Acme Sales');
    await visit.isAccessible('token');
    await made.getByRole('button', { name: 'I copied the token' }).click();
    const row = page.getByRole('row').filter({ hasText: 'Nightly <i>report</i>' });
    await row.getByText('Ann Miller (you)').waitFor();
    assert.ok(!(await page.content()).includes(token));
    await row.getByRole('button', { name: 'Revoke' }).click();
    const dialog = await visit.sees('dialog', /^Revoke the token/);
    await dialog.getByRole('button', { name: 'Revoke' }).click();
    await row.waitFor({ state: 'detached' });
    await assert.rejects(world.api('GET', '/api/v4/account', { token }), / 401 /);
  },

  'the history names the request that used a token': async (visit) => {
    const world = await visit.world();
    const client = await busyClient(world);
    await visit.signIn(world);
    const page = await visit.open(world, `/integrations/${client.id}`);
    const rows = page.getByRole('region', { name: 'Token history' }).locator('tbody tr');
    await rows.nth(2).waitFor();
    const texts = await rows.allTextContents();
    assert.equal(texts.length, 3);
    assert.match(texts[0], /^Refresh token.*Not used$/);
    assert.match(texts[1], /^Refresh token.*Demo-Bridge\/1\.4.*127\.0\.0\.1$/);
    assert.match(texts[2], /^Authorization code.*Demo-Bridge\/1\.4.*127\.0\.0\.1$/);
    await visit.isAccessible('history');
    // What happens while somebody looks is shown.
    const again = await installs(world, client);
    await tokens(world, client, { code: again.searchParams.get('code') }, 'curl/8.14.1');
    await rows.filter({ hasText: 'curl/8.14.1' }).waitFor();
    await visit.signIn(world, await world.user('Boris'));
    await visit.open(world, '/integrations');
    await visit.sees('This page is for administrators of the account');
    assert.equal(await page.getByRole('link', { name: 'Integrations' }).count(), 0);
  },
});
