// Runs cases in a real browser. Each has a world and a browser context of its own, and fails when the page asked anybody
// but its own origin and the sites that the case names, broke its content security policy, wrote an error to the console, or opened a dialog of the browser.

import assert from 'node:assert/strict';
import { mkdir, readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { chromium } from 'playwright-core';
import { World, ofBrowser, unlessBusy } from './world.mjs';

const AXE = await readFile(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');
const FLAGS = [
  '--headless',
  '--no-sandbox',
  '--disable-gpu',
  '--disable-quic',
  '--no-first-run',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
  '--force-prefers-reduced-motion',
];
/** Milliseconds that a case waits for a state before it fails: far longer than any machine needs that is only slow. */
export const PATIENCE = Number(process.env.PATIENCE ?? 120_000);

export const settings = {
  base: process.env.SWITCHBOARD_URL ?? 'http://127.0.0.1:8080',
  operator: process.env.SWITCHBOARD_OPERATOR__TOKEN ?? 'change-me',
  program: process.env.SWITCHBOARD_BIN,
  artifacts: process.env.CONSOLE_ARTIFACTS ?? '/tmp/console',
  chromium: process.env.CHROMIUM ?? '/usr/bin/chromium',
};

let browser;

/** What a case is given. */
export class Visit {
  constructor(context, page, watched) {
    Object.assign(this, { context, page, watched });
  }

  /** A world at the service of this run. */
  async world(options) {
    const world = await World.make(this.base ?? settings.base, this.operator ?? settings.operator, options);
    this.worlds ??= [];
    this.worlds.push(world);
    return world;
  }

  /** Another browser, as a colleague at another desk has one: a visit with cookies of its own. */
  async another() {
    const other = await begin(this.watched, {});
    this.others ??= [];
    this.others.push(other);
    return other;
  }

  /** Another site that pages of the console lead to: every address of it answers with this document. */
  async site(origin, html) {
    this.watched.sites.add(origin);
    await this.context.route(`${origin}/**`, (route) => route.fulfill({ contentType: 'text/html', body: html }));
  }

  /** Signs somebody in by a request of the browser, so that pages find the cookie. */
  async signIn(world, user = world.admin) {
    this.watched.origin = new URL(world.base).origin;
    const data = { email: user.email, password: user.password };
    const path = `${world.base}/inbox/v1/session`;
    const response = await unlessBusy(() => this.context.request.post(path, { data }), ofBrowser);
    assert.equal(response.status(), 201, await response.text());
  }

  /** Opens a page of the console. */
  async open(world, path) {
    this.watched.origin = new URL(world.base).origin;
    await this.page.goto(world.base + path);
    return this.page;
  }

  /** A world with this user signed in, at this page. */
  async at(path, options) {
    const world = await this.world(options);
    await this.signIn(world);
    await this.open(world, path);
    return world;
  }

  /** Waits until something is there, by its role and name, or by text. */
  async sees(what, name) {
    const found = name === undefined ? this.page.getByText(what) : this.page.getByRole(what, { name });
    await found.first().waitFor();
    return found.first();
  }

  /** Nothing on the page is against WCAG 2.1 AA, as far as a machine can tell. */
  async isAccessible(hint = '') {
    // Past the policy of the page, which lets in no script that is not its own.
    await this.page.evaluate(AXE);
    const { violations } = await this.page.evaluate(async () =>
      window.axe.run(document, { runOnly: ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa'] }),
    );
    const told = violations.map((it) => `${it.id}: ${it.nodes.map((node) => `${node.target} ${node.failureSummary}`).join('\n    ')}`);
    assert.deepEqual(told, [], `axe ${hint}`);
  }

  /** Time stands still in the page, whose clock is installed: nothing happens by itself any more until `clock.resume`. */
  async holdClock() {
    // Somewhat later than now, as the way to the page takes time too.
    await this.page.clock.pauseAt((await this.page.evaluate(() => Date.now())) + 10_000);
  }

  /** Keeps a picture of the page. */
  async shot(name) {
    await mkdir(settings.artifacts, { recursive: true });
    await this.page.screenshot({ path: join(settings.artifacts, `${name}.png`) });
  }

  /** Waits until a field has this text. */
  has(field, text) {
    return this.until(`a field has «${text}»`, async () => (await field.inputValue()) === text);
  }

  /** Waits until something holds, asked again and again: for states that no element tells. */
  async until(what, holds) {
    const end = Date.now() + PATIENCE;
    for (;;) {
      const value = await holds();
      if (value) return value;
      if (Date.now() > end) throw new Error(`in vain: ${what}`);
      await new Promise((wake) => setTimeout(wake, 25));
    }
  }
}

function watch(page, watched) {
  page.on('request', (request) => {
    const url = new URL(request.url());
    const isOwn = url.origin === watched.origin || url.protocol === 'blob:' || url.protocol === 'data:';
    if (!isOwn && !watched.sites.has(url.origin)) watched.wrong.push(`asked somebody else: ${request.url()}`);
  });
  page.on('console', (message) => {
    if (message.type() !== 'error' && message.type() !== 'warning') return;
    // The browser notes each answer that is no 2xx. What the service refuses on purpose, the case looks at itself.
    const isAnswer = message.text().startsWith('Failed to load resource') && /\/(inbox|api|admin|dev|v2)\//.test(message.location().url);
    if (!isAnswer) watched.wrong.push(`console: ${message.text()}`);
  });
  page.on('pageerror', (error) => watched.wrong.push(`error: ${error.stack}`));
  page.on('dialog', (dialog) => {
    watched.wrong.push(`dialog: ${dialog.message()}`);
    void dialog.dismiss();
  });
}

/** A visit in a browser context of its own, with its page. */
async function begin(watched, options) {
  const context = await browser.newContext({
    viewport: { width: 1280, height: 800 },
    locale: 'en-GB',
    timezoneId: 'UTC',
    colorScheme: 'light',
    ...options,
  });
  context.setDefaultTimeout(PATIENCE);
  await context.addInitScript(() => {
    addEventListener('securitypolicyviolation', (event) => {
      console.error(`content security policy: ${event.violatedDirective} ${event.blockedURI}`);
    });
  });
  const page = await context.newPage();
  watch(page, watched);
  context.on('page', (other) => watch(other, watched));
  return new Visit(context, page, watched);
}

/** Closes what a visit had open. A page asks on until it is closed: what is answered for it then has no one to go to. */
async function close({ context }) {
  await Promise.all([context, ...context.pages()].map((it) => it.unrouteAll({ behavior: 'ignoreErrors' })));
  await context.close();
}

async function run(name, work, options = {}) {
  const started = Date.now();
  const watched = { wrong: [], sites: new Set(), origin: new URL(settings.base).origin };
  const visit = await begin(watched, options);
  try {
    await work(visit);
    assert.deepEqual(watched.wrong, []);
    console.log(`ok      ${name} (${Date.now() - started} ms)`);
    return true;
  } catch (error) {
    console.log(`FAILED  ${name}\n${error.stack}\n${watched.wrong.join('\n')}`);
    await visit.shot(`failed ${name.replaceAll(/[^\w ]/g, '')}`).catch(() => {});
    return false;
  } finally {
    for (const each of [visit, ...(visit.others ?? [])]) await close(each);
    for (const world of visit.worlds ?? []) await world.receiver.close();
    await visit.end?.();
  }
}

/** How many cases of a file run at a time: most of one is waiting for the page. */
const AT_ONCE = 3;

/** Runs all cases of a file, or those whose name has the words in `CASES`. Ends with 1 when one failed. */
export async function cases(all) {
  const wanted = Object.entries(all).filter(([name]) => name.includes(process.env.CASES ?? ''));
  browser = await chromium.launch({ executablePath: settings.chromium, args: FLAGS });
  let failed = 0;
  const waiting = wanted.values();
  const one = async () => {
    // All take from the same iterator.
    for (const [name, given] of waiting) {
      const { options, work } = typeof given === 'function' ? { work: given } : given;
      if (!(await run(name, work, options))) failed += 1;
    }
  };
  await Promise.all(Array.from({ length: AT_ONCE }, one));
  await browser.close();
  console.log(`${wanted.length - failed} of ${wanted.length} cases passed`);
  // Also with something left open by a case that failed.
  process.exit(failed === 0 ? 0 : 1);
}
