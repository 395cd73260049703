// The page that `switchboard exam --html` writes, looked at by axe in both colour schemes. It asks nobody for anything.

import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { cases, settings } from '../support/cases.mjs';

const ORIGIN = 'http://exam.test';
// It dies of requests that are no callbacks.
const PLANTED = `python3 ${fileURLToPath(new URL('../../../exam/planted/b18.py', import.meta.url))}`;
const VERDICTS = ['breaks', 'warns', 'not-tried', 'waived', 'holds'];

/** The page of an exam. */
async function pageOf(command, flags) {
  const folder = await mkdtemp(join(tmpdir(), 'exam-'));
  const file = join(folder, 'exam.html');
  try {
    // It ends with 1 when a rule is broken.
    const ended = promisify(execFile)(settings.program, ['exam', '--command', command, '--html', file, ...flags]);
    await ended.catch((error) => assert.equal(error.code, 1, error.stderr));
    return await readFile(file, 'utf8');
  } finally {
    await rm(folder, { recursive: true });
  }
}

/** Opens a page with nothing folded; gives its background. */
async function look(visit, name, html) {
  const { page } = visit;
  const asked = [];
  page.on('request', (request) => asked.push(request.url()));
  await visit.site(ORIGIN, html);
  await page.goto(`${ORIGIN}/${name}`);
  await page.evaluate(() => document.querySelectorAll('details').forEach((it) => (it.open = true)));
  await visit.isAccessible(name);
  await visit.shot(`exam-${name}`);
  assert.deepEqual(asked, [`${ORIGIN}/${name}`]);
  return page.evaluate(() => getComputedStyle(document.body).backgroundColor);
}

/** Looks at the report of a program that breaks a rule, and at each verdict. */
async function examine(visit, scheme) {
  const html = await pageOf(PLANTED, ['--only', '1,18,25', '--waive', '25=no buttons <yet>']);
  const background = await look(visit, `broken-${scheme}`, html);
  assert.deepEqual(await visit.page.locator('h2 span').allTextContents(), ['breaks', 'waived', 'holds']);
  assert.equal(await visit.page.locator('details[open] pre').count(), 2);
  for (const verdict of VERDICTS) {
    await visit.page.evaluate((name) => document.querySelectorAll('h2 span').forEach((it) => (it.className = name)), verdict);
    await visit.isAccessible(`${verdict} ${scheme}`);
  }
  return background;
}

await cases({
  'the report of an exam in a light scheme': async (visit) => {
    assert.equal(await examine(visit, 'light'), 'rgb(255, 255, 255)');
  },
  'the report of an exam in a dark scheme': {
    options: { colorScheme: 'dark' },
    work: async (visit) => assert.equal(await examine(visit, 'dark'), 'rgb(22, 22, 22)'),
  },
  'the report of a program that does not start, on a telephone': {
    options: { viewport: { width: 360, height: 640 } },
    work: async (visit) => {
      await look(visit, 'untried', await pageOf(`false /${'long'.repeat(40)}`, ['--only', '9']));
      const surplus = await visit.page.evaluate(() => document.documentElement.scrollWidth - innerWidth);
      assert.ok(surplus <= 0, `${surplus} pixels wider than the screen`);
    },
  },
});
