// Unsorted leads and contacts.

import assert from 'node:assert/strict';
import { cases } from '../support/cases.mjs';

const card = (visit, name) => visit.page.getByRole('table', { name: 'Unsorted leads' }).locator('tbody').getByRole('row').filter({ hasText: name });
const leadOf = (world, id) => world.api('GET', `/api/v4/leads/${id}`);

/** A seller who may see every lead and contact, and change none. */
async function onlooker(world) {
  const rights = {
    leads: { view: 'A' },
    contacts: { view: 'A' },
    companies: {},
    tasks: {},
    status_rights: [{ entity_type: 'leads', pipeline_id: 1, status_id: 1, rights: { view: 'A', edit: 'D', delete: 'D' } }],
  };
  const body = { name: 'Onlookers', rights };
  const made = await world.api('POST', '/api/v4/roles', { body });
  return world.user('Olga Looker', { role_id: made._embedded.roles[0].id });
}

await cases({
  'a lead appears by itself and is accepted with the keyboard': async (visit) => {
    const world = await visit.at('/unsorted');
    await visit.sees('No unsorted leads');
    await visit.sees(/^(switchboard|cargo run --) send "Hello, is it in stock\?"$/);
    await visit.isAccessible('no leads');
    await visit.page.locator('.connection.live').waitFor();
    await world.says('ada', 'Hi, is it in stock?', { name: 'Ada Lovelace' });
    await card(visit, 'Ada Lovelace').waitFor();
    await visit.page.keyboard.press('j');
    await visit.page.keyboard.press('e');
    // What comes next is the conversation.
    await visit.sees('heading', /^Ada Lovelace/);
    assert.match(new URL(visit.page.url()).pathname, /^\/conversations\/./);
    await visit.open(world, '/unsorted');
    await visit.sees('No unsorted leads');
    const lead = await leadOf(world, 1);
    assert.equal(lead.responsible_user_id, world.admin.id);
  },

  'a lead is accepted into a stage for another user': async (visit) => {
    const world = await visit.world();
    const boris = await world.user('Boris', { is_admin: true });
    await world.says('ada', 'Hi', { name: 'Ada Lovelace' });
    await visit.signIn(world);
    await visit.open(world, '/unsorted');
    await card(visit, 'Ada Lovelace').getByRole('button', { name: 'Accept as…' }).click();
    const dialog = visit.page.getByRole('dialog', { name: 'Accept lead #1' });
    await visit.isAccessible('accept as');
    await dialog.getByLabel('Stage').locator('option').nth(1).waitFor({ state: 'attached' });
    const stages = await dialog.getByLabel('Stage').locator('option').allInnerTexts();
    await dialog.getByLabel('Stage').selectOption(stages[1]);
    await dialog.getByLabel('Responsible').selectOption('Boris');
    await dialog.getByRole('button', { name: 'Accept' }).click();
    await visit.sees('No unsorted leads');
    const lead = await leadOf(world, 1);
    assert.equal(lead.responsible_user_id, boris.id);
    const { _embedded } = await world.api('GET', '/api/v4/leads/pipelines');
    const stage = _embedded.pipelines[0]._embedded.statuses.find((it) => it.id === lead.status_id);
    assert.equal(stage.name, stages[1]);
  },

  'the longest waiting come first, and several are accepted at once': async (visit) => {
    const world = await visit.world();
    const now = Math.floor(Date.now() / 1000);
    for (const name of ['Ada', 'Boris', 'Chiara']) await world.says(name, `I am ${name}`, { name });
    const boris = await world.user('Bo Peep', { is_admin: true });
    // The lead of Ada waits for three hours.
    await visit.page.route('**/api/v4/leads/unsorted?*', async (route) => {
      assert.match(route.request().url(), /order\[created_at\]=asc/);
      const answer = await route.fetch();
      const body = answer.status() === 204 ? undefined : await answer.json();
      if (body?._embedded.unsorted[0]?.metadata.from === 'Ada') body._embedded.unsorted[0].created_at = now - 3 * 3600 - 5;
      await (body === undefined ? route.fulfill({ response: answer }) : route.fulfill({ response: answer, json: body }));
    });
    await visit.signIn(world);
    await visit.open(world, '/unsorted');
    await card(visit, 'Chiara').waitFor();
    const rows = visit.page.locator('[data-lead]');
    assert.deepEqual(await rows.evaluateAll((all) => all.map((row) => row.dataset.lead)), ['1', '2', '3']);
    await card(visit, 'Ada').getByText('3 hr', { exact: true }).waitFor();
    await visit.page.getByLabel('Choose the lead of Boris').check();
    await visit.page.getByLabel('Choose the lead of Chiara').check();
    const picked = visit.page.getByRole('group', { name: '2 chosen:' });
    await visit.isAccessible('several leads');
    await picked.getByRole('button', { name: 'Accept as…' }).click();
    const dialog = visit.page.getByRole('dialog', { name: 'Accept 2 leads' });
    await dialog.getByLabel('Responsible').selectOption('Bo Peep');
    await dialog.getByRole('button', { name: 'Accept' }).click();
    await visit.page.getByRole('status').getByText('You accepted 2 leads.').waitFor();
    assert.deepEqual(await rows.evaluateAll((all) => all.map((row) => row.dataset.lead)), ['1']);
    for (const id of [2, 3]) assert.equal((await leadOf(world, id)).responsible_user_id, boris.id);
    assert.ok(!(await leadOf(world, 1)).responsible_user_id);
  },

  'a row shows the last words of the customer, also after an answer': async (visit) => {
    const world = await visit.world();
    const { conversation_id: id } = await world.says('ada', 'Is it in stock?', { name: 'Ada Lovelace' });
    await world.replies(id, 'Let me see.');
    await visit.signIn(world);
    await visit.open(world, '/unsorted');
    await card(visit, 'Ada').getByText('Is it in stock?').waitFor();
    assert.equal(await visit.page.getByText('Let me see.').count(), 0);
  },

  'nobody is called the same on every page, and colleagues by name': async (visit) => {
    const world = await visit.world();
    const { conversation_id: id } = await world.says('ada', 'Hi', { name: 'Ada Lovelace' });
    await world.says('bo', 'Hi', { name: 'Bo' });
    // A seller sees leads and contacts of the group, and newcomers.
    const rights = {
      leads: { view: 'G' },
      contacts: { view: 'G', edit: 'G' },
      companies: {},
      tasks: {},
      status_rights: [{ entity_type: 'leads', pipeline_id: 1, status_id: 1, rights: { view: 'A', edit: 'A', delete: 'D' } }],
    };
    const made = await world.api('POST', '/api/v4/roles', { body: { name: 'Sellers', rights } });
    const seller = await world.user('Sally Seller', { role_id: made._embedded.roles[0].id });
    const boss = await world.user('Bernd Boss', { role_id: made._embedded.roles[0].id });
    await world.api('PATCH', '/api/v4/contacts/1', { body: { responsible_user_id: boss.id } });
    await visit.signIn(world);
    await visit.open(world, '/contacts');
    const row = (name) => visit.page.getByRole('row').filter({ hasText: name });
    await row('Bo').getByText('No user', { exact: true }).waitFor();
    assert.equal(await visit.page.getByText('User 0').count(), 0);
    await visit.page.getByRole('link', { name: 'Edit: Bo' }).click();
    const select = visit.page.getByRole('dialog').getByLabel('Responsible user');
    await select.getByRole('option', { name: 'No user' }).waitFor({ state: 'attached' });
    const options = await select.locator('option').allInnerTexts();
    assert.deepEqual(options.filter((it) => /User 0|No user/.test(it)), ['No user']);
    assert.equal(await select.inputValue(), '');
    const sent = visit.page.waitForRequest((request) => request.method() === 'PATCH');
    await visit.page.getByRole('dialog').getByRole('button', { name: 'Save' }).click();
    assert.equal((await sent).postDataJSON().responsible_user_id, null);
    await visit.open(world, `/conversations/${id}`);
    await visit.page.locator('.details').getByText('No user', { exact: true }).waitFor();
    // The seller reads names as well, and gives leads to colleagues.
    await visit.signIn(world, seller);
    await visit.open(world, '/contacts');
    await row('Ada').getByText('Bernd Boss').waitFor();
    await visit.open(world, '/unsorted');
    await card(visit, 'Ada').getByRole('button', { name: 'Accept as…' }).click();
    const responsible = visit.page.getByRole('dialog').getByLabel('Responsible');
    await responsible.locator('option', { hasText: 'Bernd Boss' }).waitFor({ state: 'attached' });
    assert.equal(await responsible.locator('option').first().innerText(), 'Sally Seller (you)');
  },

  'a lead is declined only after a second click': async (visit) => {
    const world = await visit.world();
    await world.says('ada', 'Hi', { name: 'Ada Lovelace' });
    await visit.signIn(world);
    await visit.open(world, '/unsorted');
    const before = (await leadOf(world, 1)).status_id;
    await card(visit, 'Ada').getByRole('button', { name: 'Decline' }).click();
    const dialog = visit.page.getByRole('dialog');
    await dialog.waitFor();
    await visit.page.keyboard.press('Escape');
    await dialog.waitFor({ state: 'detached' });
    assert.equal((await leadOf(world, 1)).status_id, before);
    await card(visit, 'Ada').getByRole('button', { name: 'Decline' }).click();
    await dialog.getByRole('button', { name: 'Decline' }).click();
    await visit.sees('No unsorted leads');
    assert.notEqual((await leadOf(world, 1)).status_id, before);
  },

  'a lead of a form appears at once': async (visit) => {
    const world = await visit.world();
    await visit.signIn(world);
    await visit.open(world, '/unsorted');
    await visit.sees('No unsorted leads');
    await visit.page.locator('.connection.live').waitFor();
    const metadata = { form_id: 318, form_name: 'Order', form_page: 'https://shop.example/order', ip: '203.0.113.77', form_sent_at: 1_764_000_000, referer: '' };
    const form = { source_name: 'Flower shop', source_uid: 'f-1', metadata, _embedded: { leads: [{ name: 'Forty roses' }] } };
    await world.api('POST', '/api/v4/leads/unsorted/forms', { body: [form] });
    await visit.page.locator('[data-lead]').getByText('Order').first().waitFor();
  },

  'conversations without a lead give the reason': async (visit) => {
    const world = await visit.world();
    for (const text of ['one', 'two']) await world.says('silent', text, { name: 'Imported Customer', silent: true });
    await world.says('ada', 'Hi', { name: 'Ada Lovelace' });
    const first = { scope_id: world.scope, phone: '+49 30 1', name: 'Grace Hopper', text: 'Hello' };
    await world.api('POST', '/inbox/v1/conversations', { body: first });
    await visit.signIn(world);
    await visit.open(world, '/unsorted');
    await visit.page.getByText('Conversations without a lead').click();
    const rows = visit.page.locator('.without').getByRole('row');
    await rows.filter({ hasText: 'Imported Customer' }).getByText('No lead: all 2 messages are silent.').waitFor();
    await rows.filter({ hasText: 'Grace Hopper' }).getByText('the customer has not written yet').waitFor();
    assert.equal(await rows.filter({ hasText: 'Ada Lovelace' }).count(), 0);
    await visit.isAccessible('without a lead');
  },

  'imported history makes no contact, and the page says no other thing': async (visit) => {
    const world = await visit.world();
    await world.says('silent', 'It was delivered', { name: 'Imported Customer', silent: true });
    await visit.signIn(world);
    await visit.open(world, '/contacts');
    await visit.sees('No contacts yet');
    await visit.sees(/unless the message is silent, as imported history is/);
    await world.says('ada', 'Hi', { name: 'Ada Lovelace' });
    await visit.open(world, '/contacts');
    await visit.page.getByRole('row').filter({ hasText: 'Ada Lovelace' }).waitFor();
    assert.equal(await visit.page.getByRole('row').filter({ hasText: 'Imported Customer' }).count(), 0);
  },

  'filters narrow the leads': async (visit) => {
    const world = await visit.world();
    await world.says('ada', 'Hi', { name: 'Ada Lovelace' });
    await world.says('boris', 'Good morning', { name: 'Boris' });
    await visit.signIn(world);
    await visit.open(world, '/unsorted');
    await card(visit, 'Ada').waitFor();
    await visit.page.getByLabel('Name, channel or text').fill('morning');
    await card(visit, 'Ada').waitFor({ state: 'detached' });
    assert.equal(await card(visit, 'Boris').count(), 1);
    await visit.page.getByLabel('Age', { exact: true }).selectOption('Over 1 day');
    await visit.sees('No leads match the filter.');
    await visit.page.getByRole('button', { name: 'Clear the filter' }).click();
    await card(visit, 'Ada').waitFor();
  },

  'a filter of leads goes on behind the loaded rows, and says how far it came': async (visit) => {
    const world = await visit.world();
    for (const name of ['Ada', 'Bert', 'Cleo', 'Dora', 'Emil']) await world.says(name, name === 'Emil' ? 'Good morning' : 'Hi', { name });
    await visit.signIn(world);
    // Pages of two, of which the first is loaded.
    await visit.page.route('**/api/v4/leads/unsorted?limit=250*', (route) => route.continue({ url: route.request().url().replace('limit=250', 'limit=2') }));
    await visit.open(world, '/unsorted');
    await card(visit, 'Bert').waitFor();
    assert.equal(await card(visit, 'Emil').count(), 0, 'it is on another page');
    await visit.page.getByLabel('Name, channel or text').fill('morning');
    await card(visit, 'Emil').waitFor();
    await card(visit, 'Bert').waitFor({ state: 'detached' });
    await visit.page.getByRole('button', { name: 'Load more' }).waitFor({ state: 'detached' });
  },

  'a missing right is named with the people who grant it': async (visit) => {
    const world = await visit.world();
    const olga = await onlooker(world);
    await world.says('ada', 'Hi', { name: 'Ada Lovelace' });
    await visit.signIn(world, olga);
    await visit.open(world, '/unsorted');
    await card(visit, 'Ada').getByRole('button', { name: 'Accept', exact: true }).click();
    await visit.sees('No right for this');
    await visit.sees(/right to edit/);
    await visit.sees(/An administrator of the account can give you this right/);
    await visit.isAccessible('no right');
    await visit.open(world, '/contacts/1');
    await visit.page.getByRole('dialog').getByLabel('Name').fill('Somebody');
    await visit.page.getByRole('dialog').getByRole('button', { name: 'Save' }).click();
    await visit.page.getByRole('dialog').getByText('No right for this').waitFor();
  },

  'a contact gets another name, which is there after a reload': async (visit) => {
    const world = await visit.world();
    const profile = { phone: '+44 20 7946 0000', email: 'ada@example.org' };
    await world.says('ada', 'Hi', { name: 'Ada', sender: { profile } });
    await visit.signIn(world);
    await visit.open(world, '/contacts');
    await visit.sees('+44 20 7946 0000');
    await visit.page.getByRole('link', { name: 'Edit: Ada' }).click();
    const dialog = visit.page.getByRole('dialog', { name: 'Contact' });
    await visit.isAccessible('contact');
    await dialog.getByLabel('Name').fill('Ada <b>Lovelace</b>');
    await dialog.getByLabel('Responsible').selectOption('Ann Miller (you)');
    await dialog.getByRole('button', { name: 'Save' }).click();
    await visit.sees('link', 'Edit: Ada <b>Lovelace</b>');
    await visit.page.reload();
    await visit.sees('link', 'Edit: Ada <b>Lovelace</b>');
    const contact = await world.api('GET', '/api/v4/contacts/1');
    assert.deepEqual([contact.name, contact.responsible_user_id], ['Ada <b>Lovelace</b>', world.admin.id]);
  },

  'the filter of contacts finds numbers and letters as the service does, beyond the loaded rows': async (visit) => {
    const world = await visit.world();
    const others = Array.from({ length: 250 }, (_, number) => ({ name: `Customer ${number}` }));
    await world.api('POST', '/api/v4/contacts', { body: others });
    const phone = { field_code: 'PHONE', values: [{ value: '+7 (900) 123-45-67' }] };
    const last = [{ name: 'Zoë İnce', custom_fields_values: [phone] }];
    await world.api('POST', '/api/v4/contacts', { body: last });
    await visit.signIn(world);
    await visit.open(world, '/contacts');
    await visit.sees('link', 'Edit: Customer 249');
    const filter = visit.page.getByRole('searchbox', { name: 'Name, phone or e-mail' });
    const rows = visit.page.getByRole('link', { name: /^Edit:/ });
    for (const wanted of ['9001234567', 'tel:+7-900-123-45-67', 'zoe', 'ince']) {
      await filter.fill('Customer 249');
      await visit.sees('link', 'Edit: Customer 249');
      await filter.fill(wanted);
      await visit.sees('link', 'Edit: Zoë İnce');
      await visit.page.waitForFunction(() => document.querySelectorAll('.contacts tbody tr').length === 1);
    }
    await filter.fill('nobody of that name');
    await visit.sees('No contacts match the filter.');
    await visit.isAccessible('no contact found');
    await visit.page.getByRole('button', { name: 'Clear the filter' }).click();
    await visit.sees('link', 'Edit: Customer 0');
    assert.equal(await rows.count(), 250);
  },

  'no contacts, and a contact that is not there': async (visit) => {
    const world = await visit.at('/contacts');
    await visit.sees('No contacts yet');
    await visit.open(world, '/contacts/99');
    await visit.page.getByRole('dialog').getByText('Not found').waitFor();
    await visit.page.keyboard.press('Escape');
    await visit.page.getByRole('dialog').waitFor({ state: 'detached' });
    assert.equal(new URL(visit.page.url()).pathname, '/contacts');
  },
});
