// The kind of a channel as a picture, the page of its integration, and the mark of customers who have blocked the channel.

import assert from 'node:assert/strict';
import { cases } from '../support/cases.mjs';

const PAGE = 'https://bridge.example.com/settings';

const row = (visit, name) => visit.page.getByRole('list', { name: 'Conversations' }).getByRole('link', { name });
const head = (visit) => visit.page.locator('.thread-head');
const details = (visit) => visit.page.getByRole('complementary', { name: 'Details' });
const blocked = (place) => place.getByTitle('The customer has blocked the channel');

/** A world whose channel has a kind and a page, with a conversation that is open in the browser. */
async function opened(visit, user) {
  const world = await visit.world();
  await world.operatorApi('PATCH', `/admin/v1/channels/${world.channel.id}`, { kind: 'telegram', page: PAGE });
  const said = await world.says('ada', 'Hi', { name: 'Ada Lovelace' });
  await world.says('carl', 'Hello', { name: 'Carl Gauss' });
  const { lead } = await world.api('GET', `/inbox/v1/conversations/${said.conversation_id}`);
  world.lead = lead.id;
  world.conversation = said.conversation_id;
  await visit.signIn(world, user === undefined ? undefined : await user(world));
  await visit.open(world, `/conversations/${world.conversation}`);
  await row(visit, /Ada Lovelace/).waitFor();
  await visit.page.getByText('Live', { exact: true }).waitFor();
  return world;
}

/** Changes the tags of the lead, as a bridge does. */
const tag = (world, change) => world.api('PATCH', `/api/v4/leads/${world.lead}`, { body: change });

await cases({
  'the kind of a channel is a picture with a name': async (visit) => {
    const world = await opened(visit);
    const { page } = visit;
    for (const place of [row(visit, /Ada Lovelace/), row(visit, /Carl Gauss/), head(visit)]) {
      await place.getByRole('img', { name: 'Telegram' }).waitFor();
    }
    for (const theme of ['dark', 'light']) {
      await page.evaluate((name) => (document.documentElement.dataset.theme = name), theme);
      await visit.isAccessible(`the kind of a channel, ${theme}`);
    }
    await visit.shot('channel-kind');
    await page.keyboard.press('KeyV');
    const filters = page.getByRole('dialog', { name: 'Filters and views' });
    await filters.getByLabel('Channel', { exact: true }).selectOption('Telegram · Telegram');
    await filters.getByRole('img', { name: 'Telegram' }).waitFor();
    assert.equal(await filters.getByRole('link', { name: 'Page of the integration' }).getAttribute('href'), PAGE);
    await visit.isAccessible('the filter by channel');
    await page.keyboard.press('Escape');
    const badge = page.locator('.view-now .badge').filter({ hasText: 'Channel: Telegram' });
    await badge.getByRole('img', { name: 'Telegram' }).waitFor();
    // A channel of no special kind has no picture.
    await world.operatorApi('PATCH', `/admin/v1/channels/${world.channel.id}`, { kind: 'other' });
    await page.reload();
    await row(visit, /Ada Lovelace/).waitFor();
    await head(visit).getByText('Telegram').waitFor();
    assert.equal(await page.getByRole('img', { name: 'Telegram' }).count(), 0);
  },

  'administrators open the page of the integration': async (visit) => {
    await opened(visit);
    const link = details(visit).getByRole('link', { name: 'Page of the integration' });
    await link.waitFor();
    assert.equal(await link.getAttribute('href'), PAGE);
    assert.match(await link.getAttribute('rel'), /noopener noreferrer/);
  },

  'other users have no link to the page of the integration': async (visit) => {
    await opened(visit, async (world) => {
      const status = { entity_type: 'leads', pipeline_id: 1, status_id: 1, rights: { view: 'A', edit: 'A', delete: 'D' } };
      const rights = { leads: { view: 'A' }, contacts: { view: 'A' }, companies: {}, tasks: {}, status_rights: [status] };
      const made = await world.api('POST', '/api/v4/roles', { body: { name: 'Agents', rights } });
      return world.user('Olga Looker', { role_id: made._embedded.roles[0].id });
    });
    await details(visit).getByText('Ids').waitFor();
    await visit.page.keyboard.press('KeyV');
    const filters = visit.page.getByRole('dialog', { name: 'Filters and views' });
    await filters.getByLabel('Channel', { exact: true }).selectOption('Telegram · Telegram');
    await filters.getByRole('img', { name: 'Telegram' }).waitFor();
    assert.equal(await visit.page.getByRole('link', { name: 'Page of the integration' }).count(), 0);
  },

  'a customer who has blocked the channel is marked, and replies go on': async (visit) => {
    const world = await opened(visit);
    const { page } = visit;
    const places = [row(visit, /Ada Lovelace/), head(visit)];
    const hint = page.getByText(/The customer has blocked the channel: replies will not arrive/);
    for (const place of places) assert.equal(await blocked(place).count(), 0);
    assert.equal(await hint.count(), 0);
    // The mark comes by itself, in any letter case, and not for a tag that only has the word in it.
    await tag(world, { tags_to_add: [{ name: 'not blocked' }, { name: 'BLOCKED' }] });
    for (const place of places) await blocked(place).getByText('Blocked', { exact: true }).waitFor();
    await hint.waitFor();
    assert.equal(await blocked(row(visit, /Carl Gauss/)).count(), 0);
    await visit.isAccessible('blocked');
    await visit.shot('blocked');
    await page.getByLabel('Your reply').fill('We are sorry');
    await page.getByRole('button', { name: 'Send', exact: true }).click();
    const [callback] = await world.receiver.until(1);
    assert.equal(JSON.parse(callback.body).message.message.text, 'We are sorry');
    await page.reload();
    await hint.waitFor();
    for (const place of places) await blocked(place).waitFor();
    await tag(world, { tags_to_delete: [{ name: 'BLOCKED' }] });
    for (const place of places) await blocked(place).waitFor({ state: 'detached' });
    await hint.waitFor({ state: 'detached' });
  },

  'the mark of a blocked channel is there in every language': async (visit) => {
    const world = await opened(visit);
    await tag(world, { tags_to_add: [{ name: 'blocked' }] });
    for (const [language, mark] of [
      ['es', 'Bloqueado'],
      ['ru', 'Заблокирован'],
    ]) {
      await visit.page.evaluate((name) => localStorage.setItem('switchboard.language', name), language);
      await visit.page.reload();
      await head(visit).locator('.blocked[title]').getByText(mark, { exact: true }).waitFor();
      assert.equal(await blocked(visit.page).count(), 0, 'the tooltip is in the language, too');
    }
  },
});
