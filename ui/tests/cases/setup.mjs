// The first page of a service without users, which the operator passes alone.

import assert from 'node:assert/strict';
import { cases, settings } from '../support/cases.mjs';
import { Service } from '../support/service.mjs';

/** A service of the case's own, without accounts. */
async function fresh(visit) {
  const service = await Service.start(settings.program);
  visit.end = () => service.end();
  return service;
}

async function fillIn(page, fields) {
  for (const [label, text] of Object.entries(fields)) await page.getByLabel(label, { exact: true }).fill(text);
  await page.getByRole('button', { name: 'Create account and sign in' }).click();
}

const ALL = { Account: 'Flower shop', 'Your name': 'Ada', 'E-mail': 'ada@example.com', Password: 'Passw0rd' };

await cases({
  'the operator makes the account and its administrator, and is signed in': async (visit) => {
    const service = await fresh(visit);
    const page = await visit.open(service, '/channels');
    await visit.sees('heading', 'Set up the service');
    await visit.isAccessible('setup');
    await visit.shot('setup');
    await fillIn(page, { 'Operator token': 'wrong', ...ALL });
    await visit.sees('The operator token is wrong.');
    await fillIn(page, { 'Operator token': service.operator, Password: 'weak' });
    await page.locator('.field .wrong').waitFor();
    // The account of the first attempt is there, and gets the name of the second.
    await fillIn(page, { Account: 'Flowers and more', Password: 'Passw0rd' });
    // The operator's page that was wanted, without being asked for the token again.
    await visit.sees('heading', 'Channels');
    assert.equal(await page.getByLabel('Operator token').count(), 0);
    await visit.sees('Flowers and more');
    await page.getByRole('button', { name: 'Ada' }).click();
    await page.getByRole('button', { name: 'Sign out' }).click();
    await visit.sees('heading', 'Sign in');
    const response = await fetch(`${service.base}/admin/v1/accounts`, { headers: { Authorization: `Bearer ${service.operator}` } });
    const { accounts } = await response.json();
    assert.deepEqual(accounts.map(({ name }) => name), ['Flowers and more']);
  },

  'a service with users begins with the sign-in': async (visit) => {
    const world = await visit.world();
    await visit.open(world, '/');
    await visit.sees('heading', 'Sign in');
  },
});
