// The feed: what it brings, what happens when it breaks, and that the page says so.

import assert from 'node:assert/strict';
import { cases, settings } from '../support/cases.mjs';
import { Service } from '../support/service.mjs';

const row = (visit, name) => visit.page.getByRole('list', { name: 'Conversations' }).getByRole('link', { name });
const live = (visit) => visit.page.locator('.connection.live').waitFor();

/** A service of the case's own, with somebody signed in at the inbox. */
async function own(visit) {
  const service = await Service.start(settings.program);
  Object.assign(visit, { base: service.base, operator: service.operator, end: () => service.end() });
  const world = await visit.world();
  await visit.signIn(world);
  return { service, world };
}

/** Stops the service, and waits until the page says so: which it does for a few seconds only. */
const stopped = (visit, service) => Promise.all([visit.sees('Reconnecting…'), service.stop()]);

/** The attempts of the page to get a line that are in progress, from now on. */
function inFlight(visit) {
  const attempts = new Set();
  visit.page.on('request', (request) => request.url().endsWith('/events') && attempts.add(request));
  visit.page.on('requestfailed', (request) => attempts.delete(request));
  return attempts;
}

/** What the browser notes when a service is away is expected here. */
function forgive(visit) {
  visit.watched.wrong = visit.watched.wrong.filter((it) => !/net::ERR_(CONNECTION_REFUSED|SOCKET_NOT_CONNECTED|CONNECTION_RESET|INCOMPLETE_CHUNKED_ENCODING|EMPTY_RESPONSE|FAILED|ABORTED)/.test(it));
}

await cases({
  'a restart is reported, and no event is missed': async (visit) => {
    const { service, world } = await own(visit);
    await world.says('ada', 'before', { name: 'Ada Lovelace' });
    await visit.open(world, '/conversations');
    await row(visit, /Ada Lovelace.*before/).waitFor();
    await live(visit);
    await stopped(visit, service);
    // The page is held off until something has happened at the new start.
    await visit.context.setOffline(true);
    await service.start();
    await world.says('ada', 'meanwhile', { name: 'Ada Lovelace' });
    await world.says('boris', 'me too', { name: 'Boris' });
    await visit.context.setOffline(false);
    await live(visit);
    await row(visit, /Ada Lovelace.*meanwhile/).waitFor();
    await row(visit, /Boris.*me too/).waitFor();
    await visit.until('both are counted', async () => (await visit.page.getByRole('link', { name: 'Inbox' }).innerText()).includes('2'));
    forgive(visit);
  },

  'without the service the page shows its age and keeps text': async (visit) => {
    const { service, world } = await own(visit);
    const { conversation_id: id } = await world.says('ada', 'Hi', { name: 'Ada Lovelace' });
    await visit.page.clock.install();
    await visit.open(world, `/conversations/${id}`);
    await visit.sees('log', 'Messages with Ada Lovelace');
    await live(visit);
    await stopped(visit, service);
    const attempts = inFlight(visit);
    await visit.page.clock.fastForward(10_000);
    await visit.sees(/Stale since \d\d:\d\d/);
    await visit.sees('button', 'Refresh');
    await visit.page.getByLabel('Your reply').fill('I will be back');
    await visit.isAccessible('stale');
    // The page's own next attempt is held off: it would take the button away from under the pointer.
    await visit.holdClock();
    await visit.until('its last attempt has failed', () => attempts.size === 0);
    await service.start();
    await visit.page.getByRole('button', { name: 'Refresh' }).click();
    await live(visit);
    assert.equal(await visit.page.getByLabel('Your reply').inputValue(), 'I will be back');
    forgive(visit);
  },

  'stopped live updates resume without missing an event': async (visit) => {
    const world = await visit.at('/conversations');
    await live(visit);
    await visit.sees('No conversations yet');
    await visit.page.keyboard.press('.');
    await visit.sees(/Paused at \d\d:\d\d/);
    const { conversation_id: id } = await world.says('ada', 'Hi', { name: 'Ada Lovelace' });
    await world.api('GET', `/inbox/v1/conversations/${id}`);
    assert.equal(await row(visit, /Ada/).count(), 0);
    await visit.page.getByRole('button', { name: 'Resume updates' }).click();
    await live(visit);
    await row(visit, /Ada Lovelace.*Hi/).waitFor();
  },

  'a hidden page closes its stream and resumes when visible': async (visit) => {
    await visit.page.clock.install();
    const world = await visit.at('/conversations');
    await live(visit);
    const show = (hidden) =>
      visit.page.evaluate((hidden) => {
        Object.defineProperty(document, 'hidden', { configurable: true, get: () => hidden });
        document.dispatchEvent(new Event('visibilitychange'));
      }, hidden);
    const closed = visit.page.waitForEvent('requestfailed', (request) => request.url().endsWith('/events'));
    await show(true);
    await visit.page.clock.fastForward(11_000);
    await closed;
    await world.says('ada', 'Hi', { name: 'Ada Lovelace' });
    const opened = visit.page.waitForRequest((request) => request.url().endsWith('/events'));
    await show(false);
    assert.ok((await opened).headers()['last-event-id'] !== undefined);
    await row(visit, /Ada Lovelace.*Hi/).waitFor();
  },

  'a message between the list and the first event is not missed': async (visit) => {
    const world = await visit.world();
    await world.says('ada', 'before', { name: 'Ada Lovelace' });
    await visit.signIn(world);
    let release;
    const released = new Promise((done) => (release = done));
    await visit.page.route('**/inbox/v1/events', (route) => released.then(() => route.continue()));
    await visit.open(world, '/conversations');
    await row(visit, /Ada Lovelace.*before/).waitFor();
    await world.says('ada', 'meanwhile', { name: 'Ada Lovelace' });
    release();
    await row(visit, /Ada Lovelace.*meanwhile/).waitFor();
    await row(visit, /Ada Lovelace.*2 unread/).waitFor();
  },

  'two users see the changes of each other': async (visit) => {
    const world = await visit.world();
    const { conversation_id: id } = await world.says('ada', 'Hi', { name: 'Ada Lovelace' });
    await visit.signIn(world);
    await visit.open(world, `/conversations/${id}`);
    await live(visit);
    const boris = await world.user('Boris', { is_admin: true });
    await world.api('POST', `/inbox/v1/conversations/${id}/messages`, { token: boris.token, body: { type: 'text', text: 'I take this one' } });
    const answer = visit.page.getByRole('log').getByRole('article').filter({ hasText: 'I take this one' });
    await answer.getByText('Boris · ').waitFor();
    await answer.getByText('Sent', { exact: true }).waitFor();
  },
});
