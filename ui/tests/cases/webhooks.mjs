// The webhooks of an account, for its administrators, and what they were sent, for the operator.

import assert from 'node:assert/strict';
import { cases } from '../support/cases.mjs';
import { giveToken } from '../support/operator.mjs';
import { receiver } from '../support/world.mjs';

/** A world whose administrator is at this page. */
async function at(visit, path, options) {
  const world = await visit.world(options);
  await visit.signIn(world);
  await visit.open(world, path);
  return world;
}

/** A program of the world subscribes an address. */
const subscribes = (world, destination, settings, token) =>
  world.api('POST', '/api/v4/webhooks', { body: { destination, settings }, ...(token === undefined ? {} : { token }) });

const listed = (world) => world.api('GET', '/inbox/v1/webhooks');

await cases({
  'a webhook is created and deleted by keys': async (visit) => {
    const world = await at(visit, '/webhooks');
    const { page } = visit;
    await visit.sees('No webhooks yet');
    await visit.isAccessible('no webhooks');
    await page.getByRole('button', { name: 'Create a webhook' }).press('Enter');
    const form = await visit.sees('dialog', 'Create a webhook');
    await form.getByRole('group', { name: 'Events that never happen here' }).getByLabel('Company added').waitFor();
    assert.equal(await form.getByRole('group', { name: 'Events', exact: true }).getByLabel('Company added').count(), 0);
    await visit.isAccessible('create');
    // The service refuses an address with a password, beside the field.
    await form.getByLabel('Address').fill('https://me:secret@hooks.example.org/in');
    await form.getByLabel('Message of a customer').press('Space');
    await form.getByLabel('Address').press('Enter');
    await form.locator('[aria-invalid]').waitFor();
    await form.getByLabel('Address').fill('https://hooks.example.org/in?k=<b>7d1f</b>');
    await form.getByLabel('Company added').press('Space');
    await form.getByLabel('Address').press('Enter');
    await visit.sees('heading', 'hooks.example.org');
    const { webhooks } = await listed(world);
    assert.deepEqual(webhooks[0].settings, ['add_message', 'add_company']);
    assert.equal(webhooks[0].client_id, null);
    for (const text of ['Message of a customer', 'never happens here', world.admin.name]) await page.locator('article').getByText(text).waitFor();
    await visit.isAccessible('a webhook');
    await page.getByRole('button', { name: 'Delete' }).press('Enter');
    const sure = await visit.sees('dialog', 'Delete the webhook of hooks.example.org?');
    await sure.getByRole('button', { name: 'Delete' }).press('Enter');
    await visit.sees('No webhooks yet');
    assert.deepEqual((await listed(world)).webhooks, []);
  },

  'a webhook that is off says why, and is enabled': async (visit) => {
    const world = await visit.world();
    const { id } = await subscribes(world, 'https://hooks.example.org/in', ['add_lead']);
    await visit.signIn(world);
    const page = await visit.open(world, `/webhooks/${id}`);
    await page.locator('.connection.live').waitFor();
    const badge = page.getByRole('link', { name: 'Webhooks' }).locator('.count');
    assert.equal(await badge.count(), 0);
    await world.operatorApi('POST', `/admin/v1/accounts/${world.account}/webhooks/${id}/disable`);
    // Administrators get a notice on every page.
    await badge.getByText('1', { exact: true }).waitFor();
    await page.getByText(/^Disabled since .*The operator disabled it\./).waitFor();
    await visit.isAccessible('disabled');
    await page.getByRole('button', { name: 'Enable' }).click();
    await page.getByRole('button', { name: 'Enable' }).waitFor({ state: 'detached' });
    assert.equal((await listed(world)).webhooks[0].disabled_at, null);
  },

  'a webhook whose creator is no administrator any more has a warning': async (visit) => {
    const world = await visit.world();
    const boris = await world.user('Boris', { is_admin: true });
    const { id } = await subscribes(world, 'https://hooks.example.org/in', ['add_lead'], boris.token);
    await visit.signIn(world);
    const page = await visit.open(world, `/webhooks/${id}`);
    await visit.sees('heading', 'hooks.example.org');
    assert.equal(await page.getByText('is no administrator any more').count(), 0);
    await world.operatorApi('PATCH', `/admin/v1/accounts/${world.account}/users/${boris.id}`, { is_admin: false });
    await page.getByText(/^Boris created this webhook and is no administrator any more/).waitFor();
    await visit.isAccessible('warned');
    // It stays, and Boris does not see the page.
    assert.equal((await listed(world)).webhooks.length, 1);
  },

  'a user who is no administrator sees no webhooks': async (visit) => {
    const world = await visit.world();
    await subscribes(world, 'https://hooks.example.org/in', ['add_lead']);
    await visit.signIn(world, await world.user('Boris'));
    await visit.open(world, '/webhooks');
    await visit.sees('This page is for administrators of the account');
    assert.equal(await visit.page.getByText('hooks.example.org').count(), 0);
  },

  'the operator reads the form of a hook, its attempts, and replays it': async (visit) => {
    const world = await visit.world();
    const program = await receiver();
    program.answerWith(404);
    const { id } = await subscribes(world, program.url('in'), ['add_message']);
    await world.says('ada', 'Tea & cake <b>?</b>', { name: 'Ada Lovelace' });
    await program.until(1);
    await visit.signIn(world);
    const page = await visit.open(world, `/hooks/${world.account}/${id}`);
    await giveToken(visit);
    await page.getByRole('link', { name: /Message of a customer/ }).click();
    await page.getByRole('row', { name: 'message[add][0][text] Tea & cake <b>?</b>' }).waitFor();
    await page.locator('.attempts').getByText('404').waitFor();
    await visit.isAccessible('a hook');
    program.answerWith(200);
    await page.getByRole('button', { name: 'Replay the hook' }).click();
    const sent = await program.until(2);
    assert.equal(sent[1].body, sent[0].body);
    assert.equal(sent[1].headers['x-amocrm-requestid'], sent[0].headers['x-amocrm-requestid']);
    await page.locator('article').getByText('Delivered').first().waitFor();
    // What the program has already is sent once more only after a second wish.
    await page.getByRole('button', { name: 'Replay the hook' }).press('KeyX');
    await page.getByRole('button', { name: 'Already delivered: send it again' }).waitFor();
    assert.equal(program.got.length, 2);
    await program.close();
  },
});
