// Notifications: nothing is asked of the browser before a click, each is shown once, and what somebody wants of them is kept.

import assert from 'node:assert/strict';
import { cases } from '../support/cases.mjs';

/** Puts a stand-in in the place of the browser's notifications: it notes what is shown, and answers as it is told. */
async function standIn(visit, permission) {
  await visit.context.addInitScript((given) => {
    window.shown = [];
    window.asked = 0;
    window.sounds = 0;
    const part = { frequency: {}, gain: {}, connect: (next) => next, start: () => (window.sounds += 1), stop() {} };
    window.AudioContext = class {
      currentTime = 0;
      createOscillator = () => part;
      createGain = () => part;
      async close() {}
    };
    window.Notification = class {
      static permission = given;
      static async requestPermission() {
        window.asked += 1;
        this.permission = 'granted';
        return this.permission;
      }
      constructor(title, options) {
        window.shown.push({ title, ...options });
        window.newest = this;
      }
      close() {
        this.onclose?.();
      }
    };
  }, permission);
}

const shown = (visit) => visit.page.evaluate(() => window.shown.map(({ title, tag }) => [title, tag]));
const isLive = (visit) => visit.page.locator('.connection.live').waitFor();
const hasIcon = (page, name) => page.waitForFunction((name) => document.querySelector('link[rel=icon]').getAttribute('href') === `/ui/${name}`, name);
/** The code of notifications is here: it alone sets the icon, and something is unread. */
const isReady = (page) => hasIcon(page, 'icon-unread.svg');

/** Opens the settings of whoever is signed in. */
async function settings(visit, name = 'Ann Miller') {
  await visit.page.getByRole('button', { name }).click();
  await visit.page.getByRole('button', { name: 'Profile and notifications' }).click();
  return visit.page.getByRole('dialog', { name: 'Profile and notifications' });
}

/** This user wants notifications in this browser. */
const wants = async (visit, world) => {
  const { chat_id: id } = await world.api('GET', '/inbox/v1/me');
  await visit.page.evaluate((id) => localStorage.setItem(`switchboard.notifications.${id}`, 'on'), id);
};

await cases({
  'notifications begin with a click, and lead to their conversation': async (visit) => {
    await standIn(visit, 'default');
    const world = await visit.world();
    await world.says('first', 'Hi', { name: 'First' });
    await visit.signIn(world);
    await visit.open(world, '/contacts');
    await isLive(visit);
    await isReady(visit.page);
    await world.says('early', 'Hi', { name: 'Early' });
    await visit.page.waitForFunction(() => document.title.startsWith('(2)'));
    assert.deepEqual(await shown(visit), [], 'they are off at first');
    assert.equal(await visit.page.evaluate(() => window.asked), 0);

    const dialog = await settings(visit);
    await dialog.getByLabel('Show notifications in this browser').click();
    await visit.until('it is on', () => dialog.getByLabel('Show notifications in this browser').isChecked());
    assert.equal(await visit.page.evaluate(() => window.asked), 1);
    await visit.page.keyboard.press('Escape');

    const { conversation_id: ada } = await world.says('ada', 'Hi', { name: 'Ada Lovelace' });
    await visit.until('Ada is shown', async () => (await shown(visit)).length === 1);
    assert.deepEqual(await shown(visit), [['New conversation in Telegram', ada]]);
    await visit.page.evaluate(() => window.newest.onclick());
    await visit.page.waitForFunction((id) => location.pathname === `/conversations/${id}`, ada);
    await visit.page.locator('[data-message]').first().waitFor();
    // Whoever has it open sees what comes. The next of another conversation shows that nothing came before it.
    await world.api('PATCH', `/inbox/v1/conversations/${ada}/responsible`, { body: { user_id: world.admin.id, replaces: null } });
    await visit.until('the sign is there', async () => (await world.api('GET', `/inbox/v1/conversations/${ada}`)).viewers?.length === 1);
    await world.says('ada', 'Are you there?', { name: 'Ada Lovelace' });
    const { conversation_id: boris } = await world.says('boris', 'Hello', { name: 'Boris' });
    await visit.until('Boris is shown', async () => (await shown(visit)).length === 2);
    assert.equal((await shown(visit))[1][1], boris);

    const sounds = () => visit.page.evaluate(() => window.sounds);
    assert.equal(await sounds(), 0, 'the sound is off at first');
    await visit.open(world, '/contacts');
    await isLive(visit);
    await isReady(visit.page);
    await settings(visit);
    await dialog.getByLabel('With a sound').check();
    await dialog.getByRole('button', { name: 'Save the notifications' }).click();
    await dialog.getByText('The notifications are saved').waitFor();
    await visit.page.keyboard.press('Escape');
    await world.says('chiara', 'Ciao', { name: 'Chiara' });
    await visit.until('Chiara is heard', async () => (await sounds()) === 1);
  },

  'a sign-in shows one summary, and a reload none': async (visit) => {
    await standIn(visit, 'granted');
    const world = await visit.world();
    await world.says('ada', 'Hi', { name: 'Ada Lovelace' });
    await world.says('boris', 'Hello', { name: 'Boris' });
    await visit.open(world, '/sign-in');
    await wants(visit, world);
    await visit.page.getByLabel('E-mail').fill(world.admin.email);
    await visit.page.getByLabel('Password').fill(world.password);
    await visit.page.getByRole('button', { name: 'Sign in' }).click();
    await isLive(visit);
    await visit.until('the summary is shown', async () => (await shown(visit)).length === 1);
    assert.deepEqual(await shown(visit), [['Unread: 2 conversations', 'summary']]);
    await visit.page.reload();
    await isLive(visit);
    await isReady(visit.page);
    const { conversation_id: chiara } = await world.says('chiara', 'Ciao', { name: 'Chiara' });
    await visit.until('Chiara is shown', async () => (await shown(visit)).length > 0);
    assert.deepEqual(await shown(visit), [['New conversation in Telegram', chiara]]);
    assert.equal(await visit.page.evaluate(() => window.asked), 0);
  },

  'a mention is shown to the mentioned user': async (visit) => {
    await standIn(visit, 'default');
    const world = await visit.world();
    const { conversation_id: ada } = await world.says('ada', 'Hi', { name: 'Ada Lovelace' });
    const dora = await world.user('Dora Fox');
    await visit.signIn(world, dora);
    await visit.open(world, '/contacts');
    await isLive(visit);
    const dialog = await settings(visit, 'Dora Fox');
    await dialog.getByLabel('Show notifications in this browser').click();
    await visit.until('it is on', () => dialog.getByLabel('Show notifications in this browser').isChecked());
    await world.api('POST', `/inbox/v1/conversations/${ada}/notes`, { body: { text: '@Dora Fox', mentions: [dora.id] } });
    await visit.until('the mention is shown', async () => (await shown(visit)).length === 1);
    assert.deepEqual(await shown(visit), [['A note mentions you in Telegram', ada]]);
    await dialog.getByLabel('Notes that mention me').uncheck();
    await dialog.getByRole('button', { name: 'Save the notifications' }).click();
    await dialog.getByText('The notifications are saved').waitFor();
    assert.equal(await dialog.getByLabel('Scheduled replies of mine that are not sent').isChecked(), true);
  },

  'a scheduled reply that is held is shown to its writer': async (visit) => {
    await standIn(visit, 'granted');
    const world = await visit.world();
    const { conversation_id: ada } = await world.says('ada', 'Hi', { name: 'Ada Lovelace' });
    await visit.signIn(world);
    await visit.open(world, '/sign-in');
    await wants(visit, world);
    await visit.open(world, '/contacts');
    await isLive(visit);
    await isReady(visit.page);
    const send_at = Math.floor(Date.now() / 1000) + 5;
    await world.api('POST', `/inbox/v1/conversations/${ada}/scheduled-replies`, { body: { type: 'text', text: 'Ready', send_at } });
    await world.says('ada', 'Never mind', { name: 'Ada Lovelace' });
    const held = ['Your scheduled reply in Telegram was not sent', ada];
    await visit.until('it is shown', async () => (await shown(visit)).some((it) => String(it) === String(held)));
  },

  'kinds, sound and quiet hours are kept, and the icon shows what is unread': async (visit) => {
    await standIn(visit, 'default');
    const world = await visit.at('/contacts');
    await isLive(visit);
    const dialog = await settings(visit);
    await dialog.getByLabel('New conversations without a responsible user').uncheck();
    await dialog.getByLabel('With a sound').check();
    await dialog.getByLabel(/Quiet hours/).check();
    await dialog.getByLabel('From').fill('21:15');
    await dialog.getByLabel('To', { exact: true }).fill('06:45');
    await visit.isAccessible('notifications');
    await dialog.getByRole('button', { name: 'Save the notifications' }).click();
    await dialog.getByText('The notifications are saved').waitFor();
    const wanted = { off: ['new_conversation'], sound: true, show_text: false, quiet_hours: { from: '21:15', to: '06:45', utc_offset: 0 } };
    assert.deepEqual((await world.api('GET', '/inbox/v1/me')).notifications, wanted);
    await visit.page.reload();
    const again = await settings(visit);
    assert.equal(await again.getByLabel('New conversations without a responsible user').isChecked(), false);
    assert.equal(await again.getByLabel('Messages in my conversations').isChecked(), true);
    assert.equal(await again.getByLabel('From').inputValue(), '21:15');
    await visit.page.keyboard.press('Escape');

    await hasIcon(visit.page, 'icon.svg');
    const { conversation_id: ada } = await world.says('ada', 'Hi', { name: 'Ada Lovelace' });
    await hasIcon(visit.page, 'icon-unread.svg');
    assert.equal((await fetch(`${world.base}/ui/icon-unread.svg`)).status, 200);
    await world.api('POST', `/inbox/v1/conversations/${ada}/read`);
    await hasIcon(visit.page, 'icon.svg');
  },

  'a clock that was put forward is told to the service': {
    options: { timezoneId: 'Asia/Tokyo' },
    work: async (visit) => {
      const world = await visit.world();
      await visit.signIn(world);
      await visit.open(world, '/contacts');
      await isLive(visit);
      const dialog = await settings(visit);
      await dialog.getByLabel(/Quiet hours/).check();
      await dialog.getByRole('button', { name: 'Save the notifications' }).click();
      await dialog.getByText('The notifications are saved').waitFor();
      const offset = async () => (await world.api('GET', '/inbox/v1/me')).notifications.quiet_hours.utc_offset;
      assert.equal(await offset(), 9 * 60);
      await visit.page.evaluate(() => {
        Date.prototype.getTimezoneOffset = () => -600;
      });
      // Whatever reads the user again finds it.
      await dialog.getByLabel('Name', { exact: true }).fill('Ann Miller Smith');
      await dialog.getByRole('button', { name: 'Save the name' }).click();
      await visit.until('the service knows', async () => (await offset()) === 600);
    },
  },

  'of the hidden pages of a browser one goes on to notify': async (visit) => {
    await standIn(visit, 'granted');
    const world = await visit.world();
    await world.says('first', 'Hi', { name: 'First' });
    await visit.signIn(world);
    await visit.open(world, '/sign-in');
    await wants(visit, world);
    const other = await visit.context.newPage();
    const pages = [visit.page, other];
    for (const page of pages) {
      await page.goto(`${world.base}/contacts`);
      await page.locator('.connection.live').waitFor();
      await isReady(page);
    }
    const lines = () => Promise.all(pages.map((page) => page.evaluate(() => navigator.locks.query().then(({ held, pending }) => [held.length, pending.length]))));
    for (const page of pages) {
      await page.evaluate(() => {
        Object.defineProperty(document, 'hidden', { configurable: true, get: () => true });
        document.dispatchEvent(new Event('visibilitychange'));
      });
    }
    await visit.until('one has the line, the other waits', async () => String((await lines())[0]) === '1,1');
    // When the first one goes, the other takes its place.
    await visit.page.close();
    await visit.until('the other one has it', async () => {
      const { held, pending } = await other.evaluate(() => navigator.locks.query().then((it) => ({ held: it.held.length, pending: it.pending.length })));
      return held === 1 && pending === 0;
    });
    const { conversation_id: ada } = await world.says('ada', 'Hi', { name: 'Ada Lovelace' });
    await visit.until('it is shown', async () => (await other.evaluate(() => window.shown.map(({ tag }) => tag))).includes(ada));
  },
});
