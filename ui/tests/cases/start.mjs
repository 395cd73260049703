// What the first page fetches, and how long it takes on a slow line.

import assert from 'node:assert/strict';
import { cases } from '../support/cases.mjs';
import { LINE, loadCold, median } from '../support/cold.mjs';
import { slowLine } from '../support/line.mjs';

/** The most that is received until the first page is visible, headers included, in bytes. */
const MOST = 60_000;
/** The longest that takes on the line, in milliseconds. */
const LONGEST = 1_000;
/** The round trips behind which the list is there: the document, the first script, the data. */
const TRIPS = 3;
const LOADS = 3;

/** Conversations that are as long as people's, and not alike. */
async function converse(world, count) {
  for (let at = 0; at < count; at += 1) {
    const name = `Customer ${at} ${Math.abs(Math.sin(at)).toString(36).slice(2, 12)}`;
    await world.says(`c-${at}`, `Is number ${at * 7919} still in stock? I need ${at + 2} of them.`, { name });
  }
}

/** A world behind a slow line, which closes with the case. */
async function slowWorld(visit, world) {
  const { origin, close } = await slowLine(world.base, LINE);
  visit.end = close;
  visit.watched.origin = origin;
  return { base: origin };
}

/**
 * Loads a page a few times, with nothing kept from before. Prints the bytes and the times; gives the first load. The times
 * include what else the machine does, so bytes and round trips are judged, from which the time on the line follows.
 */
async function load(visit, { base }, selector, name) {
  const loads = [];
  for (let at = 0; at < LOADS; at += 1) loads.push(await loadCold(visit.context, `${base}/`, selector));
  const [{ files, bytes }] = loads;
  const times = loads.map((it) => it.took);
  const all = files.map((file) => `${file.path} ${file.bytes}`).join(', ');
  console.log(`        ${name}: ${bytes} bytes, ${Math.round(median(times))} ms (${times.map(Math.round).join(', ')}): ${all}`);
  assert.ok(bytes <= MOST, `${bytes} bytes`);
  return { files, bytes };
}

await cases({
  'the list needs few bytes and round trips, in every language': async (visit) => {
    const world = await visit.world();
    await converse(world, 50);
    await visit.signIn(world);
    const slow = await slowWorld(visit, world);
    for (const language of ['en', 'ru', 'es']) {
      await visit.open(slow, '/sign-in');
      await visit.page.evaluate((name) => localStorage.setItem('switchboard.language', name), language);
      const { files, bytes } = await load(visit, slow, 'a.conversation', language);
      const paths = files.map((file) => file.path);
      assert.deepEqual(paths, [...new Set(paths)], 'something was fetched twice');
      assert.equal(paths.some((path) => path.includes('words-')), language !== 'en');
      // The data does not wait for the code that shows it.
      const { trips } = files.find((file) => file.path === '/inbox/v1/conversations');
      assert.ok(trips <= TRIPS, `${trips} round trips`);
      const line = TRIPS * LINE.latency + (bytes * 8_000) / LINE.down;
      assert.ok(line <= LONGEST, `${line} ms of the line alone`);
    }
  },

  'the sign-in page needs few bytes': async (visit) => {
    const slow = await slowWorld(visit, await visit.world());
    await load(visit, slow, '.sign-in form', 'sign-in');
  },
});
