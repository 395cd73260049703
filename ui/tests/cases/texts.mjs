// Names and texts as people write them: long, empty, from right to left; and what is said where nothing is.

import assert from 'node:assert/strict';
import { cases } from '../support/cases.mjs';
import { giveToken } from '../support/operator.mjs';

const log = (visit) => visit.page.getByRole('log');
const row = (visit, name) => visit.page.getByRole('list', { name: 'Conversations' }).getByRole('link', { name });
const card = (visit, text) => visit.page.locator('[data-lead]').filter({ hasText: text });

/** Somebody with rights over leads of their own group, who therefore sees nothing new. */
async function seller(world) {
  const rights = { leads: { view: 'G' }, contacts: { view: 'G' }, companies: {}, tasks: {} };
  const made = await world.api('POST', '/api/v4/roles', { body: { name: 'Sellers', rights } });
  const role = made._embedded.roles[0].id;
  return { role, user: await world.user('Sally Seller', { role_id: role }) };
}

await cases({
  'a user without rights gets an explanation and no command': async (visit) => {
    const world = await visit.world();
    await world.says('ada', 'Hi', { name: 'Ada Lovelace' });
    const { user } = await seller(world);
    await visit.signIn(world, user);
    for (const path of ['/conversations', '/unsorted', '/contacts']) {
      await visit.open(world, path);
      await visit.sees('No entries within your rights');
      await visit.sees(/An administrator of the account can extend them/);
      assert.equal(await visit.page.getByText(/switchboard send|In a terminal|yet$/).count(), 0, path);
    }
    await visit.isAccessible('nothing by rights');
  },

  'commands match how the service was started': async (visit) => {
    const world = await visit.world();
    await visit.signIn(world);
    const { program } = await world.api('GET', '/inbox/v1/me');
    for (const started of [program, program === 'switchboard' ? 'cargo run --' : 'switchboard']) {
      await visit.page.route('**/inbox/v1/me', async (route) => {
        const response = await route.fetch();
        await route.fulfill({ response, json: { ...(await response.json()), program: started } });
      });
      for (const path of ['/conversations', '/unsorted', '/contacts']) {
        await visit.open(world, path);
        await visit.sees(`${started} send "Hello, is it in stock?"`);
      }
      await visit.page.unroute('**/inbox/v1/me');
    }
    // A service without any channel cannot be had here.
    await visit.page.route('**/admin/v1/channels*', (route) => route.fulfill({ json: { channels: [], next: null } }));
    await visit.open(world, '/channels');
    await giveToken(visit);
    await visit.sees(`${program} channel create tg-bot`);
  },

  'a role without new customers names the missing right': async (visit) => {
    const world = await visit.world();
    const { role } = await seller(world);
    await visit.signIn(world);
    await visit.open(world, `/roles/${role}`);
    const note = visit.page.getByText(/Users with this role see no new customers. To show new customers, allow View in “.*Incoming leads”/);
    await note.waitFor();
    await visit.isAccessible('role without new customers');
    const stage = { entity_type: 'leads', pipeline_id: 1, status_id: 1, rights: { view: 'A', edit: 'D', delete: 'D' } };
    await world.api('PATCH', `/api/v4/roles/${role}`, { body: { rights: { status_rights: [stage] } } });
    await visit.page.reload();
    await visit.page.getByRole('grid', { name: 'Rights in stages' }).waitFor();
    assert.equal(await note.count(), 0);
  },

  'a language that formatters refuse is cut down to one that they take': async (visit) => {
    const world = await visit.world();
    const { conversation_id: id } = await world.says('ada', 'Hi', { name: 'Ada Lovelace' });
    await visit.signIn(world);
    for (const languages of [['en-US@posix'], ['en_US'], ['en-x'], ['ru_RU.UTF-8', 'ru-x'], ['C'], ['*'], [''], []]) {
      const says = (tags) => Object.defineProperty(navigator, 'languages', { get: () => tags, configurable: true });
      await visit.page.addInitScript(says, languages);
      await visit.open(world, `/conversations/${id}`);
      assert.deepEqual(await visit.page.evaluate(() => navigator.languages), languages);
      await visit.page.getByRole('link', { name: /Ada Lovelace/ }).first().waitFor();
      await visit.page.locator('[data-message]').first().waitFor();
      await visit.open(world, '/contacts');
      await visit.page.locator('.contacts').getByText('Ada Lovelace').first().waitFor();
    }
  },

  'a customer without a visible name is shown by an id': async (visit) => {
    const world = await visit.world();
    await world.says('c-4711', 'Guess who', { name: '   ' });
    await world.says('c-4712', 'Me too', { name: '\u{200b}\u{2060}\u{3164} \u{200e}' });
    await visit.signIn(world);
    await visit.open(world, '/conversations');
    await row(visit, /c-4712/).waitFor();
    await row(visit, /c-4711/).click();
    await visit.page.getByRole('heading', { name: /c-4711/ }).first().waitFor();
    await visit.open(world, '/contacts');
    await visit.sees('link', 'Edit: No name');
    await visit.open(world, '/unsorted');
    await card(visit, 'Guess who').getByText('No name').waitFor();
  },

  'a connection has its title, and the preview keeps its space': async (visit) => {
    const world = await visit.world();
    const { conversation_id: id } = await world.says('ada', 'Hi', { name: 'Ada Lovelace' });
    await visit.signIn(world);
    await visit.open(world, `/conversations/${id}`);
    await row(visit, /Ada Lovelace · Telegram/).waitFor();
    assert.equal((await row(visit, /Ada/).locator('.last').innerText()).trim(), 'Hi');
    await visit.sees('heading', /Ada Lovelace · Telegram/);
    await visit.open(world, '/unsorted');
    await card(visit, 'Ada').getByText('Telegram').waitFor();
  },

  'text from right to left is laid out from right to left': async (visit) => {
    const world = await visit.world();
    const said = 'مرحبا، هل المحرك التحليلي متوفر؟';
    const { conversation_id: id } = await world.says('fatima', said, { name: 'فاطمة' });
    await world.replies(id, 'Yes, 3 left');
    await visit.signIn(world);
    await visit.open(world, `/conversations/${id}`);
    const direction = (text) => log(visit).getByText(text, { exact: true }).evaluate((it) => getComputedStyle(it).direction);
    assert.equal(await direction(said), 'rtl');
    assert.equal(await direction('Yes, 3 left'), 'ltr');
    const reply = visit.page.getByLabel('Your reply');
    await reply.fill(said);
    assert.equal(await reply.evaluate((it) => getComputedStyle(it).direction), 'rtl');
  },

  'a long text is folded until it is opened': async (visit) => {
    const world = await visit.world();
    const text = 'one two three four '.repeat(260);
    const { conversation_id: id } = await world.says('ada', text, { name: 'Ada Lovelace' });
    const { conversation_id: lines } = await world.says('boris', Array.from({ length: 60 }, (_, at) => `line ${at}.`).join('\n'), { name: 'Boris' });
    await visit.signIn(world);
    await visit.open(world, `/conversations/${id}`);
    const shown = async () => (await log(visit).getByRole('article').innerText()).length;
    await visit.page.getByRole('button', { name: /Show all 4,94\d characters/ }).waitFor();
    assert.ok((await shown()) < 1_500, `${await shown()}`);
    await visit.page.getByRole('button', { name: /Show all/ }).click();
    assert.ok((await shown()) > 4_900, `${await shown()}`);
    await visit.page.getByRole('button', { name: 'Show less' }).click();
    assert.ok((await shown()) < 1_500);
    await visit.open(world, `/conversations/${lines}`);
    await visit.page.getByRole('button', { name: /Show all/ }).waitFor();
    assert.equal(await log(visit).getByText('line 40.').count(), 0);
  },

  'a sticker of which a copy is kept is shown': async (visit) => {
    const world = await visit.world();
    const { conversation_id: id } = await world.says('ada', 'Hi', { name: 'Ada Lovelace' });
    await visit.signIn(world);
    const media = '/media/00000000-0000-4000-8000-00000000cafe/sticker.png';
    const dot = 'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==';
    await visit.page.route(`**${media}/thumbnail`, (route) => route.fulfill({ contentType: 'image/png', body: Buffer.from(dot, 'base64') }));
    // Nothing is copied in these worlds: what the service says of a copy is said here.
    await visit.page.route('**/messages?*', async (route) => {
      const response = await route.fetch();
      const answer = await response.json();
      const copy = { media: world.base + media, thumbnail: `${world.base}${media}/thumbnail`, file_name: 'sticker.png' };
      const check = { state: 'reachable', copy };
      const sticker = { type: 'sticker', text: '', media: 'https://stickers.example.com/1', media_check: check };
      Object.assign(answer.messages[0], sticker);
      await route.fulfill({ response, json: answer });
    });
    await visit.open(world, `/conversations/${id}`);
    const shown = log(visit).getByRole('img', { name: 'Sticker' });
    await visit.until('it is loaded', () => shown.evaluate((it) => it.complete && it.naturalWidth > 0));
    assert.equal(await log(visit).getByText('Open the file').count(), 0);
  },

  'a picture that browsers do not draw is offered as a download': async (visit) => {
    const world = await visit.world();
    const { conversation_id: id } = await world.says('ada', 'Hi', { name: 'Ada Lovelace' });
    await visit.signIn(world);
    const media = '/media/00000000-0000-4000-8000-00000000cafe/IMG_1.HEIC';
    await visit.page.route('**/messages?*', async (route) => {
      const response = await route.fetch();
      const answer = await response.json();
      const copy = { media: world.base + media, thumbnail: null, file_name: 'IMG_1.HEIC' };
      const check = { state: 'reachable', content_type: 'image/heic', copy };
      const picture = { type: 'picture', text: '', media: 'https://photos.example.com/1', file_name: 'IMG_1.HEIC', media_check: check };
      Object.assign(answer.messages[0], picture);
      await route.fulfill({ response, json: answer });
    });
    await visit.open(world, `/conversations/${id}`);
    const link = log(visit).getByRole('link', { name: 'Open the file' });
    await link.waitFor();
    assert.equal(await link.getAttribute('href'), media);
    assert.equal(await link.getAttribute('download'), 'IMG_1.HEIC');
    assert.equal(await log(visit).getByRole('img', { name: 'IMG_1.HEIC' }).count(), 0);
  },

  'a lead without a text names the type of its message': async (visit) => {
    const world = await visit.world();
    await world.says('ada', '', { name: 'Ada Lovelace', message: { type: 'location', location: { lon: 1.5, lat: 2.5 } } });
    await visit.signIn(world);
    await visit.open(world, '/unsorted');
    await card(visit, 'Ada Lovelace').getByText('Location').waitFor();
  },

  'an empty part of a search is reported and can be continued': async (visit) => {
    const world = await visit.world();
    await world.says('ada', 'Hi', { name: 'Ada Lovelace' });
    await visit.signIn(world);
    await visit.open(world, '/conversations');
    await row(visit, /Ada/).waitFor();
    let pages = 0;
    await visit.page.route('**/inbox/v1/conversations?*query=*', (route) => {
      pages += 1;
      return route.fulfill({ json: { conversations: [], next: pages < 20 ? `${pages}` : null } });
    });
    await visit.page.getByLabel('Search conversations').fill('nobody has said this');
    await visit.sees('No conversations found so far.');
    await visit.isAccessible('nothing so far');
    const before = pages;
    await visit.page.getByRole('button', { name: 'Search older conversations' }).click();
    await visit.until('it went on', () => pages > before);
    await visit.page.getByRole('button', { name: 'Search older conversations' }).click();
    await visit.sees('No conversations found.');
  },

  'the button for the details is there while they are not': async (visit) => {
    const world = await visit.world();
    const { conversation_id: id } = await world.says('ada', 'Hi', { name: 'Ada Lovelace' });
    await visit.signIn(world);
    await visit.open(world, `/conversations/${id}`);
    const details = visit.page.getByRole('complementary', { name: 'Details' });
    await details.waitFor();
    const button = visit.page.getByRole('button', { name: 'Details', exact: true });
    assert.equal(await button.count(), 0);
    await visit.page.getByRole('button', { name: 'Close the details' }).click();
    await details.waitFor({ state: 'detached' });
    await visit.page.waitForFunction(() => document.activeElement?.textContent === 'Details');
    await button.click();
    await details.waitFor();
    await visit.page.waitForFunction(() => document.activeElement?.getAttribute('aria-label') === 'Close the details');
  },

  'a first visit connects, and touch screens show no keys': {
    options: { viewport: { width: 390, height: 780 }, hasTouch: true, isMobile: true },
    work: async (visit) => {
      const world = await visit.world();
      const { conversation_id: id } = await world.says('ada', 'Hi', { name: 'Ada Lovelace' });
      await visit.signIn(world);
      await visit.page.route('**/inbox/v1/events', () => {});
      await visit.open(world, `/conversations/${id}`);
      await visit.sees('Connecting…');
      await log(visit).getByText('Hi', { exact: true }).waitFor();
      assert.equal(await visit.page.getByText('Ctrl Enter sends').isVisible(), false);
    },
  },
});
