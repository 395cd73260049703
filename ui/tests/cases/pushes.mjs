// Pushes: nothing is subscribed before a click, the subscription is of the user who is signed in, and what is pushed is shown in their
// language and leads to an open page.

import assert from 'node:assert/strict';
import { cases } from '../support/cases.mjs';

const KEYS = {
  p256dh: 'BCVxsr7N_eNgVRqvHtD0zTZsEc6-VV-JvLexhqUzORcxaOzi6-AYWXvTBHm4bjyPjs7Vd8pZGH6SRpkNtoIAiw4',
  auth: 'BTBZMqHH6r4Tts7J_aSIgg',
};

/** Puts a stand-in in the place of the browser's subscription, which no browser of a test has. It outlives the page. */
async function standIn(visit) {
  await visit.context.addInitScript((keys) => {
    window.asked = 0;
    window.subscribed = [];
    const name = 'stand-in.endpoint';
    const subscription = () =>
      localStorage.getItem(name) && {
        toJSON: () => ({ endpoint: localStorage.getItem(name), expirationTime: null, keys }),
        unsubscribe: async () => localStorage.removeItem(name) ?? true,
      };
    Object.defineProperty(Notification, 'permission', { get: () => 'granted' });
    Notification.requestPermission = async () => {
      window.asked += 1;
      return 'granted';
    };
    PushManager.prototype.getSubscription = async () => subscription() || null;
    PushManager.prototype.subscribe = async (options) => {
      window.subscribed.push(options);
      localStorage.setItem(name, `https://push.example.net/send/${Math.random()}`);
      return subscription();
    };
  }, KEYS);
}

const isLive = (visit) => visit.page.locator('.connection.live').waitFor();
/** The code that comes behind the first page is here, and its worker serves the page. */
const isServed = (page) => page.waitForFunction(() => navigator.serviceWorker.controller !== null);

async function settings(visit, name = 'Ann Miller') {
  await visit.page.getByRole('button', { name }).click();
  await visit.page.getByRole('button', { name: 'Profile and notifications' }).click();
  return visit.page.getByRole('dialog', { name: 'Profile and notifications' });
}

const pushes = async (visit, world) => (await visit.context.request.get(`${world.base}/inbox/v1/me/pushes`)).json();
const SWITCH = 'Also when no page of the console is open';

await cases({
  'pushes begin and end with a click': async (visit) => {
    await standIn(visit);
    const world = await visit.at('/contacts');
    await isLive(visit);
    await isServed(visit.page);
    const dialog = await settings(visit);
    const input = dialog.getByLabel(SWITCH);
    assert.equal(await input.isChecked(), false);
    assert.deepEqual(await visit.page.evaluate(() => [window.asked, window.subscribed.length]), [0, 0]);
    await input.click();
    await visit.until('it is on', () => input.isChecked());
    const { public_key, pushes: list } = await pushes(visit, world);
    assert.deepEqual(list.map(({ host, is_of_this_session }) => [host, is_of_this_session]), [['push.example.net', true]]);
    assert.deepEqual(await visit.page.evaluate(() => [window.asked, window.subscribed]), [1, [{ userVisibleOnly: true, applicationServerKey: public_key }]]);
    await visit.isAccessible('pushes');
    // It stays on for the next page, which subscribes nothing again.
    await visit.page.reload();
    await isLive(visit);
    const again = (await settings(visit)).getByLabel(SWITCH);
    await visit.until('it is still on', () => again.isChecked());
    assert.equal(await visit.page.evaluate(() => window.subscribed.length), 0);
    assert.equal((await pushes(visit, world)).pushes[0].id, list[0].id);
    await again.click();
    await visit.until('it is off', async () => !(await again.isChecked()));
    await visit.until('the service has none', async () => (await pushes(visit, world)).pushes.length === 0);
  },

  'the text of customers is in pushes only for those who want it': async (visit) => {
    const world = await visit.at('/contacts');
    await isLive(visit);
    const dialog = await settings(visit);
    const text = dialog.getByLabel('With the beginning of the customer’s text, in pushes');
    assert.equal(await text.isChecked(), false);
    await text.check();
    await dialog.getByRole('button', { name: 'Save the notifications' }).click();
    await dialog.getByText('The notifications are saved').waitFor();
    assert.equal((await world.api('GET', '/inbox/v1/me')).notifications.show_text, true);
  },

  'a browser is of one user': async (visit) => {
    await standIn(visit);
    const world = await visit.world();
    const dora = await world.user('Dora Fox');
    await visit.signIn(world);
    await visit.open(world, '/contacts');
    await isLive(visit);
    await isServed(visit.page);
    const input = (await settings(visit)).getByLabel(SWITCH);
    await input.click();
    await visit.until('it is on', () => input.isChecked());
    await visit.signIn(world, dora);
    await visit.open(world, '/contacts');
    await isLive(visit);
    await visit.until('the subscription of the other user is gone', () => visit.page.evaluate(() => localStorage.getItem('stand-in.endpoint') === null));
    assert.equal(await (await settings(visit, 'Dora Fox')).getByLabel(SWITCH).isChecked(), false);
    assert.deepEqual((await pushes(visit, world)).pushes, []);
  },

  'what is pushed is shown, and a click leads to an open page': async (visit) => {
    const world = await visit.at('/contacts');
    await isServed(visit.page);
    const session = await visit.context.newCDPSession(visit.page);
    const registered = new Promise((known) => {
      session.on('ServiceWorker.workerRegistrationUpdated', ({ registrations }) => {
        const registration = registrations.find((it) => it.scopeURL === `${world.base}/`);
        if (registration !== undefined) known(registration.registrationId);
      });
    });
    await session.send('ServiceWorker.enable');
    const registrationId = await registered;
    // A browser without a window lets nothing be shown: a stand-in notes it, one for each tag.
    const [worker] = visit.context.serviceWorkers();
    await worker.evaluate(() => {
      self.shown = new Map();
      self.focused = 0;
      ServiceWorkerRegistration.prototype.showNotification = async (title, { tag, body, lang, data }) => {
        self.shown.set(tag, [title, body ?? null, lang ?? null, data]);
      };
      WindowClient.prototype.focus = async function focus() {
        self.focused += 1;
        return this;
      };
    });
    const push = (data) => session.send('ServiceWorker.deliverPushMessage', { origin: world.base, registrationId, data });
    const shown = async () => new Map(await worker.evaluate(() => [...self.shown]));
    const id = '6f1c7a0e-0000-4000-8000-000000000000';
    const one = { kind: 'new_message', tag: id, conversation_id: id, channel: 'Telegram', count: 1, conversations: 1, lang: 'es' };
    await push(JSON.stringify(one));
    await visit.until('it is shown', async () => (await shown()).size === 1);
    assert.deepEqual((await shown()).get(id), ['Mensaje nuevo en Telegram', null, 'es', `/conversations/${id}`]);
    // A later one of the same conversation takes its place; what is not understood is shown too.
    await push(JSON.stringify({ ...one, lang: 'en', text: 'Hello' }));
    await visit.until('it is renewed', async () => (await shown()).get(id)[2] === 'en');
    assert.deepEqual((await shown()).get(id), ['New message in Telegram', 'Hello', 'en', `/conversations/${id}`]);
    const many = { kind: 'summary', tag: 'summary', conversation_id: null, channel: null, count: 12, conversations: 4, lang: 'ru' };
    await push(JSON.stringify(many));
    await push('what?');
    await visit.until('all are shown', async () => (await shown()).size === 3);
    assert.equal((await shown()).get('summary')[0], '12 уведомлений из 4 бесед');
    assert.equal((await shown()).get('unknown')[0], 'Switchboard');

    await worker.evaluate(() => {
      const notification = { data: '/conversations', close: () => self.shown.delete('summary') };
      self.dispatchEvent(Object.assign(new Event('notificationclick'), { notification, waitUntil: () => {} }));
    });
    await visit.page.waitForFunction(() => location.pathname === '/conversations');
    await visit.until('the page has the focus', () => worker.evaluate(() => self.focused === 1));
    assert.equal(visit.context.pages().length, 1);
    assert.equal((await shown()).has('summary'), false);
  },
});
