// The boxes of every page: nothing runs out of its frame, is cut off, lies over something else or is too small, at three
// widths, in both themes and in every language, with much to show and with nothing.

import assert from 'node:assert/strict';
import { wrongBoxes } from '../support/boxes.mjs';
import { cases, settings } from '../support/cases.mjs';
import { awkwardDay, badDay, workingDay } from '../support/days.mjs';
import { busyClient, oauthClient } from '../support/oauth.mjs';
import { PAGES, UNEXPLAINED } from '../support/pages.mjs';
import { SIZES, resize, wrongOnScreens } from '../support/screens.mjs';

/** A world in which much has happened, with a user who sees none of it. */
async function full(visit) {
  const world = await visit.world({ name: 'Analytical Engines of Marylebone & Daughters', user: 'Ann Miller' });
  world.nobody = await world.user('Norman Nobody');
  const role = await world.api('POST', '/api/v4/roles', { body: { name: 'Sellers of the northern and western regions' } });
  world.role = role._embedded.roles[0].id;
  await workingDay(world);
  await awkwardDay(world);
  await badDay(visit, world);
  world.client = await busyClient(world, { name: 'Bridge for Telegram, WhatsApp and all other messengers of the group' });
  await oauthClient(world);
  await hook(visit, world);
  return world;
}

/** A webhook of a program that cannot be reached, and the first hook that waits for it. */
async function hook(visit, world) {
  const settings = ['add_message', 'add_outgoing_message', 'delete_unsorted', 'add_chat_template_review', 'responsible_company'];
  const destination = `https://hooks.analytical-engines-of-marylebone.invalid/in?k=${'7d1f'.repeat(40)}`;
  world.webhook = (await world.api('POST', '/api/v4/webhooks', { body: { destination, settings } })).id;
  await world.says('hooked', 'The engine weaves patterns of flowers and leaves. '.repeat(8), { name: 'Ada Lovelace' });
  const at = `/admin/v1/accounts/${world.account}/webhooks/${world.webhook}/hooks`;
  const first = await visit.until('a hook waits', async () => (await world.operatorApi('GET', at)).hooks.find((it) => it.state === 'waiting'));
  world.hook = first.id;
}

/** Shows a page in a language, and measures it at every width and in its themes. */
async function measured(visit, page, world, { kind, language }) {
  const said = [];
  const isStranger = page.who === 'stranger';
  const who = isStranger ? undefined : page.who === undefined || page.who === 'operator' ? world.admin : world[page.who];
  if (isStranger) await visit.context.clearCookies();
  else if (visit.who !== who) await visit.signIn(world, who);
  visit.who = who;
  await resize(visit, SIZES[0]);
  // The first page is there before anything can be kept.
  if (visit.page.url() === 'about:blank') await visit.open(world, '/sign-in');
  await visit.page.evaluate(
    ([language, token]) => {
      localStorage.setItem('switchboard.language', language);
      if (token === undefined) sessionStorage.removeItem('switchboard.operator');
      else sessionStorage.setItem('switchboard.operator', token);
    },
    [language, page.who === 'operator' ? settings.operator : undefined],
  );
  await visit.open(world, page.at(world));
  if (!isStranger && page.isAlone !== true) await visit.page.locator('.connection.live').waitFor();
  await visit.page.locator(page.shown).first().waitFor();
  try {
    await page.open?.(visit.page, world);
  } catch (error) {
    // The other pages are measured nevertheless.
    said.push({ where: `${kind} ${page.name} ${language}`, wrong: `cannot be brought there: ${error.message}` });
  }
  await visit.page.waitForFunction(() => document.querySelector('.skeleton') === null);
  // What was opened may lie further down.
  await visit.page.locator('main').evaluate((it) => (it.scrollTop = 0));
  for await (const { size, theme, wrong } of wrongOnScreens(visit, language)) {
    const where = `${kind} ${page.name} ${size.width} ${theme} ${language}`;
    await visit.shot(`layout ${where}`);
    said.push(...wrong.map((wrong) => ({ where, wrong })));
  }
  // What a state answered for the service ends with it.
  await visit.page.unrouteAll({ behavior: 'ignoreErrors' });
  return said;
}

/** Measures all pages whose name has the words in `PAGES`, in a language. */
async function all(visit, language) {
  const worlds = { empty: await visit.world(), full: await full(visit) };
  const isFull = () => visit.who !== worlds.empty.admin;
  // As wide as counts get.
  const most = { count: 250, capped: true };
  await visit.context.route('**/inbox/v1/counts', (route) =>
    isFull() ? route.fulfill({ json: { unread: most, failed: most, unsorted: most } }) : route.fallback(),
  );
  const wanted = PAGES.filter(({ name }) => name.includes(process.env.PAGES ?? ''));
  const said = [];
  for (const page of wanted) {
    for (const [kind, world] of Object.entries(worlds)) {
      if (page[kind] === false) continue;
      said.push(...(await measured(visit, page, world, { kind, language })));
    }
  }
  assert.equal(said.length, 0, `\n${inShort(said)}`);
}

/** Each thing that is wrong once: where it was seen first, and in how many pictures. */
function inShort(said) {
  const found = new Map();
  for (const { where, wrong } of said) {
    const key = wrong.replaceAll(/«[^»]*»|\([^)]*\)|-?\d+/g, '');
    const known = found.get(key) ?? { where, wrong, count: 0 };
    found.set(key, { ...known, count: known.count + 1 });
  }
  return [...found.values()].map(({ where, wrong, count }) => `${where}: ${wrong}${count > 1 ? `; ${count} times in all` : ''}`).join('\n');
}

/** Pages that are wrong in one way each, and what is to be said of them. */
const WRONG = {
  'runs out of': '<div style="width: 80px"><p style="width: 300px">A text that is wider than its box</p></div>',
  'is cut off by': '<h1 style="width: 60px; overflow: hidden; text-overflow: ellipsis; white-space: nowrap">A heading</h1>',
  'runs out of the window': '<p style="position: fixed; left: -40px">It begins outside</p>',
  'lie over each other': '<button style="width: 90px; height: 30px">One</button><button style="width: 90px; height: 30px; margin-left: -50px">Two</button>',
  'scrolls sideways': '<main style="overflow: auto; width: 200px"><p style="width: 600px">Wide</p></main>',
  'less than 24 for a pointer': '<button style="width: 16px; height: 16px; padding: 0">x</button>',
};

/** Pages that are right, though they come near. */
const RIGHT = [
  '<p style="width: 60px; overflow: hidden; text-overflow: ellipsis; white-space: nowrap">What somebody wrote is shortened</p>',
  '<pre style="width: 90px; overflow: auto">A line that is longer than its box</pre>',
  '<button style="height: 30px">Below</button><div style="position: fixed; z-index: 1; inset: 0 auto auto 0"><button style="height: 30px">Above</button></div>',
  '<p>Unseen: <span style="position: absolute; left: -900px; clip-path: inset(50%)">for those who hear the page</span></p>',
];

await cases({
  'layout errors are detected, and nothing else': async (visit) => {
    const said = async (html) => {
      await visit.page.setContent(`<body style="margin: 8px; font: 14px sans-serif">${html}</body>`);
      return wrongBoxes(visit.page);
    };
    for (const [wrong, html] of Object.entries(WRONG)) {
      const all = await said(html);
      assert.ok(all.some((it) => it.includes(wrong)), `${wrong}: ${all.join('; ') || 'nothing'}`);
    }
    for (const html of RIGHT) assert.deepEqual(await said(html), [], html);
  },

  'every page is measured in its states, or has none': async () => {
    assert.deepEqual(UNEXPLAINED, []);
  },

  'every page keeps its layout in English': (visit) => all(visit, 'en'),
  'every page keeps its layout in Russian': (visit) => all(visit, 'ru'),
  'every page keeps its layout in Spanish': (visit) => all(visit, 'es'),
});
