// The picture of the README: made by `REMAKE_PICTURE=1`, and old when the page shows other texts or has other styles. Pixels
// are not compared: they differ between machines.

import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { readFile, readdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { cases } from '../support/cases.mjs';
import { workingDay } from '../support/days.mjs';

const ROOT = fileURLToPath(new URL('../../../', import.meta.url));
const PICTURE = join(ROOT, 'docs/console.png');
/** What the picture shows, beside it. */
const SHOWN = join(ROOT, 'docs/console.json');
/** The styles of what is on the page. */
const STYLES = ['styles', 'parts', 'shell', 'areas/inbox'].map((folder) => join(ROOT, 'ui/src', folder));

/** What the picture does not show. */
const UNSEEN = /(sign-in|setup|shortcuts|dialog|operator-gate|write-first)\.css$/;

/** The texts of the page, without what differs from run to run (ids, numbers, times) and from machine to machine (what is cut off). */
const texts = (page) =>
  page.evaluate(() => {
    const seen = [];
    const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
    for (let node = walker.nextNode(); node !== null; node = walker.nextNode()) {
      const text = node.textContent.trim();
      const element = node.parentElement;
      if (text === '' || element.closest('time, .day, script, style') !== null) continue;
      const range = document.createRange();
      range.selectNodeContents(node);
      const box = range.getBoundingClientRect();
      const isSeen = box.width > 1 && box.height > 1 && element.checkVisibility();
      if (isSeen) seen.push(text.replaceAll(/[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}/g, 'id').replaceAll(/\d+/g, '0'));
    }
    return seen;
  });

async function styles() {
  const digest = createHash('sha256');
  for (const folder of STYLES) {
    const files = await readdir(folder, { recursive: true });
    for (const file of files.filter((name) => name.endsWith('.css') && !UNSEEN.test(name)).sort()) digest.update(await readFile(join(folder, file)));
  }
  return digest.digest('hex');
}

await cases({
  'the picture of the README shows the present console': async (visit) => {
    const world = await visit.world();
    await workingDay(world);
    await visit.signIn(world);
    const page = await visit.open(world, `/conversations/${world.conversation}`);
    await page.getByRole('log').getByText('I cannot find it').waitFor();
    // The conversation that is open is read: its mark goes once the service knows.
    await page.locator('.conversation[aria-current]:not(.unread)').waitFor();
    await page.locator('.connection.live').waitFor();
    if (!(await page.locator('.details').isVisible())) await page.keyboard.press('KeyI');
    await page.locator('.details .lead-actions').waitFor();
    await page.locator('.navigation .count').first().waitFor();
    await page.locator('.skeleton').waitFor({ state: 'detached' });
    const shown = { texts: await texts(page), styles: await styles() };
    if (process.env.REMAKE_PICTURE === '1') {
      await page.screenshot({ path: PICTURE });
      await writeFile(SHOWN, `${JSON.stringify(shown, null, 1)}\n`);
    }
    const kept = JSON.parse(await readFile(SHOWN, 'utf8'));
    const remedy = 'docs/console.png is old: REMAKE_PICTURE=1 cargo test --workspace --test service -- console::the_picture';
    assert.deepEqual(shown, kept, remedy);
  },
});
