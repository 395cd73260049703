// Canned replies: found by a slash, put at the cursor in one step, and managed.

import assert from 'node:assert/strict';
import { cases } from '../support/cases.mjs';

const ADDRESS = '/inbox/v1/canned-replies';

/** A world with a conversation that is open in the browser. */
async function opened(visit, replies = []) {
  const world = await visit.world();
  for (const body of replies) await world.api('POST', ADDRESS, { body });
  const said = await world.says('ada', 'Hi, is it in stock?', { name: 'Ada Lovelace' });
  world.conversation = said.conversation_id;
  await visit.signIn(world);
  await visit.open(world, `/conversations/${world.conversation}`);
  await visit.sees('log', 'Messages with Ada Lovelace');
  await visit.page.getByText('Live', { exact: true }).waitFor();
  return world;
}

const composer = (visit) => visit.page.getByLabel('Your reply');
const list = (visit) => visit.page.getByRole('listbox', { name: 'Canned replies' });
const option = (visit, name, rest = {}) => list(visit).getByRole('option', { name, ...rest });
const hasFocus = (visit, what, it) => visit.until(`${what} has the focus`, () => it.evaluate((it) => it === document.activeElement));
const dialog = (visit, name) => visit.page.getByRole('dialog', { name });

const GREETING = { name: 'Greeting', text: 'Dear {{contact.name}},\nthank you for your message.' };
const HOURS = { name: 'Opening hours', text: 'We are there from nine to five.', is_shared: true };

await cases({
  'a slash finds a canned reply by keys alone, and one undo takes it back': async (visit) => {
    await opened(visit, [GREETING, HOURS]);
    const { page } = visit;
    const area = composer(visit);
    await area.focus();
    // Not within a word.
    await page.keyboard.type('and/or ');
    assert.equal(await list(visit).count(), 0);
    await page.keyboard.type('/');
    await option(visit, /Greeting.*Dear Ada Lovelace,/s, { selected: true }).waitFor();
    await option(visit, /Opening hours/).waitFor();
    assert.deepEqual(await list(visit).getByRole('group').evaluateAll((all) => all.map((it) => it.getAttribute('aria-label'))), ['Mine', 'The team’s']);
    assert.equal(await area.getAttribute('aria-expanded'), 'true');
    const active = () => area.evaluate((it) => document.getElementById(it.getAttribute('aria-activedescendant') ?? '')?.textContent);
    await page.getByRole('status').getByText('2 canned replies. Arrows choose, Enter inserts.').waitFor();
    for (const theme of ['dark', 'light']) {
      await page.evaluate((name) => (document.documentElement.dataset.theme = name), theme);
      await visit.isAccessible(`canned replies, ${theme}`);
    }
    await visit.shot('canned-replies');
    await page.keyboard.press('ArrowDown');
    await option(visit, /Opening hours/, { selected: true }).waitFor();
    assert.match(await active(), /^Opening hours/);
    await page.keyboard.press('ArrowDown');
    await option(visit, /Greeting/, { selected: true }).waitFor();
    // By a word of the text, whatever the case.
    await page.keyboard.type('NINE');
    await option(visit, /Opening hours/, { selected: true }).waitFor();
    assert.equal(await list(visit).getByRole('option').count(), 1);
    await page.keyboard.press('Enter');
    await visit.has(area, 'and/or We are there from nine to five.');
    assert.equal(await list(visit).count(), 0);
    await hasFocus(visit, 'the text area', area);
    await page.keyboard.type(' Bye');
    await page.keyboard.press('Home');
    await page.keyboard.press('End');
    await page.keyboard.press('Control+z');
    await visit.has(area, 'and/or We are there from nine to five.');
    await page.keyboard.press('Control+z');
    await visit.has(area, 'and/or /NINE');
    await visit.sees('Draft saved');
  },

  'the list closes with Escape and leaves the text, and Tab leads on': async (visit) => {
    await opened(visit, [GREETING]);
    const { page } = visit;
    const area = composer(visit);
    await area.focus();
    await page.keyboard.type('/gre');
    await option(visit, /Greeting/).waitFor();
    await page.keyboard.press('Escape');
    await list(visit).waitFor({ state: 'detached' });
    await visit.has(area, '/gre');
    await hasFocus(visit, 'the text area', area);
    // It stays closed for this slash: Enter is a line break again.
    await page.keyboard.type('e');
    await page.keyboard.press('Enter');
    await visit.has(area, '/gree\n');
    assert.equal(await list(visit).count(), 0);
    await page.keyboard.type('/gr');
    await option(visit, /Greeting/).waitFor();
    await page.keyboard.press('Tab');
    const manage = page.getByRole('button', { name: 'Manage canned replies' });
    await hasFocus(visit, 'the way to manage them', manage);
    await page.keyboard.press('Escape');
    await hasFocus(visit, 'the text area', area);
    assert.equal(await list(visit).count(), 0);
    // A sentence that goes on asks for nothing.
    await area.fill('');
    await page.keyboard.type('/no such one');
    await visit.until('there is no list', async () => (await list(visit).count()) === 0);
    await page.keyboard.press('Enter');
    await visit.has(area, '/no such one\n');
  },

  'a marker without a value is shown and holds the reply back once': async (visit) => {
    const world = await opened(visit, [{ name: 'The code', text: 'Dear {{contact.name}}, your code is {{lead.cf.3}}.' }]);
    const { page } = visit;
    const area = composer(visit);
    await area.focus();
    await page.keyboard.type('/code');
    await option(visit, /The code/).waitFor();
    await page.keyboard.press('Enter');
    await visit.has(area, 'Dear Ada Lovelace, your code is {{lead.cf.3}}.');
    await page.getByRole('status').getByText('No value for: {{lead.cf.3}}').waitFor();
    await visit.isAccessible('a gap');
    await page.keyboard.press('Control+Enter');
    await page.getByRole('status').getByText(/send it again to send it as it is/).waitFor();
    await page.getByRole('button', { name: 'Send as it is' }).waitFor();
    const marked = await area.evaluate((it) => it.value.slice(it.selectionStart, it.selectionEnd));
    assert.equal(marked, '{{lead.cf.3}}');
    assert.deepEqual(world.receiver.got, []);
    // What is typed takes its place, and nothing is asked any more.
    await page.keyboard.type('7');
    await page.getByRole('button', { name: 'Send', exact: true }).waitFor();
    await page.keyboard.press('Control+z');
    await visit.has(area, 'Dear Ada Lovelace, your code is {{lead.cf.3}}.');
    await page.reload();
    await visit.has(area, 'Dear Ada Lovelace, your code is {{lead.cf.3}}.');
    const send = page.getByRole('button', { name: 'Send', exact: true });
    await send.dblclick();
    const again = page.getByRole('button', { name: 'Send as it is' });
    await again.waitFor();
    assert.deepEqual(world.receiver.got, []);
    await again.click();
    const [callback] = await world.receiver.until(1);
    assert.equal(JSON.parse(callback.body).message.message.text, 'Dear Ada Lovelace, your code is {{lead.cf.3}}.');
  },

  'canned replies are created with a file, changed, shared and deleted': async (visit) => {
    const world = await opened(visit);
    const boris = await world.user('Boris', { is_admin: true });
    const { page } = visit;
    const area = composer(visit);
    await area.focus();
    await page.keyboard.type('/');
    await page.getByText('There are no canned replies yet.').waitFor();
    await visit.isAccessible('no canned replies');
    await page.keyboard.press('Tab');
    await page.keyboard.press('Enter');
    const manage = dialog(visit, 'Manage canned replies');
    await manage.getByText('There are no canned replies yet.').waitFor();
    await manage.getByRole('button', { name: 'New canned reply' }).click();
    const form = dialog(visit, 'New canned reply');
    const name = form.getByLabel('Name');
    await hasFocus(visit, 'the name', name);
    await name.fill('Menu');
    await form.getByLabel('Text').fill('Here is our menu.');
    await form.locator('input[type=file]').setInputFiles({ name: 'menu.txt', mimeType: 'text/plain', buffer: Buffer.from('Soup') });
    await form.getByText('menu.txt').waitFor();
    await visit.isAccessible('a new canned reply');
    await form.getByRole('button', { name: 'Save' }).click();
    await manage.getByText('Here is our menu.').waitFor();
    await visit.isAccessible('canned replies to manage');
    await visit.shot('canned-replies-managed');
    // The same name again is refused, and the text stays.
    await manage.getByRole('button', { name: 'New canned reply' }).click();
    await name.fill('MENU');
    await form.getByLabel('Text').fill('Another one');
    await form.getByRole('button', { name: 'Save' }).click();
    await form.getByText(/there is a canned reply with this name/).waitFor();
    await visit.has(form.getByLabel('Text'), 'Another one');
    await form.getByRole('button', { name: 'Cancel' }).click();
    await manage.getByRole('button', { name: 'Change «Menu»' }).click();
    const change = dialog(visit, 'Change a canned reply');
    await change.getByLabel('Share with the team').check();
    await change.getByRole('button', { name: 'Save' }).click();
    await manage.getByRole('region', { name: 'The team’s' }).getByText('Menu', { exact: true }).waitFor();
    const ofBoris = await world.api('GET', ADDRESS, { token: boris.token });
    assert.deepEqual(ofBoris.canned_replies.map((it) => [it.name, it.file.file_name]), [['Menu', 'menu.txt']]);
    // What a colleague shares appears by itself.
    await world.api('POST', ADDRESS, { token: boris.token, body: { ...HOURS } });
    await manage.getByText('Opening hours').waitFor();
    await page.keyboard.press('Escape');
    await manage.waitFor({ state: 'detached' });
    await hasFocus(visit, 'the text area', area);
    await area.fill('');
    await page.keyboard.type('/menu');
    await option(visit, /Menu.*menu\.txt/s, { selected: true }).waitFor();
    await page.keyboard.press('Enter');
    await visit.has(area, 'Here is our menu.');
    await page.locator('.attached').getByText(/menu\.txt/).waitFor();
    // Another file stays where it is.
    await page.keyboard.type(' /menu');
    await option(visit, /Menu/).waitFor();
    await page.keyboard.press('Enter');
    await page.getByRole('status').getByText('«menu.txt» was not attached: the reply has another file.').waitFor();
    await area.fill('Here is our menu.');
    await page.keyboard.press('Control+Enter');
    const [callback] = await world.receiver.until(1);
    const { type, text, file_name: file } = JSON.parse(callback.body).message.message;
    assert.deepEqual([type, text, file], ['file', 'Here is our menu.', 'menu.txt']);
    await page.keyboard.type('/');
    await option(visit, /Menu/).waitFor();
    await page.getByRole('button', { name: 'Manage canned replies' }).click();
    await manage.getByRole('button', { name: 'Delete «Menu»' }).click();
    const confirm = dialog(visit, 'Delete «Menu»?');
    await visit.isAccessible('a canned reply to delete');
    await confirm.getByRole('button', { name: 'Delete the canned reply' }).click();
    await confirm.waitFor({ state: 'detached' });
    await visit.until('it is gone', async () => (await manage.getByText('Menu', { exact: true }).count()) === 0);
    await hasFocus(visit, 'the way to a new one', manage.getByRole('button', { name: 'New canned reply' }));
    const left = await world.api('GET', ADDRESS);
    assert.deepEqual(left.canned_replies.map((it) => it.name), ['Opening hours']);
  },

  'a list that cannot be read says so and is read again': async (visit) => {
    await opened(visit, [GREETING]);
    const { page } = visit;
    await page.route('**/canned-replies?*', (route) => route.fulfill({ status: 500, json: {} }));
    await composer(visit).focus();
    await page.keyboard.type('/');
    const again = page.getByRole('button', { name: 'Try again' });
    await again.waitFor();
    await visit.isAccessible('canned replies that cannot be read');
    await page.unroute('**/canned-replies?*');
    await again.click();
    await option(visit, /Greeting/).click();
    await visit.has(composer(visit), 'Dear Ada Lovelace,\nthank you for your message.');
  },
});
