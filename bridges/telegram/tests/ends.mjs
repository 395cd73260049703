// Both ends of one conversation through the bridge: the inbox of the console, and the chat on the page of the double of Telegram. A service,
// the double and the bridge run for it. `REMAKE_PICTURE=1` makes the picture of the README.

import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { cases, settings } from '../../../ui/tests/support/cases.mjs';
import { oauthClient } from '../../../ui/tests/support/oauth.mjs';
import { Service } from '../../../ui/tests/support/service.mjs';
import { ask } from '../../../ui/tests/support/world.mjs';

const { DOUBLE_URL: DOUBLE, TELEGRAM_BOT_TOKEN: TOKEN, BRIDGE_BIN: BRIDGE } = process.env;
const PICTURE = fileURLToPath(new URL('../both-ends.png', import.meta.url));
const ANN = 7;
/** The bot of the bridge, and one that nothing reads. */
const [BOT, IDLE] = [42, 43];
const CHAT = `${DOUBLE}/double/chat?bot=${BOT}&id=${ANN}`;
/** Two tulips, which are drawn and not fetched. */
const tulip = (colour) => `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 240 160" width="240" height="160">
  <rect width="240" height="160" fill="#f4efe4"/>${[80, 160].map((x) => `<path d="M${x} 150V80" stroke="#3f7d3a" stroke-width="6"/>
  <path d="M${x} 140q30-10 34-50q-30 10-34 50" fill="#4c9646"/>
  <path d="M${x - 28} 36q14 18 28-12q14 30 28 12q4 58-28 58q-32 0-28-58" fill="${colour}"/>`)}</svg>`;

/** An order of the double. */
const order = (name, body) => ask(DOUBLE, 'POST', `/double/${name}`, { body });
const says = (message) => order('say', { bot: BOT, from: ANN, ...message });

async function freePort() {
  const server = createServer();
  await new Promise((done) => server.listen(0, '127.0.0.1', done));
  const { port } = server.address();
  await new Promise((done) => server.close(done));
  return port;
}

/** A service with an account, its channel, and the bridge between that and the double. */
async function stage(visit) {
  const service = await Service.start(settings.program);
  Object.assign(visit, { base: service.base, operator: service.operator });
  const world = await visit.world({ name: 'Tulips', user: 'Ada Miller' });
  const port = await freePort();
  const bridge = `http://127.0.0.1:${port}`;
  for (const site of [DOUBLE, bridge]) visit.watched.sites.add(site);
  await world.operatorApi('PATCH', `/admin/v1/channels/${world.channel.id}`, {
    kind: 'telegram',
    page: `${bridge}/`,
    webhook_v2: `${bridge}/v2/:scope_id`,
    reaction_callbacks: true,
    typing_callbacks: true,
  });
  const client = await oauthClient(world, { name: 'Telegram bridge', redirect_uri: `${bridge}/oauth/callback` });
  const directory = await mkdtemp(join(tmpdir(), 'bridge-'));
  const child = spawn(BRIDGE, [], {
    cwd: directory,
    stdio: 'ignore',
    env: {
      TELEGRAM_BOT_TOKEN: TOKEN,
      TELEGRAM_URL: DOUBLE,
      TELEGRAM_BRIDGE_LISTEN: `127.0.0.1:${port}`,
      TELEGRAM_BRIDGE_PUBLIC_URL: bridge,
      SWITCHBOARD_URL: service.base,
      SWITCHBOARD_ACCOUNT_ID: world.account,
      SWITCHBOARD_CHANNEL_ID: world.channel.id,
      SWITCHBOARD_CHANNEL_SECRET: world.channel.secret,
      SWITCHBOARD_CLIENT_ID: client.id,
      SWITCHBOARD_CLIENT_SECRET: client.secret,
      SWITCHBOARD_REDIRECT_URI: client.redirect_uri,
    },
  });
  const end = new Promise((done) => child.once('exit', done));
  visit.end = async () => {
    child.kill('SIGKILL');
    await end;
    await service.end();
    await rm(directory, { recursive: true, force: true });
  };
  await visit.until('the bridge is well', () => fetch(`${bridge}/health`).then((answer) => answer.ok, () => child.exitCode !== null && assert.fail('it has ended')));
  return { world, bridge };
}

/** An administrator installs the bridge, from its page. */
async function install(visit, bridge) {
  const { page } = visit;
  await page.goto(`${bridge}/`);
  await visit.sees('The bridge works.');
  await visit.isAccessible('the page of the bridge');
  await page.getByRole('link', { name: 'install it' }).click();
  await page.getByRole('button', { name: 'Allow', exact: true }).click();
  await page.waitForURL((url) => url.origin === bridge);
  await visit.until('it is installed', () => fetch(`${bridge}/health`).then(async (answer) => (await answer.json()).installed));
}

/** A picture as a file. */
async function draw(visit, colour) {
  const page = await visit.context.newPage();
  await page.setContent(tulip(colour));
  const picture = await page.locator('svg').screenshot();
  await page.close();
  return picture;
}

const isLoaded = (visit, image) => visit.until('the picture is loaded', () => image.evaluate((it) => it.complete && it.naturalWidth > 0));

/** Both pages side by side. */
async function together(visit, pages) {
  const shots = [];
  for (const page of pages) shots.push((await page.screenshot()).toString('base64'));
  const sheet = await visit.context.newPage();
  await sheet.setViewportSize({ width: 1480, height: 1040 });
  const images = shots.map((it) => `<img alt="" src="data:image/png;base64,${it}">`).join('');
  await sheet.setContent(`<style>body{display:flex;gap:20px;margin:0;padding:20px;background:#aebdcb}</style>${images}`);
  const picture = await sheet.screenshot();
  await sheet.close();
  return picture;
}

await cases({
  'one conversation is the same at both ends': {
    options: { viewport: { width: 1020, height: 1000 } },
    work: async (visit) => {
      const { world, bridge } = await stage(visit);
      await visit.signIn(world);
      await install(visit, bridge);
      await order('people', { id: ANN, first_name: 'Ann', last_name: 'Baker', username: 'annbaker' });
      await says({ text: 'Good morning! Have you any red tulips?' });

      const inbox = await visit.open(world, '/conversations');
      await inbox.getByRole('list', { name: 'Conversations' }).getByRole('link', { name: /Ann Baker/ }).click();
      const log = inbox.getByRole('log', { name: 'Messages with Ann Baker' });
      await log.getByText('Good morning! Have you any red tulips?').waitFor();
      await inbox.getByText('Live', { exact: true }).waitFor();
      const { conversations } = await world.api('GET', '/inbox/v1/conversations');
      const at = `/inbox/v1/conversations/${conversations[0].id}/messages`;
      const newest = async (holds) => {
        const { messages } = await world.api('GET', at);
        return messages.find(holds);
      };

      const phone = await visit.context.newPage();
      await phone.setViewportSize({ width: 400, height: 1000 });
      await phone.goto(CHAT);
      await phone.getByRole('heading', { name: 'Ann Baker' }).waitFor();
      const chat = phone.getByRole('log', { name: 'Messages' });
      const article = (from, text) => chat.getByRole('article', { name: new RegExp(`^${from}, message`) }).filter({ hasText: text });
      await article('Ann Baker', 'Good morning! Have you any red tulips?').waitFor();

      // A text of the inbox, and a reaction of the customer to it.
      await inbox.getByLabel('Your reply').fill('Good morning, Ann! Yes, fresh ones.');
      await inbox.getByRole('button', { name: 'Send', exact: true }).click();
      await article('Double 42', 'Good morning, Ann! Yes, fresh ones.').waitFor();
      const answer = await visit.until('the answer is delivered', () =>
        newest((it) => it.text === 'Good morning, Ann! Yes, fresh ones.' && it.delivery?.status === 'delivered'),
      );
      const { message_id: number } = (await ask(DOUBLE, 'GET', `/double/state?bot=${BOT}`)).bots[0].chats[0].messages.find((it) => it.from === null);
      await order('react', { bot: BOT, from: ANN, message_id: number, emoji: ['❤'] });
      await log.getByRole('article').filter({ hasText: 'Yes, fresh ones.' }).getByText('❤').waitFor();
      assert.equal(answer.direction, 'out');

      // A picture with a caption, and a reaction of the user to it.
      const photo = { base64: (await draw(visit, '#c62f3b')).toString('base64') };
      await says({ photo, caption: 'Like these?' });
      const picture = log.getByRole('img', { name: 'photo.jpg' });
      await isLoaded(visit, picture);
      await log.getByText('Like these?').waitFor();
      const question = await newest((it) => it.text === 'Like these?');
      await world.api('POST', `${at}/${question.id}/reactions`, { body: { type: 'react', emoji: '😁' } });
      await article('Ann Baker', 'Like these?').getByRole('list', { name: 'Reactions' }).getByText('😁').waitFor();

      // A quote of each side.
      await world.api('POST', at, { body: { type: 'text', text: 'Exactly these.', reply_to: question.id } });
      await article('Double 42', 'Exactly these.').locator('blockquote').getByText('Like these?').waitFor();
      await says({ text: 'Then ten of them, please.', reply_to: number });
      await log.getByRole('article').filter({ hasText: 'Then ten of them' }).locator('blockquote').getByText('Yes, fresh ones.').waitFor();

      // A picture of the inbox, and a place.
      const [dialog] = await Promise.all([inbox.waitForEvent('filechooser'), inbox.getByRole('button', { name: 'Attach a file' }).click()]);
      await dialog.setFiles({ name: 'bunch.png', mimeType: 'image/png', buffer: await draw(visit, '#e0a526') });
      await inbox.getByText(/bunch\.png · /).waitFor();
      await inbox.getByLabel('Your reply').fill('With two yellow ones for you.');
      await inbox.getByRole('button', { name: 'Send', exact: true }).click();
      const bunch = article('Double 42', 'With two yellow ones for you.').getByRole('img', { name: 'Picture' });
      await isLoaded(visit, bunch);
      await says({ location: { latitude: 51.5196, longitude: -0.1543 } });
      await log.getByText('Coordinates: 51.5196, -0.1543').waitFor();
      await article('Ann Baker', 'Place 51.5196, -0.1543').waitFor();

      // A customer who blocks the bot gets nothing, and both pages say so.
      await order('block', { bot: BOT, from: ANN });
      await phone.getByRole('status').getByText('The bot is blocked.').waitFor();
      await inbox.getByText(/The customer has blocked the channel/).first().waitFor();
      await inbox.getByLabel('Your reply').fill('They are on their way.');
      await inbox.getByRole('button', { name: 'Send', exact: true }).click();
      const failure = await visit.until('it fails', () => newest((it) => it.text === 'They are on their way.' && it.delivery?.status === 'error'));
      assert.match(JSON.stringify(failure.delivery), /905/);
      await log.getByText(/blocked/).first().waitFor();
      assert.equal(await article('Double 42', 'They are on their way.').count(), 0);

      // The chat has each message once, in this order; so has the inbox, with the one that did not arrive.
      const words = ['red tulips', 'fresh ones', 'Like these', 'Exactly these', 'ten of them', 'two yellow ones', '51.5196'];
      const sides = [chat.getByRole('article'), log.getByRole('article')];
      for (const [articles, all] of [[sides[0], words], [sides[1], [...words, 'on their way']]]) {
        const texts = await articles.allTextContents();
        assert.equal(texts.length, all.length, texts.join(' | '));
        for (const [place, text] of all.entries()) assert.ok(texts[place].includes(text), `${text}: ${texts[place]}`);
      }
      const both = await together(visit, [inbox, phone]);
      await visit.shot('telegram-inbox');
      await writeFile(join(settings.artifacts, 'telegram-both-ends.png'), both);
      if (process.env.REMAKE_PICTURE === '1') await writeFile(PICTURE, both);
      await visit.isAccessible('the inbox');
      visit.page = phone;
      await visit.isAccessible('the chat of the double');
      await visit.shot('telegram-chat');
    },
  },

  'a text of a customer is no markup on the page of the double': async (visit) => {
    visit.watched.sites.add(DOUBLE);
    const text = '<img src=x onerror=alert(1)><script>alert(2)</script>&amp;"';
    await order('people', { id: 8, first_name: '<b>Bob</b>' });
    await order('say', { bot: IDLE, from: 8, text });
    await visit.page.goto(`${DOUBLE}/double/chat?bot=${IDLE}`);
    await visit.isAccessible('the chats of the double');
    await visit.page.getByRole('link', { name: '<b>Bob</b>', exact: true }).click();
    const log = await visit.sees('log', 'Messages');
    await log.getByText(text, { exact: true }).waitFor();
    await visit.isAccessible('a chat of the double');
    // What is new comes by itself.
    await order('say', { bot: IDLE, from: 8, text: 'Are you there?' });
    await log.getByText('Are you there?').waitFor();
  },
});
