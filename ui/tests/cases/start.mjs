// What the first page fetches, and how long it takes on a slow line.

import assert from 'node:assert/strict';
import { cases } from '../support/cases.mjs';
import { LINE, loadCold, median } from '../support/cold.mjs';

/** The most that is received until the first page is visible, headers included, in bytes. */
const MOST = 60_000;
/** The longest that the line may need for that, in milliseconds. */
const LONGEST = 1_000;
const LOADS = 3;
const LANGUAGES = ['en', 'ru', 'es'];

async function write(world, conversations) {
  for (let at = 0; at < conversations; at += 1) {
    const customer = `Customer ${at} ${Math.abs(Math.sin(at)).toString(36).slice(2, 12)}`;
    await world.says(`c-${at}`, `Is number ${at * 7919} still in stock? I need ${at + 2} of them.`, { name: customer });
  }
}

async function choose(visit, world, language) {
  await visit.open(world, '/sign-in');
  await visit.page.evaluate((name) => localStorage.setItem('switchboard.language', name), language);
}

/** Loads a page with nothing kept, a few times; prints what it cost. */
async function load(visit, world, path, selector, name) {
  const loads = [];
  for (let at = 0; at < LOADS; at += 1) loads.push(await loadCold(visit.context, world.base + path, selector));
  const [{ files, bytes }] = loads;
  const took = median(loads.map((it) => it.took));
  const all = files.map((file) => `${file.path} ${file.bytes}`).join(', ');
  console.log(`${name}: ${bytes} bytes, ${Math.round(took)} ms (${all})`);
  return { files, bytes: Math.max(...loads.map((it) => it.bytes)), took };
}

await cases({
  'the list is there after little on a slow line, in every language': async (visit) => {
    const world = await visit.world();
    await write(world, 50);
    await visit.signIn(world);
    for (const language of LANGUAGES) {
      await choose(visit, world, language);
      const { files, bytes } = await load(visit, world, '/', 'a.conversation', `inbox, ${language}`);
      const paths = files.map((file) => file.path);
      assert.deepEqual(paths, [...new Set(paths)], 'a file was fetched twice');
      assert.ok(bytes <= MOST, `${bytes} bytes`);
      const list = files.find((file) => file.path === '/inbox/v1/conversations');
      // Neither waits for the other: the code, and the data that it shows.
      assert.ok(list.trips <= 4, `${list.trips} round trips`);
      const onTheLine = list.trips * LINE.latency + (bytes * 8_000) / LINE.down;
      assert.ok(onTheLine <= LONGEST, `${onTheLine} ms on the line`);
    }
  },

  'who is not signed in, and who opens a page of integrations, fetches little': async (visit) => {
    const world = await visit.world();
    const signIn = await load(visit, world, '/', '.sign-in form', 'sign-in');
    assert.ok(signIn.bytes <= MOST, `${signIn.bytes} bytes`);
    await visit.signIn(world);
    await load(visit, world, '/callbacks', '.operator-gate', 'callbacks');
  },
});
