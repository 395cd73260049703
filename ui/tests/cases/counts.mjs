// How much waits: the same on every page, whatever of it is loaded there.

import assert from 'node:assert/strict';
import { cases } from '../support/cases.mjs';

const badge = (visit, entry) => visit.page.getByRole('link', { name: entry }).locator('.count');
const shows = (visit, entry, count) => badge(visit, entry).getByText(count, { exact: true }).waitFor();
const titled = (visit, title) => visit.page.waitForFunction((title) => document.title === title, title);

await cases({
  'counts are the same on every page, and live': async (visit) => {
    const world = await visit.world();
    const { conversation_id: id } = await world.says('ada', 'Hi', { name: 'Ada Lovelace' });
    await world.says('boris', 'Good morning', { name: 'Boris' });
    await visit.signIn(world);
    for (const [path, title] of [
      ['/contacts', 'Contacts'],
      ['/unsorted', 'Unsorted leads'],
      ['/conversations', 'Inbox'],
    ]) {
      await visit.open(world, path);
      await shows(visit, /Inbox/, '2');
      await shows(visit, /Unsorted/, '2');
      await titled(visit, `(2) ${title} · switchboard`);
    }
    await visit.open(world, '/contacts');
    await visit.page.locator('.connection.live').waitFor();
    await world.says('chiara', 'Buongiorno', { name: 'Chiara' });
    await titled(visit, '(3) Contacts · switchboard');
    await shows(visit, /Unsorted/, '3');
    await world.api('POST', `/inbox/v1/conversations/${id}/read`);
    await titled(visit, '(2) Contacts · switchboard');
    await world.api('POST', '/api/v4/leads/unsorted/1/accept', { body: {} });
    await shows(visit, /Unsorted/, '2');
    await visit.isAccessible('counts');
  },

  'a count that ended early is marked': async (visit) => {
    const most = { count: 250, capped: true };
    await visit.page.route('**/inbox/v1/counts', (route) => route.fulfill({ json: { unread: most, failed: most, unsorted: most, disabled_webhooks: most } }));
    await visit.at('/conversations');
    await shows(visit, /Inbox/, '250+');
    await titled(visit, '(250+) Inbox · switchboard');
    await visit.sees('button', /Failed\s*250\+/);
  },

  'a signed-out page shows no counts': async (visit) => {
    const world = await visit.world();
    await world.says('ada', 'Hi', { name: 'Ada Lovelace' });
    await visit.signIn(world);
    await visit.open(world, '/contacts');
    await titled(visit, '(1) Contacts · switchboard');
    await visit.page.getByRole('button', { name: 'Ann Miller' }).click();
    await visit.page.getByRole('button', { name: 'Sign out' }).click();
    await titled(visit, 'Sign in · switchboard');
    assert.equal(await visit.page.locator('.navigation').count(), 0);
  },
});
