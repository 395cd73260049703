// Worlds of `switchboard dev`: the list, one world with its clock and its faults, and what happens in it.

import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { cases, settings } from '../support/cases.mjs';
import { atAsOperator, giveToken } from '../support/operator.mjs';
import { SIZES, resize, wrongOnScreens } from '../support/screens.mjs';
import { ask } from '../support/world.mjs';

const WORLDS = '/dev/v1/worlds';
let made = 0;

/** A name that no other case uses: all cases of a run are at one service. */
const named = (name) => `${name}_${Date.now()}_${(made += 1)}`;

/** Orders something of a world, or of all. */
const order = (method, path, body) => ask(settings.base, method, WORLDS + path, { token: settings.operator, body });

const makeWorld = (fields) => order('POST', '', fields);
const says = (world, text, customer = 'bo') => order('POST', `/${world.id}/customers/${customer}/say`, { text });
const replies = (world, text) => order('POST', `/${world.id}/users/ada/reply`, { text });
const drops = (world, times) => order('POST', `/${world.id}/faults`, { on: 'callbacks', do: 'drop', times });

/** A new world whose page the operator looks at. */
async function atWorld(visit, fields = {}) {
  const world = await makeWorld({ name: named('test_world'), ...fields });
  await atAsOperator(visit, `/worlds/${world.id}`);
  await visit.sees('heading', new RegExp(world.id));
  return world;
}

const journal = (page) => page.getByRole('list', { name: 'Journal' });
const entries = (page) => journal(page).getByRole('listitem');
const row = (page, name) => page.getByRole('region', { name: 'Worlds' }).getByRole('link', { name });

/** Changes what the page is answered at an address. */
const answers = (page, address, change) =>
  page.route(address, async (route) => {
    const response = await route.fetch();
    await route.fulfill({ response, json: change(await response.json()) });
  });

/** What the page sees of a service in which there is no world. */
const withoutWorlds = (page) => page.route(`**${WORLDS}`, (route) => route.fulfill({ json: { worlds: [] } }));

await cases({
  'a world is created, listed live and found': async (visit) => {
    await atAsOperator(visit, '/worlds');
    const { page } = visit;
    await page.getByRole('link', { name: 'Worlds', exact: true }).waitFor();
    await page.getByRole('button', { name: 'New world' }).click();
    const form = await visit.sees('dialog', 'New world');
    const name = named('test_by_hand');
    await form.getByLabel('Name').fill(name);
    await form.getByRole('button', { name: 'Frozen' }).click();
    await form.getByText('The clock stands still').waitFor();
    await form.getByLabel('Callback address').fill('nowhere');
    await form.getByRole('button', { name: 'New world' }).click();
    await form.getByRole('alert').waitFor();
    await visit.isAccessible('new world');
    await form.getByLabel('Callback address').fill('');
    await form.getByRole('button', { name: 'New world' }).click();
    await visit.sees('heading', new RegExp(name));
    await row(page, new RegExp(`${name}.*Frozen`)).waitFor();
    const { id } = (await order('GET', '')).worlds.find((world) => world.name === name);
    assert.equal(new URL(page.url()).pathname, `/worlds/${id}`);

    // What a test makes while somebody looks is shown.
    const other = await makeWorld({ name: named('test_by_a_program') });
    await row(page, new RegExp(other.name)).waitFor();
    await visit.isAccessible('worlds');
    await page.getByLabel('Find by name or id').fill(other.name.toUpperCase());
    await row(page, new RegExp(name)).waitFor({ state: 'detached' });
    await row(page, new RegExp(other.name)).click();
    await visit.sees('heading', new RegExp(other.name));
    await page.getByLabel('Find by name or id').fill('no test is called so');
    await visit.sees('No worlds match the filter.');
    await page.getByRole('button', { name: 'Clear the filter' }).click();
    await row(page, new RegExp(name)).waitFor();
  },

  'secrets are shown to whoever asks': async (visit) => {
    const world = await atWorld(visit);
    const { page } = visit;
    const { channel, users, base_url: base, scope_id: scope } = await order('GET', `/${world.id}`);
    const access = page.getByRole('region', { name: 'Access' });
    await access.getByText(base).waitFor();
    await access.getByText('Account, channel and tokens').click();
    await access.getByText(scope).waitFor();
    const secrets = [channel.secret, users[0].token].map((text) => access.getByText(text, { exact: true }));
    for (const secret of secrets) assert.equal(await secret.count(), 0);
    await access.getByRole('button', { name: 'Show secrets' }).click();
    for (const secret of secrets) await secret.waitFor();
    await access.getByRole('button', { name: 'Copy: Secret of the channel' }).waitFor();
    await visit.isAccessible('access');
    await access.getByRole('button', { name: 'Hide secrets' }).click();
    for (const secret of secrets) await secret.waitFor({ state: 'detached' });
  },

  'the journal shows what happens, while it happens': async (visit) => {
    const world = await atWorld(visit);
    const { page } = visit;
    await says(world, 'Is the analytical engine in stock?');
    await entries(page).filter({ hasText: 'customer bo writes "Is the analytical engine in stock?"' }).waitFor();
    const { base_url: base, users } = await order('GET', `/${world.id}`);
    await ask(base, 'GET', '/api/v4/account', { token: users[0].token });
    const request = entries(page).filter({ hasText: 'GET /api/v4/account' });
    await request.filter({ hasText: '200' }).waitFor();
    await replies(world, 'Three are left.');
    const callback = entries(page).filter({ hasText: 'Callback' });
    await callback.filter({ hasText: 'attempt 1: answered 200' }).waitFor();

    await request.locator('summary').click();
    const answer = request.getByRole('region', { name: 'Response' });
    await answer.getByText('"id":').first().waitFor();
    await callback.locator('summary').click();
    await callback.getByRole('region', { name: 'Body' }).getByText('Three are left.').waitFor();
    await visit.isAccessible('journal');

    // The newest is at the top, and an open body stays open.
    await says(world, 'I take one.');
    await entries(page).first().filter({ hasText: /I take one|POST/ }).waitFor();
    await answer.waitFor();

    await page.getByRole('button', { name: 'Callbacks', exact: true }).click();
    await request.waitFor({ state: 'detached' });
    assert.equal(new URL(page.url()).searchParams.get('kind'), 'callback');
    await page.getByLabel('Find in the journal').fill('nothing has this text');
    await visit.sees('No entries match the filter.');
    await page.getByRole('button', { name: 'Clear the filter' }).click();
    await request.waitFor();
    await page.getByLabel('Find in the journal').fill('ANALYTICAL');
    await request.waitFor({ state: 'detached' });
    await entries(page).filter({ hasText: 'analytical engine' }).first().waitFor();
  },

  'the journal is downloaded in every form': async (visit) => {
    const world = await atWorld(visit);
    const { page } = visit;
    await says(world, 'Good morning');
    await entries(page).filter({ hasText: 'Good morning' }).first().waitFor();
    const download = async (form) => {
      const [got] = await Promise.all([
        page.waitForEvent('download'),
        page.getByRole('button', { name: `Download the journal: ${form}` }).click(),
      ]);
      return { name: got.suggestedFilename(), text: await readFile(await got.path(), 'utf8') };
    };
    const text = await download('Text');
    assert.equal(text.name, `journal-${world.id}.txt`);
    assert.match(text.text, /Good morning/);
    const har = await download('HAR');
    assert.equal(har.name, `journal-${world.id}.har`);
    assert.ok(JSON.parse(har.text).log.version);
    const html = await download('HTML');
    assert.equal(html.name, `journal-${world.id}.html`);
    assert.match(html.text, /<!doctype html>/i);
  },

  'the page has the newest entries, and says where some are not': async (visit) => {
    const world = await makeWorld({});
    const note = (cursor) => ({ cursor, at: '2026-11-25T10:00:00.000Z', kind: 'note', who: 'test', what: `does thing ${cursor}` });
    const piece = (first, last) => ({ cursor: last, ended: null, entries: Array.from({ length: last - first + 1 }, (_, at) => note(first + at)) });
    const pieces = [[1301, 1500], [1701, 1900], [1901, 2100], [2101, 2300], [2301, 2500], [2501, 2700]].map((it) => piece(...it));
    const asked = [];
    await visit.page.route(`**${WORLDS}/${world.id}/journal?*`, (route) => {
      asked.push(Number(new URL(route.request().url()).searchParams.get('after')));
      return route.fulfill({ json: pieces.shift() ?? piece(2701, 2700) });
    });
    await atAsOperator(visit, `/worlds/${world.id}`);
    const { page } = visit;
    await page.getByText('The page does not have 200 entries here.').waitFor();
    await page.getByText('does thing 2700', { exact: false }).waitFor();
    await visit.until('the oldest are gone', async () => (await entries(page).filter({ hasText: 'does thing' }).count()) === 1000);
    await page.getByText('The page does not have 1,700 entries here.').waitFor();
    await visit.until('it asks for what comes next', () => asked.includes(2700));
    assert.deepEqual(asked.slice(0, 3), [0, 1500, 1900]);
  },

  'a request gets its answer when it has one': async (visit) => {
    const world = await makeWorld({});
    const request = { cursor: 7, at: '2026-11-25T10:00:00.000Z', kind: 'request', what: 'GET /slow', status: null, request: '', answer: '' };
    let isAnswered = false;
    await visit.page.route(`**${WORLDS}/${world.id}/journal?*`, (route) => {
      const after = Number(new URL(route.request().url()).searchParams.get('after'));
      const entry = isAnswered ? { ...request, status: 404, answer: 'It is not here.' } : request;
      return route.fulfill({ json: { cursor: 7, ended: null, entries: after < 7 ? [entry] : [] } });
    });
    await atAsOperator(visit, `/worlds/${world.id}`);
    const entry = entries(visit.page).filter({ hasText: 'GET /slow' });
    await entry.filter({ hasText: 'No answer' }).waitFor();
    isAnswered = true;
    await entry.filter({ hasText: '404' }).waitFor();
    await entry.locator('summary').click();
    await entry.getByText('It is not here.').waitFor();
    await entry.getByText('No body.').waitFor();
  },

  'a hook is shown with its event and its form': async (visit) => {
    const world = await makeWorld({});
    await order('PUT', `/${world.id}/hooks`, { settings: ['add_message'] });
    await order('POST', `/${world.id}/faults`, { on: 'hooks', do: 'duplicate' });
    await says(world, 'Have you any tulips?');
    await atAsOperator(visit, `/worlds/${world.id}?kind=hook`);
    const entry = entries(visit.page).filter({ hasText: 'add_message the receiver in memory' });
    await entry.filter({ hasText: 'answered 200' }).filter({ hasText: 'fault: duplicate' }).waitFor();
    await entry.locator('summary').click();
    await entry.getByText('message%5Badd%5D%5B0%5D%5Btext%5D=Have+you+any+tulips%3F', { exact: false }).waitFor();
    await visit.page.getByLabel('Find in the journal').fill('tulips');
    await entry.waitFor();
  },

  'active faults are shown until they are ended': async (visit) => {
    const world = await atWorld(visit);
    const { page } = visit;
    await says(world, 'Good day');
    await drops(world, 3);
    const strip = page.getByRole('region', { name: 'Faults are active in this world' });
    await strip.getByText('callbacks: drop, 3 left').waitFor();
    await row(page, new RegExp(`${world.name}.*1 fault`)).waitFor();
    await visit.isAccessible('faults');
    await replies(world, 'It does not arrive at once.');
    await strip.getByText('callbacks: drop, 2 left').waitFor();
    await entries(page).filter({ hasText: 'fault: drop' }).first().waitFor();
    await order('POST', `/${world.id}/faults`, { on: 'engine', do: 'slow_sync', seconds: 0.001 });
    await strip.getByText('engine: slow_sync, until you end it').waitFor();
    await page.getByRole('button', { name: 'With faults' }).click();
    await row(page, new RegExp(`${world.name}.*2 faults`)).waitFor();
    await strip.getByRole('button', { name: 'End all faults' }).click();
    await strip.waitFor({ state: 'detached' });
    await row(page, new RegExp(world.name)).waitFor({ state: 'detached' });
    assert.deepEqual((await order('GET', `/${world.id}`)).faults, []);
  },

  'the clock is advanced and its mode changed': async (visit) => {
    const world = await atWorld(visit, { clock: 'frozen' });
    const { page } = visit;
    const clock = page.getByRole('region', { name: 'Clock' });
    const now = async () => Date.parse(await clock.locator('time').getAttribute('datetime'));
    await clock.getByRole('button', { name: 'Frozen', pressed: true }).waitFor();
    const begin = await now();
    await clock.getByRole('button', { name: '15 minutes' }).click();
    await visit.until('15 minutes have passed', async () => (await now()) >= begin + 900_000);
    await clock.getByRole('button', { name: '1 day' }).click();
    await visit.until('a day has passed', async () => (await now()) >= begin + 87_300_000);
    await clock.getByLabel('Amount').fill('2.5');
    await clock.getByLabel('Unit').selectOption('hours');
    await clock.getByRole('button', { name: 'Advance', exact: true }).click();
    await visit.until('2.5 hours have passed', async () => (await now()) >= begin + 96_300_000);
    // Nothing else moves it but orders, of a millisecond each.
    assert.ok((await now()) < begin + 96_310_000);
    await clock.getByRole('button', { name: 'Real time' }).click();
    await clock.getByRole('button', { name: 'Real time', pressed: true }).waitFor();
    assert.equal((await order('GET', `/${world.id}`)).clock.mode, 'real');
    await clock.getByText('The clock runs like that of the machine.').waitFor();
    await visit.isAccessible('clock');
  },

  'a world that ended keeps its journal on the page': async (visit) => {
    const world = await atWorld(visit);
    const { page } = visit;
    await says(world, 'My last words');
    await entries(page).filter({ hasText: 'My last words' }).first().waitFor();
    await page.getByRole('button', { name: 'End world' }).click();
    const asking = await visit.sees('dialog', `End the world ${world.name}?`);
    await visit.isAccessible('end');
    await asking.getByRole('button', { name: 'End world' }).click();
    const note = page.getByRole('status').filter({ hasText: /The world ended on/ });
    await note.waitFor();
    await row(page, new RegExp(world.name)).waitFor({ state: 'detached' });
    await page.getByRole('region', { name: 'Clock' }).waitFor({ state: 'detached' });
    await visit.isAccessible('ended');
    await page.reload();
    await note.waitFor();
    await entries(page).filter({ hasText: 'My last words' }).first().waitFor();
    // A journal is kept for a while only.
    const detail = 'the world ended long ago';
    await page.route(`**${WORLDS}/${world.id}/journal?*`, (route) => route.fulfill({ status: 410, json: { detail } }));
    await page.reload();
    await visit.sees('This world has ended');
    await visit.sees(detail);
    await visit.open({ base: settings.base }, '/worlds/no-such-world');
    await visit.sees('This world does not exist.');
  },

  'a world that somebody else ends is shown as ended': async (visit) => {
    const world = await atWorld(visit);
    const address = visit.page.getByRole('region', { name: 'Access' }).getByText(world.base_url);
    await address.waitFor();
    await order('DELETE', `/${world.id}`);
    await visit.page.getByRole('status').filter({ hasText: /The world ended on/ }).waitFor();
    // How it was reached can still be compared with what a test has in its log.
    await address.waitFor();
  },

  'names and texts are shown as text': async (visit) => {
    const name = `${named('a')} <img src=x onerror=alert(1)>`;
    const world = await atWorld(visit, { name });
    const { page } = visit;
    await says(world, '<script>alert(1)</script><svg onload=alert(2)>');
    const match = '<b>bold</b>';
    await order('POST', `/${world.id}/faults`, { on: 'callbacks', do: 'drop', match });
    await page.getByText(`callbacks: drop, 1 left, only with «${match}»`).waitFor();
    await visit.sees('heading', new RegExp(name.replaceAll(/[()]/g, '\\$&')));
    await row(page, /<img src=x/).first().waitFor();
    await entries(page).filter({ hasText: '<script>alert(1)</script>' }).first().waitFor();
    assert.equal(await page.locator('main :is(img, script, b, svg[onload])').count(), 0);
    await visit.isAccessible('text');
  },

  'nothing is asked while updates are paused or nobody looks': async (visit) => {
    const world = await makeWorld({ name: named('test_watched') });
    const { page } = visit;
    await page.clock.install();
    await atAsOperator(visit, `/worlds/${world.id}`);
    await visit.sees('heading', new RegExp(world.id));
    const open = new Set();
    let asked = 0;
    page.on('request', (request) => {
      if (!request.url().includes(WORLDS)) return;
      open.add(request);
      asked += 1;
    });
    for (const end of ['requestfinished', 'requestfailed']) page.on(end, (request) => open.delete(request));
    const hide = (hidden) =>
      page.evaluate((hidden) => {
        Object.defineProperty(document, 'hidden', { value: hidden, configurable: true });
        document.dispatchEvent(new Event('visibilitychange'));
      }, hidden);
    const isAsked = async () => {
      const before = asked;
      await page.clock.runFor(5_000);
      return asked > before;
    };
    await visit.until('it is asked', isAsked);
    await page.getByRole('button', { name: 'Pause updates', exact: true }).click();
    await visit.until('all is answered', () => open.size === 0);
    assert.equal(await isAsked(), false, 'paused');
    await page.getByRole('main').getByRole('button', { name: 'Resume updates' }).click();
    await visit.until('it is asked again', isAsked);
    await hide(true);
    await visit.until('all is answered', () => open.size === 0);
    assert.equal(await isAsked(), false, 'hidden');
    await hide(false);
    await visit.until('it is asked again', isAsked);
  },

  'the page says how a world is made when there is none': async (visit) => {
    await withoutWorlds(visit.page);
    await atAsOperator(visit, '/worlds');
    const { page } = visit;
    await visit.sees('There are no worlds');
    await page.getByText(`curl -isSg '${settings.base}${WORLDS}'`).waitFor();
    await page.getByText(/ dev --ephemeral$/).waitFor();
    assert.ok(!(await page.content()).includes(settings.operator));
    await visit.isAccessible('no worlds');
  },

  'a service without worlds has no entry for them': async (visit) => {
    await answers(visit.page, '**/inbox/v1/me', (me) => ({ ...me, has_worlds: false }));
    await visit.at('/worlds');
    const { page } = visit;
    await visit.sees('This service has no worlds');
    await visit.sees(/started with switchboard dev/);
    await page.getByRole('link', { name: 'Requests', exact: true }).waitFor();
    assert.equal(await page.getByRole('link', { name: 'Worlds', exact: true }).count(), 0);
    await visit.isAccessible('without worlds');
  },

  'the list is walked by keys, and a key leads to it': async (visit) => {
    const [first, second] = [await makeWorld({ name: named('test_first') }), await makeWorld({ name: named('test_second') })];
    await atAsOperator(visit, '/channels');
    const { page } = visit;
    await page.getByRole('heading', { name: 'Channels', level: 1 }).click();
    await page.keyboard.press('g');
    await page.keyboard.press('w');
    await page.waitForURL('**/worlds');
    await answers(page, `**${WORLDS}`, ({ worlds }) => ({ worlds: worlds.filter(({ id }) => id === first.id || id === second.id) }));
    await visit.until('only these are listed', async () => (await row(page, /./).count()) === 2);
    await page.keyboard.press('j');
    await page.waitForURL(`**/worlds/${second.id}`);
    await page.keyboard.press('j');
    await page.waitForURL(`**/worlds/${first.id}`);
    await page.keyboard.press('k');
    await visit.sees('heading', new RegExp(second.name));
  },

  'the pages keep their layout': async (visit) => {
    const world = await makeWorld({ name: `${named('test')}_a_reply_arrives_after_an_outage_of_the_receiver_and_a_restart_of_the_service` });
    const gone = await makeWorld({ name: named('test_gone') });
    for (const it of [world, gone]) {
      await says(it, 'The same sentence once more, as long as it takes. '.repeat(10));
      await says(it, 'Donaudampfschifffahrtselektrizitätenhauptbetriebswerkbauunterbeamtengesellschaft'.repeat(3));
    }
    await drops(world, 3);
    await order('POST', `/${world.id}/faults`, { on: 'answers', do: 'rate_limited', match: 'POST /v2/origin/custom/', times: 1000 });
    await order('POST', `/${world.id}/faults`, { on: 'engine', do: 'slow_sync', seconds: 0.001 });
    await replies(world, 'Three are left.');
    await order('DELETE', `/${gone.id}`);
    await atAsOperator(visit, '/worlds');
    const { page } = visit;
    const unfold = async () => {
      await page.locator('.credentials > summary').click();
      await page.locator('details > summary.happening').first().click();
      await page.locator('.body').first().waitFor();
    };
    const pages = [
      { name: 'worlds', path: '/worlds', shown: '.line' },
      { name: 'a new world', path: '/worlds', shown: '.line', open: () => page.locator('.page-actions .button').last().click() },
      { name: 'a world', path: `/worlds/${world.id}`, shown: '.happening', open: unfold },
      { name: 'an ended world', path: `/worlds/${gone.id}`, shown: '.happening' },
      { name: 'a missing world', path: '/worlds/none', shown: '.split-detail .empty' },
    ];
    const said = [];
    for (const language of ['en', 'ru', 'es']) {
      await page.evaluate((name) => localStorage.setItem('switchboard.language', name), language);
      /** Measures what is shown, at every width. */
      const measure = async (name) => {
        await page.locator('.skeleton').waitFor({ state: 'detached' });
        for await (const { size, theme, wrong } of wrongOnScreens(visit, language)) {
          await visit.shot(`layout ${name} ${size.width} ${theme} ${language}`);
          said.push(...wrong.map((it) => `${name} ${size.width} ${theme} ${language}: ${it}`));
        }
        await resize(visit, SIZES[0]);
      };
      for (const { name, path, shown, open } of pages) {
        await visit.open({ base: settings.base }, path);
        await page.locator('.connection.live').waitFor();
        await page.locator(shown).first().waitFor();
        await open?.();
        await measure(name);
      }
      await withoutWorlds(page);
      await visit.open({ base: settings.base }, '/worlds');
      await page.locator('.empty .command').first().waitFor();
      await measure('no worlds');
      await page.unroute(`**${WORLDS}`);
    }
    assert.equal(said.length, 0, `\n${said.join('\n')}`);
  },
});
