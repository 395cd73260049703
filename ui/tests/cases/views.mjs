// Filters by channel and tag, and views: saved, applied, renamed and deleted.

import assert from 'node:assert/strict';
import { cases } from '../support/cases.mjs';

const rows = (visit) => visit.page.getByRole('list', { name: 'Conversations' }).getByRole('link');
const row = (visit, name) => visit.page.getByRole('list', { name: 'Conversations' }).getByRole('link', { name });
const dialog = (visit, name = 'Filters and views') => visit.page.getByRole('dialog', { name });

const nameOf = (filters) => filters.getByRole('form', { name: 'Save as view' }).getByRole('textbox', { name: 'Name' });

/** Opens the filters by their key. */
async function opened(visit) {
  await visit.page.keyboard.press('KeyV');
  await dialog(visit).waitFor();
  return dialog(visit);
}

await cases({
  'views are saved for oneself and the team, applied, renamed and deleted': async (visit) => {
    const world = await visit.world();
    const leads = [];
    for (const name of ['Ada Lovelace', 'Blaise Pascal', 'Carl Gauss']) {
      const said = await world.says(name, 'Hi', { name });
      leads.push((await world.api('GET', `/inbox/v1/conversations/${said.conversation_id}`)).lead.id);
    }
    await world.api('PATCH', `/api/v4/leads/${leads[0]}`, { body: { tags_to_add: [{ name: 'vip' }] } });
    const me = await world.api('GET', '/inbox/v1/me');
    await world.api('PATCH', `/api/v4/leads/${leads[1]}`, { body: { responsible_user_id: me.user.id } });
    await visit.signIn(world);
    const page = await visit.open(world, '/conversations');
    await row(visit, /Carl Gauss/).waitFor();
    await page.getByText('Live', { exact: true }).waitFor();

    // By tag: the address has it, and so has a page that is loaded again.
    let filters = await opened(visit);
    await filters.getByText('There are no views yet.').waitFor();
    for (const theme of ['dark', 'light']) {
      await page.evaluate((name) => (document.documentElement.dataset.theme = name), theme);
      await visit.isAccessible(`filters and views, ${theme}`);
    }
    await filters.getByLabel('Tag of the lead').selectOption('vip');
    await visit.until('one row', async () => (await rows(visit).count()) === 1);
    assert.match(page.url(), /[?&]tag=\d+/);

    // Saved for oneself: the view takes the place of its filters.
    await nameOf(filters).fill('Important');
    await filters.getByRole('button', { name: 'Save', exact: true }).click();
    await filters.getByText('The view «Important» is saved.').waitFor();
    await page.keyboard.press('Escape');
    await page.getByText('View: Important').waitFor();
    assert.match(page.url(), /\?view=\d+$/);
    await page.reload();
    await page.getByText('View: Important').waitFor();
    await row(visit, /Ada Lovelace/).waitFor();
    assert.equal(await rows(visit).count(), 1);
    await visit.isAccessible('a view of the list');
    await visit.shot('views');

    // Another conversation that belongs to the view comes by itself.
    const said = await world.says('dora', 'Hello', { name: 'Dora' });
    const { lead } = await world.api('GET', `/inbox/v1/conversations/${said.conversation_id}`);
    await world.api('PATCH', `/api/v4/leads/${lead.id}`, { body: { tags_to_add: [{ name: 'vip' }] } });
    await world.says('dora', 'Are you there?', { name: 'Dora' });
    await row(visit, /Dora/).waitFor();

    // For the team, by keys alone; its «me» is whoever looks.
    await page.getByRole('button', { name: 'Remove «View: Important»' }).click();
    await row(visit, /Carl Gauss/).waitFor();
    await page.getByLabel('Responsible user', { exact: true }).selectOption('My leads');
    await visit.until('one row', async () => (await rows(visit).count()) === 1);
    filters = await opened(visit);
    await nameOf(filters).focus();
    await page.keyboard.type('Ours');
    await page.keyboard.press('Tab');
    await page.keyboard.press('Space');
    await page.keyboard.press('Enter');
    await filters.getByText('The view «Ours» is saved.').waitFor();
    const team = filters.getByRole('region', { name: 'Views of the team' });
    await team.getByRole('button', { name: 'Ours', exact: true, pressed: true }).waitFor();
    const { views } = await world.api('GET', '/inbox/v1/views');
    assert.deepEqual(views.find((it) => it.name === 'Ours').filters, { responsible: 'me' });

    // The name of another is refused where it stands.
    await filters.getByRole('button', { name: 'Rename «Ours»' }).click();
    const name = team.getByRole('textbox', { name: 'Name' });
    await name.fill('Ours too');
    await page.keyboard.press('Enter');
    await team.getByRole('button', { name: 'Ours too', exact: true }).waitFor();
    await visit.isAccessible('views of the team');

    // A filter that the view has leads out of it.
    await page.keyboard.press('Escape');
    await page.getByText('View: Ours too').waitFor();
    await page.getByLabel('Responsible user', { exact: true }).selectOption('Unassigned');
    await row(visit, /Carl Gauss/).waitFor();
    assert.match(page.url(), /\?responsible=none$/);

    filters = await opened(visit);
    await filters.getByRole('button', { name: 'Delete «Important»' }).click();
    await dialog(visit, 'Delete «Important»?').getByRole('button', { name: 'Delete the view' }).click();
    await filters.getByRole('region', { name: 'My views' }).waitFor({ state: 'detached' });
    await filters.getByRole('button', { name: 'Ours too', exact: true }).click();
    await filters.waitFor({ state: 'detached' });
    await row(visit, /Blaise Pascal/).waitFor();
    // A view that is deleted elsewhere ends here.
    const ours = views.find((it) => it.name === 'Ours');
    await world.api('DELETE', `/inbox/v1/views/${ours.id}`);
    await row(visit, /Carl Gauss/).waitFor();
    await visit.until('no view in the address', () => !page.url().includes('view='));
  },
});
