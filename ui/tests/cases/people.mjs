// Users, roles and what they may do: for the administrators of an account.

import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { cases } from '../support/cases.mjs';

const MARKUP = '<img src=x onerror=alert(1)><b>bold</b>&amp;"\'`${1}';
const ENTITY = { view: 'A', edit: 'G', add: 'A', delete: 'M', export: 'D' };
const RIGHTS = { leads: ENTITY, contacts: ENTITY, companies: ENTITY, tasks: { edit: 'G', delete: 'M' } };

/** Somebody who never signs in. */
async function colleague(world, name, fields = {}) {
  const email = `${randomUUID().slice(0, 12)}@example.com`;
  return await world.operatorApi('POST', `/admin/v1/accounts/${world.account}/users`, { name, email, ...fields });
}

async function role(world, name = 'Manager', rights = RIGHTS) {
  return (await world.api('POST', '/api/v4/roles', { body: { name, rights } }))._embedded.roles[0];
}

/** The role «Manager», held by Boris and Carla, open in its editor. */
async function editing(visit, rights) {
  const world = await visit.world();
  world.role = await role(world, 'Manager', rights);
  world.boris = await colleague(world, 'Boris', { role_id: world.role.id });
  world.carla = await colleague(world, 'Carla', { role_id: world.role.id });
  await visit.signIn(world);
  await visit.open(world, `/roles/${world.role.id}`);
  await visit.sees('heading', 'Role “Manager”');
  return world;
}

const grid = (visit, name = 'Rights') => visit.page.getByRole('grid', { name, exact: true });
const cell = (visit, name) => visit.page.getByRole('gridcell', { exact: true, name });
const preview = async (visit) => JSON.parse(await visit.page.locator('[data-preview]').textContent());
const stored = (world) => world.api('GET', `/api/v4/roles/${world.role.id}`);
/** Waits until the cell of this name has the focus. */
const isAt = (visit, name) =>
  visit.until(name, () => visit.page.evaluate((name) => document.activeElement.querySelector('.unseen')?.textContent === name, name));

/** A key as a Russian layout reports it: its place is the same, what it prints is not. */
const onRussianLayout = (visit, code, key, more = {}) =>
  visit.page.evaluate(
    ([code, key, more]) => document.activeElement.dispatchEvent(new KeyboardEvent('keydown', { code, key, bubbles: true, cancelable: true, ...more })),
    [code, key, more],
  );

/** What the page sends to an address, as it is sent. */
function sent(visit, method, path) {
  return visit.page.waitForRequest((request) => request.method() === method && new URL(request.url()).pathname === path);
}

await cases({
  'an administrator changes a user, who signs in with the new password': async (visit) => {
    const world = await visit.world();
    const support = await world.operatorApi('POST', `/admin/v1/accounts/${world.account}/groups`, { name: 'Support' });
    const manager = await role(world);
    const boris = await world.user('Boris');
    await colleague(world, 'Carla', { group_id: support.id });
    await visit.signIn(world);
    const page = await visit.open(world, `/users/${boris.id}`);
    const form = page.getByRole('region', { name: 'Change the user' });
    await form.getByText('No changes.').waitFor();
    await form.getByLabel('Name').fill('Boris Petrov');
    await form.getByLabel('Language').selectOption('Español');
    await form.getByLabel('Group').selectOption('Support');
    await form.getByLabel('Rights by').selectOption(`role: ${manager.name}`);
    await form.getByLabel('New password').fill('weak');
    await form.getByRole('button', { name: 'Save' }).click();
    await form.getByRole('alert').getByText('Invalid request').waitFor();
    await visit.isAccessible('a refused change');
    await form.getByLabel('New password').fill('aBcde1@345');
    await form.getByRole('button', { name: 'Save' }).click();
    await page.getByRole('status').getByText('Saved.').waitFor();
    await visit.sees('heading', 'Boris Petrov');
    const user = await world.api('GET', `/api/v4/users/${boris.id}`);
    assert.deepEqual([user.name, user.lang, user.rights.group_id, user.rights.role_id], ['Boris Petrov', 'es', support.id, manager.id]);
    await visit.isAccessible('a changed user');
    // One's own record says where the password is.
    await visit.open(world, `/users/${world.admin.id}`);
    await visit.sees(/You change your own password in the menu/);
    await visit.context.clearCookies();
    await visit.signIn(world, { ...boris, password: 'aBcde1@345' });
  },

  'everybody changes their own name and password in the menu': async (visit) => {
    const world = await visit.world();
    const boris = await world.user('Boris');
    await visit.signIn(world, boris);
    const page = await visit.open(world, '/conversations');
    await page.locator('.connection.live').waitFor();
    await page.getByRole('button', { name: /Boris/ }).click();
    await page.getByRole('button', { name: 'Profile and notifications' }).click();
    const dialog = page.getByRole('dialog', { name: 'Profile and notifications' });
    await visit.until('the first field has the focus', () => dialog.getByLabel('Name', { exact: true }).evaluate((it) => it === document.activeElement));
    await dialog.getByLabel('Name', { exact: true }).fill('Boris Petrov');
    await dialog.getByRole('button', { name: 'Save the name' }).click();
    await dialog.getByText('The name is saved.').waitFor();
    await dialog.getByLabel('Current password').fill('wrong');
    await dialog.getByLabel('New password').fill('aBcde1@345');
    await dialog.getByRole('button', { name: 'Change the password' }).click();
    await dialog.getByText('The current password is wrong.').waitFor();
    await visit.isAccessible('own password');
    await dialog.getByLabel('Current password').fill(boris.password);
    await dialog.getByRole('button', { name: 'Change the password' }).click();
    await dialog.getByText('The password is changed.').waitFor();
    await page.keyboard.press('Escape');
    // The session goes on, also for what changes something.
    await page.getByRole('button', { name: /Boris Petrov/ }).click();
    await page.getByRole('button', { name: 'Sign out' }).click();
    await visit.sees('heading', 'Sign in');
    await visit.signIn(world, { ...boris, password: 'aBcde1@345' });
  },

  'a role is given to users and taken away on its page': async (visit) => {
    const world = await visit.world();
    const manager = await role(world);
    const boris = await world.user('Boris');
    const carla = await world.user('Carla');
    await visit.signIn(world);
    const page = await visit.open(world, `/roles/${manager.id}`);
    const holders = page.getByRole('region', { name: 'Users with this role' });
    await holders.getByText('No user has this role.').waitFor();
    await holders.getByRole('button', { name: 'Give it to users…' }).click();
    const dialog = page.getByRole('dialog');
    for (const name of ['Boris', 'Carla']) await dialog.getByLabel(new RegExp(`^${name}`)).check();
    assert.equal(await dialog.getByLabel(/Ann Miller/).count(), 0, 'administrators have no role');
    await visit.isAccessible('give a role');
    await dialog.getByRole('button', { name: 'Give it to 2 users' }).click();
    await holders.getByRole('link', { name: 'Carla' }).waitFor();
    const roleOf = async (user) => (await world.api('GET', `/api/v4/users/${user.id}`)).rights.role_id;
    assert.deepEqual([await roleOf(boris), await roleOf(carla)], [manager.id, manager.id]);
    await holders.getByRole('button', { name: 'Take away: Boris' }).click();
    await page.getByRole('status').getByText('Boris keeps the rights of the role as own rights.').waitFor();
    assert.equal(await roleOf(boris), null);
    const { rights } = await world.api('GET', `/api/v4/users/${boris.id}`);
    assert.deepEqual(rights.leads, manager.rights.leads);
  },

  'several users are changed at once': async (visit) => {
    const world = await visit.world();
    const manager = await role(world);
    const [boris, carla] = [await world.user('Boris'), await world.user('Carla')];
    await visit.signIn(world);
    const page = await visit.open(world, '/users');
    for (const name of ['Boris', 'Carla']) await page.getByLabel(`Choose ${name}`).check();
    await page.getByRole('button', { name: 'Change…' }).click();
    const dialog = page.getByRole('dialog', { name: 'Change 2 users' });
    await dialog.getByLabel('Rights by').selectOption(`role: ${manager.name}`);
    await dialog.getByLabel('Language').selectOption('Русский');
    await visit.isAccessible('change several');
    await dialog.getByRole('button', { name: 'Change', exact: true }).click();
    await page.getByRole('status').getByText('2 users changed.').waitFor();
    for (const { id } of [boris, carla]) {
      const user = await world.api('GET', `/api/v4/users/${id}`);
      assert.deepEqual([user.rights.role_id, user.lang], [manager.id, 'ru']);
    }
  },

  'users are paged, searched and filtered, and the URL keeps it': async (visit) => {
    const world = await visit.world();
    const support = await world.operatorApi('POST', `/admin/v1/accounts/${world.account}/groups`, { name: 'Support' });
    const manager = await role(world);
    await colleague(world, 'Boris', { role_id: manager.id });
    await colleague(world, 'Carla', { group_id: support.id });
    for (let at = 0; at < 98; at += 1) await colleague(world, `Somebody ${at}`);
    await colleague(world, 'Zoe Last', { is_free: true });
    await visit.signIn(world);
    const page = await visit.open(world, '/users');
    await visit.sees('102 users, Enterprise plan: no limit.');
    const row = (name) => page.getByRole('row').filter({ has: page.getByRole('link', { name, exact: true }) });
    assert.match(await row('Ann Miller').textContent(), /\(you\).*Administrator.*active/);
    await row('Boris').getByRole('link', { name: 'Manager' }).waitFor();
    await page.getByRole('searchbox', { name: 'Name or e-mail' }).fill('zoe');
    await visit.sees('None of the loaded users matches.');
    await visit.sees(/100 of 102 users are loaded/);
    await page.getByRole('button', { name: 'Show more' }).click();
    await row('Zoe Last').getByText('free user').waitFor();
    await page.getByRole('button', { name: 'Clear the filter' }).first().click();
    await page.getByLabel('Group').selectOption({ label: 'Support' });
    await row('Carla').waitFor();
    assert.equal(await page.getByRole('row').count(), 2);
    await page.reload();
    await page.getByLabel('Group').waitFor();
    await row('Carla').waitFor();
    assert.equal(new URL(page.url()).searchParams.get('group'), String(support.id));
    await page.getByLabel('Group').selectOption('');
    await page.getByLabel('Rights by').selectOption({ label: 'role: Manager' });
    await row('Boris').waitFor();
    await visit.isAccessible('users');
    // More than the base plan lets in: said, and nobody can be added.
    await world.operatorApi('PATCH', `/admin/v1/accounts/${world.account}`, { plan: 'base' });
    await page.goto(`${world.base}/users`);
    await visit.sees(/102 of 100 users, base plan\./);
    await visit.sees(/The base plan allows at most 100 users/);
    assert.equal(await page.getByRole('button', { name: 'Add users' }).isDisabled(), true);
  },

  'users are whole on a telephone, the first one on the first screen': {
    options: { viewport: { width: 390, height: 780 } },
    work: async (visit) => {
      const world = await visit.world();
      await world.user('Norbert of the northern and western regions', { is_admin: true });
      await visit.signIn(world);
      await visit.open(world, '/users');
      const { page } = visit;
      const first = page.getByRole('link', { name: 'Ann Miller' });
      await first.waitFor();
      const box = await first.boundingBox();
      assert.ok(box.y + box.height < 780 - 60, JSON.stringify(box));
      const table = page.getByRole('region', { name: 'Users' }).last();
      assert.ok(await table.evaluate((it) => it.scrollWidth <= it.clientWidth), 'it scrolls sideways');
      await visit.isAccessible('users on a telephone');
      await visit.shot('users-telephone');
    },
  },

  'the base plan deactivates no user, and the page says why': async (visit) => {
    const world = await visit.world();
    await world.operatorApi('PATCH', `/admin/v1/accounts/${world.account}`, { plan: 'base' });
    await colleague(world, 'Boris');
    await visit.signIn(world);
    const page = await visit.open(world, '/users');
    await page.getByLabel('Choose Boris').check();
    await visit.sees('1 chosen:');
    for (const name of ['Activate', 'Deactivate']) {
      const button = page.getByRole('button', { name, exact: true });
      assert.equal(await button.isDisabled(), true);
      const reason = await button.evaluate((it) => document.getElementById(it.getAttribute('aria-describedby')).textContent);
      assert.equal(reason, 'Enterprise plan only: this account has the base plan.');
    }
    await visit.sees('Enterprise plan only: this account has the base plan.');
    await visit.isAccessible('base plan');
  },

  'users are deactivated and activated; administrators are not': async (visit) => {
    const world = await visit.world();
    const [boris, carla] = [await world.user('Boris'), await colleague(world, 'Carla')];
    await visit.signIn(world);
    const page = await visit.open(world, '/users');
    assert.equal(await page.getByLabel('Choose Ann Miller').isDisabled(), true);
    await page.getByLabel('Choose Boris').check();
    await page.getByLabel('Choose Carla').check();
    await page.getByRole('button', { name: 'Deactivate', exact: true }).click();
    const dialog = await visit.sees('dialog', 'Deactivate 2 users?');
    await visit.isAccessible('deactivate');
    await dialog.getByRole('button', { name: 'Deactivate' }).click();
    await visit.sees('2 users deactivated.');
    await visit.until('two rows and the filter say so', async () => (await page.getByText('inactive', { exact: true }).count()) === 3);
    await assert.rejects(world.api('GET', '/inbox/v1/me', { token: boris.token }), /401/);
    await page.getByRole('link', { name: 'Carla' }).click();
    await visit.sees('heading', 'Carla');
    await page.getByRole('button', { name: 'Activate', exact: true }).click();
    await visit.sees('1 user active again.');
    await page.locator('.user-facts').getByText('active', { exact: true }).waitFor();
    assert.equal((await world.api('GET', `/api/v4/users/${carla.id}`)).rights.is_active, true);
    await visit.isAccessible('user');
  },

  'rules and ignored fields are shown while typing': async (visit) => {
    const world = await visit.world();
    const manager = await role(world);
    await visit.signIn(world);
    const page = await visit.open(world, '/users/add');
    const rule = (words, holds) => page.locator(`.rules .${holds ? 'good' : 'missing'}`).filter({ hasText: words }).waitFor();
    await page.getByLabel('Name').fill('Zoë <b>');
    await rule('7 of 50 characters', true);
    await rule('letters, digits, spaces and . @ - _', false);
    await page.getByLabel('Name').fill('see evil.com');
    await rule('no link', false);
    await page.getByLabel('Name').fill('Zoë');
    await rule('no link', true);
    const password = page.getByLabel('Password');
    await password.fill('secret');
    await rule('6 characters', true);
    await rule('a digit', false);
    await rule('an upper-case letter', false);
    await page.getByRole('button', { name: 'Generate' }).click();
    for (const words of ['6 characters', 'a digit', 'a lower-case letter', 'an upper-case letter']) await rule(words, true);
    await visit.isAccessible('add');
    await page.getByLabel('E-mail').fill('zoe@example.com');
    await page.getByText('Own rights', { exact: true }).waitFor();
    await page.getByLabel('Role').selectOption({ label: 'Manager' });
    await visit.sees('For a user with a role, the service ignores own rights.');
    assert.equal(await page.getByText('Own rights', { exact: true }).count(), 0);
    await page.getByLabel('free user').check();
    await visit.sees('For a free user, the service ignores role, group and own rights.');
    assert.equal(await page.getByLabel('Role').isDisabled(), true);
    await page.getByLabel('free user').uncheck();
    const request = sent(visit, 'POST', '/api/v4/users');
    await page.getByRole('button', { name: 'Add 1 user' }).click();
    const [body] = (await request).postDataJSON();
    assert.deepEqual(body.rights, { role_id: manager.id });
    await visit.sees('1 user added.');
    await page.getByRole('link', { name: 'Zoë' }).waitFor();
  },

  'batch errors stand beside their fields, and no input is lost': async (visit) => {
    const world = await visit.at('/users/add');
    const { page } = visit;
    const another = page.getByRole('button', { name: 'Add another user' });
    for (let count = 1; count < 10; count += 1) await another.click();
    assert.equal(await another.isDisabled(), true);
    for (let count = 10; count > 3; count -= 1) await page.getByRole('button', { name: `Remove user ${count}` }).click();
    const user = (place) => page.getByRole('group', { name: `User ${place}`, exact: true });
    const fill = async (place, name, email, password) => {
      await user(place).getByLabel('Name').fill(name);
      await user(place).getByLabel('E-mail').fill(email);
      await user(place).getByLabel('Password').fill(password);
    };
    await fill(1, 'Boris', 'boris@example.com', 'Secr3tive');
    await fill(2, 'Carla/Rossi', world.admin.email.toUpperCase(), 'short');
    await fill(3, 'Diego', 'BORIS@example.com', 'Secr3tive');
    await user(3).getByLabel('Group').selectOption({ label: 'another group, by number…' });
    await user(3).getByLabel('Group number').fill('777');
    await page.getByRole('button', { name: 'Add 3 users' }).click();
    await visit.sees(/No user was added. Correct the errors of 2 users/);
    const told = (place, label) =>
      user(place)
        .getByLabel(label, { exact: true })
        .evaluate((it) => (it.getAttribute('aria-describedby') ?? '').split(' ').map((id) => document.getElementById(id)?.textContent ?? '').join());
    assert.equal(await told(1, 'Name') + await told(1, 'E-mail') + await told(1, 'Password'), '');
    assert.match(await told(2, 'Name'), /a name of 1 to 50 letters/);
    assert.match(await told(2, 'E-mail'), /has this e-mail address already/);
    assert.match(await told(2, 'Password'), /at least 6 characters/);
    assert.match(await told(3, 'E-mail'), /another user of this request has the same/);
    assert.match(await told(3, 'Group'), /the id of a group of this account/);
    await page.waitForFunction(() => document.activeElement.getAttribute('aria-invalid') === 'true');
    await visit.isAccessible('refused');
    await visit.shot('users-refused');
    await fill(2, 'Carla', 'carla@example.com', 'Secr3tive');
    await user(3).getByLabel('E-mail').fill('diego@example.com');
    await user(3).getByLabel('Group', { exact: true }).selectOption('');
    await user(3).getByText('Own rights', { exact: true }).click();
    const view = user(3).getByRole('gridcell', { name: /^Leads, View/ });
    await view.focus();
    await page.keyboard.press('m');
    await user(3).getByRole('gridcell', { exact: true, name: 'Leads, View: only if responsible (M)' }).waitFor();
    await page.getByRole('button', { name: 'Add 3 users' }).click();
    await visit.sees('3 users added.');
    const { _embedded } = await world.api('GET', '/api/v4/users');
    const diego = _embedded.users.find((it) => it.name === 'Diego');
    assert.deepEqual(diego.rights.leads, { view: 'M', edit: 'D', add: 'D', delete: 'D', export: 'D' });
  },

  'the rights matrix is one stop of Tab and has keys for all': async (visit) => {
    await editing(visit);
    const { page } = visit;
    await page.getByLabel('Name').focus();
    await page.keyboard.press('Tab');
    await isAt(visit, 'Leads, Create: everything (A)');
    assert.equal(await grid(visit).locator('[tabindex="0"]').count(), 1);
    await page.keyboard.press('ArrowRight');
    await page.keyboard.press('ArrowRight');
    await isAt(visit, 'Leads, Edit: if a user of the same group is responsible (G)');
    await page.keyboard.press('m');
    await isAt(visit, 'Leads, Edit: only if responsible (M)');
    await page.keyboard.press('End');
    await page.keyboard.press('Control+End');
    await page.keyboard.press('ArrowDown');
    await isAt(visit, 'Tasks, Export: there is no such right');
    await page.keyboard.press('a');
    await visit.sees('Tasks, Export: there is no such right');
    await page.keyboard.press('Control+Home');
    await page.keyboard.press('ArrowDown');
    await page.keyboard.press('Shift+D');
    for (const action of ['Create', 'View', 'Edit', 'Delete', 'Export']) await cell(visit, `Contacts, ${action}: denied (D)`).waitFor();
    await page.keyboard.press('Control+z');
    await cell(visit, 'Contacts, View: everything (A)').waitFor();
    await page.keyboard.press('Control+z');
    await cell(visit, 'Leads, Edit: if a user of the same group is responsible (G)').waitFor();
    await page.keyboard.press('Tab');
    assert.equal(await page.evaluate(() => document.activeElement.type), 'checkbox', 'behind the matrix: mail');
  },

  'matrix letters work on a Russian layout, without shortcuts': async (visit) => {
    const world = await editing(visit);
    await cell(visit, /^Leads, View/).focus();
    await onRussianLayout(visit, 'KeyG', 'п');
    await cell(visit, 'Leads, View: if a user of the same group is responsible (G)').waitFor();
    await onRussianLayout(visit, 'KeyM', 'Ь', { shiftKey: true });
    await cell(visit, 'Leads, Delete: only if responsible (M)').waitFor();
    // Creating knows no M, and stays.
    await cell(visit, 'Leads, Create: everything (A)').waitFor();
    await onRussianLayout(visit, 'KeyZ', 'я', { ctrlKey: true });
    await cell(visit, 'Leads, View: if a user of the same group is responsible (G)').waitFor();
    await onRussianLayout(visit, 'KeyZ', 'я', { metaKey: true });
    await cell(visit, 'Leads, View: everything (A)').waitFor();
    assert.equal(new URL(visit.page.url()).pathname, `/roles/${world.role.id}`);
  },

  'denying view denies its dependents, undone in one step': async (visit) => {
    await editing(visit);
    const { page } = visit;
    await cell(visit, /^Leads, View/).click();
    await page.keyboard.press('d');
    await visit.sees('Leads → View is now D. Dependent rights changed too: Edit, Delete.');
    for (const action of ['Edit', 'Delete', 'Export']) await cell(visit, `Leads, ${action}: denied (D)`).waitFor();
    assert.deepEqual(await preview(visit), { rights: { leads: { view: 'D', edit: 'D', delete: 'D' } } });
    await visit.isAccessible('forced');
    await visit.shot('role-forced');
    await cell(visit, /^Leads, Edit/).click();
    const choices = page.getByRole('group', { name: 'The chosen right' }).first();
    assert.equal(await choices.getByRole('button', { name: 'A allow' }).isDisabled(), true);
    await choices.getByText('Edit cannot be wider than View, which is D').waitFor();
    await page.keyboard.press('a');
    await visit.sees('Leads → Edit cannot be A: Edit cannot be wider than View, which is D.');
    await page.getByRole('button', { name: 'Undo' }).click();
    await cell(visit, 'Leads, Delete: only if responsible (M)').waitFor();
    await cell(visit, 'Leads, View: everything (A)').waitFor();
    assert.equal(await page.locator('[data-preview]').count(), 0);
    await cell(visit, /^Leads, Create/).click();
    await page.keyboard.press('g');
    await visit.sees('Leads → Create cannot be G: Only “allow” or “deny” is possible here.');
  },

  'a role is sent as shown and applies to its holders': async (visit) => {
    await visit.page.clock.install();
    const world = await editing(visit);
    const { page } = visit;
    assert.equal(await page.getByRole('button', { name: 'Save — affects 2 users' }).isDisabled(), true);
    await page.getByLabel('Name').fill(`Boss' ${MARKUP} ы`);
    await cell(visit, /^Companies, Edit/).click();
    await page.keyboard.press('d');
    await page.getByRole('checkbox', { name: /^Mail/ }).check();
    await visit.sees('Effect on Boris, Carla');
    await visit.sees('Companies → Edit: G → D');
    const shown = await page.locator('[data-preview]').textContent();
    await page.getByText('curl', { exact: true }).click();
    const curl = await page.locator('.preview details pre').textContent();
    assert.ok(curl.startsWith(`curl -X PATCH '${world.base}/api/v4/roles/${world.role.id}'`), curl);
    assert.ok(curl.endsWith(`--data-raw '${shown.replaceAll("'", String.raw`'\''`)}'`), curl);
    await visit.context.grantPermissions(['clipboard-read', 'clipboard-write']);
    await visit.holdClock();
    await page.getByRole('button', { name: 'Copy: JSON' }).click();
    await page.getByRole('button', { name: 'Copied' }).waitFor();
    await page.clock.resume();
    assert.equal(await page.evaluate(() => navigator.clipboard.readText()), shown);
    const request = sent(visit, 'PATCH', `/api/v4/roles/${world.role.id}`);
    await page.getByRole('button', { name: 'Save — affects 2 users' }).click();
    const body = (await request).postData();
    assert.equal(body, shown);
    assert.deepEqual(JSON.parse(body), {
      name: `Boss' ${MARKUP} ы`,
      rights: { companies: { edit: 'D', delete: 'D' }, mail_access: true },
    });
    await visit.sees('Saved. The rights apply to 2 users from now on.');
    await visit.sees('heading', `Role “Boss' ${MARKUP} ы”`);
    const { rights } = await world.api('GET', `/api/v4/users/${world.boris.id}`);
    assert.equal(rights.companies.edit, 'D');
    assert.equal(rights.mail_access, true);
  },

  'a role is created, copied and deleted; holders keep rights': async (visit) => {
    const world = await visit.at('/roles');
    const { page } = visit;
    await visit.sees('No roles yet');
    await visit.isAccessible('no roles');
    await page.getByRole('button', { name: 'Create a role' }).click();
    await visit.sees('heading', 'Create a role');
    await page.getByRole('button', { name: 'Create the role' }).click();
    await visit.sees(/a name of 1 to 255 characters/);
    assert.equal(await page.getByLabel('Name').getAttribute('aria-invalid'), 'true');
    await page.getByLabel('Name').fill('Seller');
    await cell(visit, /^Leads, View/).click();
    await page.keyboard.press('g');
    const shown = await page.locator('[data-preview]').textContent();
    const request = sent(visit, 'POST', '/api/v4/roles');
    await page.getByRole('button', { name: 'Create the role' }).click();
    assert.equal((await request).postData(), shown);
    await visit.sees('You created the role “Seller”.');
    await visit.sees('heading', 'Role “Seller”');
    const id = Number(new URL(page.url()).pathname.split('/')[2]);
    await visit.sees('no user has this role');
    await page.getByRole('button', { name: 'Duplicate' }).click();
    await visit.sees('heading', 'Create a role');
    assert.equal(await page.getByLabel('Name').inputValue(), 'Seller (copy)');
    await page.getByRole('button', { name: 'Create the role' }).click();
    await visit.sees('heading', 'Role “Seller (copy)”');
    const boris = await colleague(world, 'Boris', { role_id: id });
    await page.goto(`${world.base}/roles/${id}`);
    await page.getByRole('button', { name: 'Delete' }).click();
    const dialog = await visit.sees('dialog', 'Delete the role “Seller”?');
    await dialog.getByText(/Users with this role: Boris\. They keep exactly these rights/).waitFor();
    await visit.isAccessible('delete');
    await dialog.getByRole('button', { name: 'Delete' }).click();
    await visit.sees('You deleted the role “Seller”.');
    await page.getByRole('link', { name: 'Seller (copy)' }).waitFor();
    assert.equal(await page.getByRole('link', { name: 'Seller', exact: true }).count(), 0);
    const { rights } = await world.api('GET', `/api/v4/users/${boris.id}`);
    assert.deepEqual([rights.role_id, rights.leads.view], [null, 'G']);
  },

  'stage rights have two letters, and each row can be removed': async (visit) => {
    const world = await editing(visit);
    const { page } = visit;
    const stages = grid(visit, 'Rights in stages');
    const unsorted = stages.getByRole('row').filter({ hasText: '▸ Incoming leads' });
    await unsorted.getByRole('gridcell', { name: /Export: unsorted leads have no export right/ }).click();
    await page.keyboard.press('a');
    await visit.sees(/Incoming leads: unsorted leads have no export right/);
    await unsorted.getByRole('gridcell', { name: /an unsorted stage is always listed/ }).waitFor();
    await unsorted.getByRole('gridcell', { name: /View: denied/ }).click();
    await page.keyboard.press('m');
    await visit.sees(/View cannot be M: Only “allow” or “deny” is possible here/);
    await page.keyboard.press('a');
    await page.getByLabel('Stage', { exact: true }).selectOption({ label: await page.getByLabel('Stage', { exact: true }).locator('option', { hasText: 'Negotiation' }).textContent() });
    await page.getByRole('button', { name: 'Add the stage' }).click();
    const negotiation = stages.getByRole('row').filter({ hasText: '▸ Negotiation' });
    await negotiation.getByRole('gridcell', { name: /View: denied/ }).click();
    await page.keyboard.press('Shift+A');
    await negotiation.getByRole('gridcell', { name: /Export: everything/ }).click();
    await page.keyboard.press('Backspace');
    await negotiation.getByRole('gridcell', { name: /Export: as in general rights/ }).waitFor();
    await visit.isAccessible('stages');
    const { rights } = await preview(visit);
    assert.deepEqual(
      rights.status_rights.map((it) => it.rights),
      [
        { view: 'A', edit: 'D', delete: 'D' },
        { view: 'A', edit: 'A', delete: 'A' },
      ],
    );
    await page.getByRole('button', { name: 'Save — affects 2 users' }).click();
    await visit.sees(/^Saved\./);
    assert.deepEqual((await stored(world)).rights.status_rights, rights.status_rights);
    await page.getByRole('gridcell', { name: /^Remove: .*Negotiation/ }).click();
    await negotiation.waitFor({ state: 'detached' });
    await page.getByRole('button', { name: 'Save — affects 2 users' }).click();
    await visit.until('the stage is gone', async () => (await stored(world)).rights.status_rights.length === 1);
  },

  'a concurrent change is not overwritten unseen': async (visit) => {
    const world = await editing(visit);
    const { page } = visit;
    await cell(visit, /^Leads, Export/).click();
    await page.keyboard.press('m');
    await world.api('PATCH', `/api/v4/roles/${world.role.id}`, { body: { rights: { contacts: { delete: 'D' } } } });
    await page.getByRole('button', { name: 'Save — affects 2 users' }).click();
    const note = page.getByRole('alert');
    await note.getByText('Another user changed this role at the same time. Your changes were not saved.').waitFor();
    await note.getByText('Contacts → Delete: M → D').waitFor();
    await note.getByText('Leads → Export: D → M').waitFor();
    await visit.isAccessible('conflict');
    assert.equal((await stored(world)).rights.leads.export, 'D');
    await note.getByRole('button', { name: 'Keep my changes and review them' }).click();
    assert.deepEqual(await preview(visit), { rights: { leads: { export: 'M' }, contacts: { delete: 'M' } } });
    await page.getByRole('button', { name: 'Save — affects 2 users' }).click();
    await visit.sees(/^Saved\./);
    const { rights } = await stored(world);
    assert.deepEqual([rights.leads.export, rights.contacts.delete], ['M', 'M']);
  },

  'a change right after saving is kept': async (visit) => {
    const world = await editing(visit);
    const { page } = visit;
    let goOn;
    const held = new Promise((done) => (goOn = done));
    // The role is read again after it was saved, with the users: that takes its time.
    await page.route('**/api/v4/users?*', async (route) => {
      await held;
      await route.continue();
    });
    await page.getByLabel('Name').fill('Boss');
    await page.getByRole('button', { name: 'Save — affects 2 users' }).click();
    await visit.sees(/^Saved\./);
    await cell(visit, /^Companies, Edit/).click();
    await page.keyboard.press('d');
    goOn();
    await visit.sees('heading', 'Role “Boss”');
    await cell(visit, 'Companies, Edit: denied (D)').waitFor();
    await page.getByRole('button', { name: 'Save — affects 2 users' }).click();
    await visit.until('it is stored', async () => (await stored(world)).rights.companies.edit === 'D');
  },

  'an unfinished change survives another page': async (visit) => {
    await editing(visit);
    const { page } = visit;
    await cell(visit, /^Leads, Export/).click();
    await page.keyboard.press('m');
    await page.getByRole('navigation').getByRole('link', { name: 'Users' }).click();
    await visit.sees('heading', 'Users');
    await page.goBack();
    await cell(visit, 'Leads, Export: only if responsible (M)').waitFor();
    await page.getByRole('button', { name: 'Discard the changes' }).click();
    await cell(visit, 'Leads, Export: denied (D)').waitFor();
  },

  '«may they?» answers with three steps': async (visit) => {
    const world = await visit.world();
    await world.says('ada', 'Hi, is it in stock?', { name: 'Ada Lovelace' });
    const [{ id }] = (await world.api('GET', '/api/v4/leads'))._embedded.leads;
    const lead = await world.api('PATCH', `/api/v4/leads/${id}`, { body: { responsible_user_id: world.admin.id } });
    const stage = { entity_type: 'leads', pipeline_id: lead.pipeline_id, status_id: lead.status_id, rights: { view: 'D', edit: 'D', delete: 'D' } };
    const manager = await role(world, 'Manager', { ...RIGHTS, status_rights: [stage] });
    const boris = await colleague(world, 'Boris', { role_id: manager.id });
    await visit.signIn(world);
    const page = await visit.open(world, '/rights');
    await visit.sees(/is an administrator: everything is allowed/);
    await page.getByLabel('User', { exact: true }).selectOption({ label: 'Boris' });
    await page.getByLabel('Right', { exact: true }).selectOption({ label: 'Leads: Edit' });
    await page.getByLabel('Lead', { exact: true }).fill(String(lead.id));
    await visit.sees('heading', `No Boris — Leads → Edit #${lead.id}`);
    const steps = page.getByRole('listitem').filter({ has: page.locator('.so-far') });
    assert.equal(await steps.count(), 3);
    const said = await steps.allTextContents();
    assert.match(said[0], /^General rights.*the role Manager.*G group/);
    assert.match(said[1], /^Rights in stages.*Incoming leads.*has another right.*D deny.*No/);
    assert.match(said[2], /^Conversation subscriber.*extends “View” only: unchanged.*D deny.*No/);
    await visit.sees(/Ann Miller, of the same group, is responsible/);
    const told = await world.api('GET', `/inbox/v1/rights/explain?entity=leads&action=edit&id=${lead.id}&user_id=${boris.id}`);
    assert.equal(told.allowed, false);
    await visit.isAccessible('explain');
    await page.reload();
    await visit.sees('heading', `No Boris — Leads → Edit #${lead.id}`);
    await page.getByLabel('Right', { exact: true }).selectOption({ label: 'Contacts: View' });
    await visit.sees('heading', 'Yes Boris — Contacts → View');
    await visit.sees(/applies to leads only: unchanged/);
    await page.getByLabel('Right', { exact: true }).selectOption({ label: 'Leads: View' });
    await page.getByLabel('Lead', { exact: true }).fill('777');
    await visit.sees(/there is no such user, or no such thing/);
  },

  'a user without administration sees only their own rights': async (visit) => {
    const world = await visit.world();
    const boris = await world.user('Boris');
    await visit.signIn(world, boris);
    const page = await visit.open(world, '/users');
    await visit.sees('This page is for administrators of the account');
    await visit.isAccessible('not for you');
    await visit.open(world, '/roles/1');
    await visit.sees('This page is for administrators of the account');
    assert.equal(await page.getByRole('navigation').getByRole('link', { name: 'Users' }).count(), 0);
    await visit.open(world, '/rights?entity=leads&action=view');
    await visit.sees('heading', 'No Boris — Leads → View');
    assert.equal(await page.getByLabel('User', { exact: true }).isDisabled(), true);
    await visit.isAccessible('explain oneself');
  },

  'names full of markup are text': async (visit) => {
    const world = await visit.world();
    const manager = await role(world, `Role ${MARKUP}`);
    // The service refuses markup in names of users.
    const boris = await colleague(world, 'Boris', { role_id: manager.id });
    await world.says('ada', 'Hi', { name: MARKUP });
    await visit.signIn(world);
    const page = await visit.open(world, '/users');
    await page.getByRole('link', { name: 'Boris', exact: true }).waitFor();
    await page.getByRole('link', { name: `Role ${MARKUP}` }).waitFor();
    for (const [path, heading] of [
      [`/users/${boris.id}`, 'Boris'],
      [`/roles/${manager.id}`, `Role “Role ${MARKUP}”`],
      [`/rights?user=${boris.id}&entity=leads&action=view&id=1`, 'Rights check'],
    ]) {
      await visit.open(world, path);
      await page.getByRole('heading', { name: heading, exact: true }).waitFor();
    }
    await page.getByText('Boris — Leads → View #1').waitFor();
    assert.equal(await page.locator('main img, main script').count(), 0);
  },

  'pages of people in the light theme': (visit) => shoot(visit, 'light'),
  'pages of people in the dark theme': (visit) => shoot(visit, 'dark', { theme: 'dark' }),
  'pages of people in Russian, on a small laptop': {
    options: { viewport: { width: 1024, height: 768 } },
    work: (visit) => shoot(visit, 'ru', { language: 'ru' }),
  },
  'pages of people in Spanish, on a telephone': {
    options: { viewport: { width: 390, height: 780 } },
    work: (visit) => shoot(visit, 'es-narrow', { language: 'es' }),
  },
});

/** Pictures of the pages, with a team in them; each page is looked at by axe. */
async function shoot(visit, suffix, { language = 'en', theme = 'light' } = {}) {
  const world = await visit.world();
  await world.says('ada', 'Hi, is it in stock?', { name: 'Ada Lovelace' });
  await world.api('PATCH', '/api/v4/leads/1', { body: { responsible_user_id: world.admin.id } });
  const support = await world.operatorApi('POST', `/admin/v1/accounts/${world.account}/groups`, { name: 'Support' });
  const stage = (status_id, rights) => ({ entity_type: 'leads', pipeline_id: 1, status_id, rights });
  const status_rights = [stage(1, { view: 'A', edit: 'D', delete: 'D' }), stage(3, { view: 'A', edit: 'A', delete: 'D', export: 'D' })];
  const narrow = { view: 'G', edit: 'M', add: 'A', delete: 'D', export: 'D' };
  const manager = await role(world, 'Manager', { ...RIGHTS, leads: narrow, contacts: narrow, mail_access: true, status_rights });
  await role(world, 'Accountant', { ...RIGHTS, leads: { view: 'A' }, companies: { view: 'A', export: 'A' } });
  const boris = await colleague(world, 'Boris Petrov', { role_id: manager.id, lang: 'ru' });
  await colleague(world, 'Chiara Rossi', { role_id: manager.id, group_id: support.id, lang: 'es' });
  const diego = await colleague(world, 'Diego Álvarez', { group_id: support.id, lang: 'es' });
  await colleague(world, 'Fatima Noor', { is_free: true });
  await world.api('POST', '/api/v4/users/deactivate', { body: [{ id: diego.id }] });
  await visit.signIn(world);
  await visit.context.addInitScript(
    ([language, theme]) => {
      localStorage.setItem('switchboard.language', language);
      localStorage.setItem('switchboard.theme', theme);
    },
    [language, theme],
  );
  const { page } = visit;
  const pages = [
    ['users', '/users', () => page.locator('.users').waitFor()],
    [
      'users-add',
      '/users/add',
      async () => {
        await page.locator('.new-user input').first().fill('Grace / Hopper');
        await page.locator('.new-user input[type=password]').fill('secret');
        await page.locator('.new-user summary').click();
      },
    ],
    ['user', `/users/${boris.id}`, () => page.locator('.rights-table').waitFor()],
    ['roles', '/roles', () => page.locator('table.roles').waitFor()],
    [
      'role',
      `/roles/${manager.id}`,
      async () => {
        await page.locator('[role=gridcell]').nth(1).click();
        await page.keyboard.press('d');
        await page.locator('.told').waitFor();
      },
    ],
    ['rights', `/rights?user=${boris.id}&entity=leads&action=edit&id=1`, () => page.locator('.answer').waitFor()],
  ];
  for (const [name, at, shown] of pages) {
    await visit.open(world, at);
    await shown();
    await visit.isAccessible(`${name} ${suffix}`);
    await visit.shot(`${name}-${suffix}`);
  }
}
