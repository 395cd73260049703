// What somebody wrote and could not send, and pages that could not be read: nothing is lost, and both go on by themselves
// once the service is back.

import assert from 'node:assert/strict';
import { cases, settings } from '../support/cases.mjs';
import { Service } from '../support/service.mjs';

const log = (visit) => visit.page.getByRole('log');
const composer = (visit) => visit.page.getByLabel('Your reply');
const row = (visit, name) => visit.page.getByRole('list', { name: 'Conversations' }).getByRole('link', { name });
const live = (visit) => visit.page.locator('.connection.live').waitFor();
const stored = (visit) => visit.page.evaluate(() => Object.entries(localStorage).filter(([name]) => /draft|unsent/.test(name)));

/** A conversation that is open, in a browser from which nothing can be sent. */
async function cutOff(visit) {
  const world = await visit.world();
  const { conversation_id: id } = await world.says('ada', 'Hi', { name: 'Ada Lovelace' });
  await world.says('boris', 'Good morning', { name: 'Boris' });
  await visit.signIn(world);
  await visit.open(world, `/conversations/${id}`);
  await visit.sees('log', 'Messages with Ada Lovelace');
  await live(visit);
  await visit.page.route('**/messages', (route) => (route.request().method() === 'POST' ? route.abort() : route.continue()));
  await visit.page.route('**/drafts/reply', (route) => (route.request().method() === 'PATCH' ? route.abort() : route.continue()));
  return { world, id };
}

async function fails(visit, text) {
  await composer(visit).fill(text);
  await composer(visit).press('Control+Enter');
  await visit.sees(/^Not sent\. The text stays here/);
}

/** Waits until the browser has so many texts: it writes them a moment after the keys. */
const holds = (visit, count) => visit.until(`the browser holds ${count} texts`, async () => (await stored(visit)).length === count);

/** What the browser notes when it looks for a newer service worker and nothing can be reached. */
const WORKER = 'console: An unknown error occurred when fetching the script.';

/** What the browser notes when nothing can be reached is expected here. */
function forgive(visit) {
  visit.watched.wrong = visit.watched.wrong.filter((it) => !/net::ERR_/.test(it) && it !== WORKER);
}

await cases({
  'unsent text survives a reload and is sent once': async (visit) => {
    const { world } = await cutOff(visit);
    await fails(visit, 'Are you there?');
    await visit.page.getByRole('link', { name: 'Contacts' }).click();
    await visit.sees('heading', 'Contacts');
    await visit.page.getByRole('link', { name: /Inbox/ }).click();
    // The list says where it is.
    await row(visit, /Ada Lovelace.*Not sent/).click();
    await log(visit).getByText('Are you there?').waitFor();
    await visit.page.reload();
    await log(visit).getByText('Are you there?').waitFor();
    await visit.sees(/^Not sent/);
    await visit.page.unroute('**/messages');
    await visit.page.getByRole('button', { name: 'Try again' }).click();
    await log(visit).getByText('Sent', { exact: true }).waitFor();
    await holds(visit, 0);
    await visit.page.reload();
    await log(visit).getByText('Sent', { exact: true }).waitFor();
    assert.equal(await log(visit).getByText('Are you there?').count(), 1);
    assert.equal((await world.receiver.until(1)).length, 1);
    forgive(visit);
  },

  'leaving the page during a send does not repeat the message': async (visit) => {
    const world = await visit.world();
    const { conversation_id: id } = await world.says('ada', 'Hi', { name: 'Ada Lovelace' });
    await visit.signIn(world);
    await visit.open(world, `/conversations/${id}`);
    await visit.sees('log', 'Messages with Ada Lovelace');
    // The service takes it, and the page is gone before it hears of that.
    let isCut = true;
    const taken = new Promise((done) => {
      void visit.page.route('**/messages', async (route) => {
        if (route.request().method() !== 'POST' || !isCut) return route.fallback();
        isCut = false;
        await route.fetch();
        done();
      });
    });
    await composer(visit).fill('Only once');
    await composer(visit).press('Control+Enter');
    await taken;
    await visit.page.reload();
    await visit.page.getByRole('button', { name: 'Try again' }).click();
    await holds(visit, 0);
    assert.equal(await log(visit).getByText('Only once').count(), 1);
    assert.equal((await world.api('GET', `/inbox/v1/conversations/${id}/messages`)).messages.length, 2);
    forgive(visit);
  },

  'a discarded text is gone': async (visit) => {
    await cutOff(visit);
    await fails(visit, 'Never mind');
    await visit.page.getByRole('button', { name: 'Discard the message' }).click();
    await log(visit).getByText('Never mind').waitFor({ state: 'detached' });
    await holds(visit, 0);
    await visit.page.reload();
    await visit.sees('log', 'Messages with Ada Lovelace');
    assert.equal(await log(visit).getByText('Never mind').count(), 0);
    forgive(visit);
  },

  'signing out leaves no drafts in the browser': async (visit) => {
    await cutOff(visit);
    await fails(visit, 'A secret');
    await composer(visit).fill('Another secret');
    await visit.sees('Draft saved');
    await holds(visit, 2);
    await visit.page.getByRole('button', { name: 'Ann Miller' }).click();
    await visit.page.getByRole('button', { name: 'Sign out' }).click();
    await visit.sees('heading', 'Sign in');
    await holds(visit, 0);
    forgive(visit);
  },

  'an expired session keeps drafts, and hides them from others': async (visit) => {
    const { world, id } = await cutOff(visit);
    const boris = await world.user('Boris', { is_admin: true });
    await fails(visit, 'Are you there?');
    await visit.context.clearCookies();
    await visit.page.reload();
    await visit.sees('heading', 'Sign in');
    await holds(visit, 1);
    await visit.signIn(world);
    await visit.page.reload();
    await log(visit).getByText('Are you there?').waitFor();
    await visit.signIn(world, boris);
    await visit.open(world, `/conversations/${id}`);
    await visit.sees('log', 'Messages with Ada Lovelace');
    assert.equal(await log(visit).getByText('Are you there?').count(), 0);
    await holds(visit, 0);
    forgive(visit);
  },

  'a page whose code cannot be fetched says so and opens later': async (visit) => {
    const world = await visit.world();
    await world.says('ada', 'Hi', { name: 'Ada Lovelace' });
    await visit.page.route('**/ui/work.js', (route) => route.abort());
    await visit.signIn(world);
    await visit.open(world, '/contacts');
    await visit.sees('The service is unreachable');
    await visit.page.unroute('**/ui/work.js');
    await visit.page.getByRole('button', { name: 'Try again' }).click();
    await visit.sees('link', 'Edit: Ada Lovelace');
    forgive(visit);
  },

  'failed pages load once the service is back': async (visit) => {
    const service = await Service.start(settings.program);
    Object.assign(visit, { base: service.base, operator: service.operator, end: () => service.end() });
    const world = await visit.world();
    const { conversation_id: id } = await world.says('ada', 'Hi', { name: 'Ada Lovelace' });
    await visit.signIn(world);
    await visit.open(world, '/conversations');
    await row(visit, /Ada Lovelace/).waitFor();
    await live(visit);
    await service.stop();
    await visit.page.getByRole('link', { name: 'Contacts' }).click();
    await visit.sees('The service is unreachable');
    await service.start();
    await visit.sees('link', 'Edit: Ada Lovelace');
    await visit.page.getByText('The service is unreachable').waitFor({ state: 'detached' });
    await live(visit);
    await service.stop();
    await visit.page.getByRole('link', { name: /Inbox/ }).click();
    await row(visit, /Ada Lovelace/).click();
    await visit.sees('The service is unreachable');
    await service.start();
    await log(visit).getByText('Hi', { exact: true }).waitFor();
    await visit.page.getByText('The service is unreachable').waitFor({ state: 'detached' });
    assert.ok(visit.page.url().endsWith(id));
    forgive(visit);
  },
});
