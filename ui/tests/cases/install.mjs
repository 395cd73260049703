// The console as a program of its own: the browser can install it, and nothing of it is kept that could be old.

import assert from 'node:assert/strict';
import { cases } from '../support/cases.mjs';

/** The code that comes behind the first page is here, and its worker serves the page. */
const isServed = (page) => page.waitForFunction(() => navigator.serviceWorker.controller?.scriptURL.endsWith('/ui/worker.js'));

await cases({
  'a browser can install the console': async (visit) => {
    const world = await visit.at('/conversations');
    await isServed(visit.page);
    const scope = await visit.page.evaluate(async () => (await navigator.serviceWorker.ready).scope);
    assert.equal(new URL(scope).pathname, '/');
    const session = await visit.context.newCDPSession(visit.page);
    const { url, errors, data } = await session.send('Page.getAppManifest');
    assert.equal(url, `${world.base}/ui/manifest.webmanifest`);
    assert.deepEqual(errors, []);
    const manifest = JSON.parse(data);
    assert.deepEqual([manifest.start_url, manifest.scope, manifest.display], ['/', '/', 'standalone']);
    assert.deepEqual([...new Set(manifest.icons.map((it) => it.purpose))], ['any', 'maskable']);
    for (const { src, sizes } of manifest.icons) {
      const size = await visit.page.evaluate(async (src) => {
        const image = new Image();
        image.src = src;
        await image.decode();
        return `${image.naturalWidth}x${image.naturalHeight}`;
      }, src);
      assert.equal(size, sizes, src);
    }
    await session.send('Page.enable');
    const { installabilityErrors } = await session.send('Page.getInstallabilityErrors');
    // The contexts of tests are private windows, in which no browser installs anything.
    assert.deepEqual(installabilityErrors.map((it) => it.errorId).filter((it) => it !== 'in-incognito'), []);
  },

  'the worker keeps nothing and answers nothing': async (visit) => {
    const world = await visit.world();
    await world.says('ada', 'Hi', { name: 'Ada Lovelace' });
    await visit.signIn(world);
    await visit.open(world, '/conversations');
    await isServed(visit.page);
    await visit.sees('Ada Lovelace');
    await visit.page.reload();
    await visit.sees('Ada Lovelace');
    assert.deepEqual(await visit.page.evaluate(() => caches.keys()), []);
    // Without the service there is no page, rather than an old one.
    await visit.context.setOffline(true);
    await assert.rejects(visit.page.reload(), /ERR_INTERNET_DISCONNECTED/);
    await visit.context.setOffline(false);
    await visit.open(world, '/conversations');
    await world.says('boris', 'Hello', { name: 'Boris' });
    await visit.sees('Boris');
  },

  'the bar of the browser has the colour of the page': async (visit) => {
    await visit.at('/conversations');
    await isServed(visit.page);
    const colour = () => visit.page.locator('meta[name=theme-color]').getAttribute('content');
    assert.equal(await colour(), '#ffffff');
    await visit.page.evaluate(() => (document.documentElement.dataset.theme = 'dark'));
    await visit.until('it is dark', async () => (await colour()) === '#1c2126');
  },
});
