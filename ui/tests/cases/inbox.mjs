// The inbox: reading, answering, and what becomes of an answer.

import assert from 'node:assert/strict';
import { cases } from '../support/cases.mjs';

const MARKUP = '<img src=x onerror=alert(1)><script>alert(2)</script><b>bold</b>&amp;"\'`${1}';
const PIXEL = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==',
  'base64',
);

/** How often two users answer at the same instant. */
const INSTANTS = Number(process.env.INSTANTS ?? 3);

/** A world with a conversation that is open in the browser. */
async function opened(visit, says = ['Hi, is it in stock?'], options = {}) {
  const world = await visit.world(options);
  let said;
  for (const text of says) said = await world.says('ada', text, { name: 'Ada Lovelace' });
  world.conversation = said.conversation_id;
  await visit.signIn(world);
  await visit.open(world, `/conversations/${world.conversation}`);
  await visit.sees('log', 'Messages with Ada Lovelace');
  await row(visit, /Ada Lovelace/).waitFor();
  await visit.page.getByText('Live', { exact: true }).waitFor();
  return world;
}

const log = (visit) => visit.page.getByRole('log');
const composer = (visit) => visit.page.getByLabel('Your reply');
const note = (visit) => visit.page.getByLabel('Note for the team: the customer does not see it');
const responsible = (visit, name) => visit.page.getByRole('button', { name: `Responsible user: ${name}`, exact: true });
const responsibleDialog = (visit) => visit.page.getByRole('dialog', { name: 'Responsible user' });
const row = (visit, name) => visit.page.getByRole('list', { name: 'Conversations' }).getByRole('link', { name });

/** Creates a template, as an integration does. Gives its number. */
async function template(world, fields) {
  const made = await world.api('POST', '/api/v4/chats/templates', { body: [fields] });
  return made._embedded.chat_templates[0].id;
}

/** Chooses a template by its entry, and sends it. */
async function sendTemplate({ page }, entry) {
  await page.getByRole('button', { name: 'Templates' }).click();
  await page.getByRole('option', { name: entry }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Send', exact: true }).click();
}

await cases({
  'an empty inbox explains how to fill it': async (visit) => {
    await visit.at('/conversations');
    await visit.sees('No conversations yet');
    await visit.sees(/^(switchboard|cargo run --) send "Hello, is it in stock\?"$/);
    await visit.isAccessible('empty inbox');
    await visit.shot('inbox-empty');
  },

  'few keys lead from the page top to the first conversation': async (visit) => {
    const world = await visit.world();
    for (const name of ['Ada Lovelace', 'Blaise Pascal']) await world.says(name, 'Hi', { name });
    await visit.signIn(world);
    const page = await visit.open(world, '/conversations');
    await row(visit, /Blaise Pascal/).waitFor();
    await page.keyboard.press('Tab');
    await page.keyboard.press('Tab');
    const link = page.getByRole('link', { name: 'Skip to the list of conversations' });
    await visit.until('the link has the focus', () => link.evaluate((it) => it === document.activeElement));
    assert.equal(await link.evaluate((it) => getComputedStyle(it).clipPath), 'none', 'it is seen');
    await visit.isAccessible('skip link');
    await page.keyboard.press('Enter');
    // The browser moves the focus with the next picture.
    await page.waitForFunction(() => document.activeElement.id === 'conversations');
    await page.keyboard.press('Tab');
    const first = row(visit, /Blaise Pascal/);
    await visit.until('the first row has the focus', () => first.evaluate((it) => it === document.activeElement));
  },

  'a message appears by itself, in the list and in the thread': async (visit) => {
    const world = await visit.at('/conversations');
    await visit.sees('No conversations yet');
    await visit.page.getByText('Live', { exact: true }).waitFor();
    await world.says('ada', 'Hi, is it in stock?', { name: 'Ada Lovelace' });
    await row(visit, /Ada Lovelace.*Telegram.*Hi, is it in stock/).click();
    await visit.until('the window is named', async () => (await visit.page.title()) === 'Ada Lovelace · Inbox · switchboard');
    assert.ok(await row(visit, /Ada Lovelace/).evaluate((it) => it === document.activeElement), 'the focus stays');
    await log(visit).getByText('Hi, is it in stock?').waitFor();
    await world.says('ada', 'And how much is it?', { name: 'Ada Lovelace' });
    await log(visit).getByText('And how much is it?').waitFor();
    await visit.isAccessible('thread');
  },

  'Ctrl Enter sends a reply, which shows each delivery status': async (visit) => {
    const world = await opened(visit);
    await composer(visit).fill('Yes, 3 left.');
    await composer(visit).press('Control+Enter');
    const answer = log(visit).getByRole('article').filter({ hasText: 'Yes, 3 left.' });
    await answer.getByText('Sent', { exact: true }).waitFor();
    const [callback] = await world.receiver.until(1);
    const { message } = JSON.parse(callback.body).message;
    assert.equal(message.text, 'Yes, 3 left.');
    await world.reports(message.id, 1);
    await answer.getByText('Delivered').waitFor();
    await world.reports(message.id, 2);
    await answer.getByText('Read', { exact: true }).waitFor();
    await visit.page.getByRole('status').getByText('Your message: Read').waitFor({ state: 'attached' });
    await visit.has(composer(visit), '');
    await visit.isAccessible('answered');
  },

  'a status that arrives before the reply is confirmed is shown': async (visit) => {
    const world = await opened(visit);
    const state = async (id) => {
      const { messages } = await world.api('GET', `/inbox/v1/conversations/${world.conversation}/messages`);
      return messages.find((message) => message.id === id)?.callback?.state;
    };
    await visit.page.route('**/messages', async (route) => {
      if (route.request().method() !== 'POST') return route.fallback();
      const response = await route.fetch();
      const { id } = await response.json();
      await visit.until('the integration accepted it', async () => (await state(id)) === 'delivered');
      // The feed tells in order: what was delivered is told before this.
      await world.says('ada', 'Are you there?', { name: 'Ada Lovelace' });
      await log(visit).getByText('Are you there?').waitFor();
      await route.fulfill({ response });
    });
    await composer(visit).fill('Yes, 3 left.');
    await composer(visit).press('Control+Enter');
    const answer = log(visit).getByRole('article').filter({ hasText: 'Yes, 3 left.' });
    await answer.getByText('Sent', { exact: true }).waitFor();
    assert.equal(await log(visit).getByText('Yes, 3 left.').count(), 1);
  },

  'a delivery error has a text, and its message can be resent': async (visit) => {
    const world = await opened(visit);
    const { id } = await world.replies(world.conversation, 'On its way!');
    await log(visit).getByText('Sent', { exact: true }).waitFor();
    await world.reports(id, -1, { error_code: 904, error: 'not registered in the messenger' });
    await visit.sees('Failed · 904');
    await row(visit, /Ada Lovelace.*You: On its way!.*Failed/).waitFor();
    await visit.sees(/the customer may not use the messenger · “not registered in the messenger”/);
    await visit.isAccessible('failed message');
    await visit.page.getByRole('button', { name: 'Send again' }).click();
    const callbacks = await world.receiver.until(2);
    assert.equal(JSON.parse(callbacks[1].body).message.message.text, 'On its way!');
    assert.equal(await log(visit).getByText('On its way!').count(), 2);
  },

  'a failing callback shows its attempts and its next retry': async (visit) => {
    const world = await opened(visit);
    world.receiver.answerWith(500);
    await composer(visit).fill('Hello?');
    await visit.page.getByRole('button', { name: 'Send', exact: true }).click();
    await visit.sees(/Retrying after \d+ attempt|Held/);
    await row(visit, /Ada Lovelace.*You: Hello\?.*Retrying/).waitFor();
    await visit.sees(/[Tt]he integration answered 5\d\d|failed too often/);
  },

  'a row names the writer of its text, and a failure apart from it': async (visit) => {
    const world = await opened(visit);
    const boris = await world.user('Boris Boss', { is_admin: true });
    const { id } = await world.replies(world.conversation, 'On its way, said Ann');
    await row(visit, /You: On its way, said Ann/).waitFor();
    await world.reports(id, -1, { error_code: 905, error: 'blocked' });
    await row(visit, /You: On its way, said Ann.*Failed/).waitFor();
    // The failure is of another message than the text: it stands apart from the words of the customer.
    await world.says('ada', 'Are you still there?', { name: 'Ada Lovelace' });
    const fresh = row(visit, /Are you still there\?/);
    await fresh.locator('.mark', { hasText: 'Failed' }).waitFor();
    assert.equal(await fresh.locator('.last').innerText(), 'Are you still there?');
    await visit.page.getByLabel('Search conversations').fill('still there');
    await fresh.locator('.mark', { hasText: 'Failed' }).waitFor();
    assert.equal(await fresh.locator('.last').innerText(), 'Are you still there?');
    await visit.signIn(world, boris);
    await world.replies(world.conversation, 'Ann is here');
    await visit.open(world, '/conversations');
    await row(visit, /Ann Miller: Ann is here/).waitFor();
    assert.equal(await row(visit, /You:/).count(), 0);
  },

  'a row shows the newest answer, whichever arrives first': async (visit) => {
    const world = await opened(visit);
    const { id } = await world.replies(world.conversation, 'On its way');
    await row(visit, /You: On its way/).waitFor();
    await visit.sees('Sent');
    const own = `**/inbox/v1/conversations/${world.conversation}`;
    let release;
    await visit.page.route(own, async (route) => {
      const response = await route.fetch();
      const send = () => route.fulfill({ response });
      if (release === undefined) {
        // The first answer waits until the second one is there, and arrives before it.
        release = send;
        return;
      }
      await release();
      release = () => {};
      await send();
    });
    const older = visit.page.waitForRequest(own);
    await world.says('ada', 'Are you there?', { name: 'Ada Lovelace' });
    await older;
    await world.reports(id, -1, { error_code: 905, error: 'blocked' });
    await row(visit, /Are you there\?/).locator('.mark', { hasText: 'Failed' }).waitFor();
  },

  'a row that a busy service could not answer is read again': async (visit) => {
    const world = await opened(visit);
    const { id } = await world.replies(world.conversation, 'On its way');
    await row(visit, /You: On its way/).waitFor();
    await visit.sees('Sent');
    let requests = 0;
    await visit.page.route(`**/inbox/v1/conversations/${world.conversation}`, async (route) => {
      requests += 1;
      if (requests > 2) return route.continue();
      return route.fulfill({ status: 503, headers: { 'Retry-After': '1' }, json: { detail: 'busy' } });
    });
    await world.reports(id, -1, { error_code: 905, error: 'blocked' });
    await row(visit, /You: On its way/).locator('.mark', { hasText: 'Failed' }).waitFor();
  },

  'a waiting message is withdrawn by who may write, and the next one leaves': async (visit) => {
    const world = await opened(visit);
    world.receiver.answerWith(500, { 'Retry-After': '3600' });
    const first = await world.replies(world.conversation, 'A wrong price');
    const item = log(visit).getByRole('article').filter({ hasText: 'A wrong price' });
    await item.getByText(/Retrying after/).waitFor();
    world.receiver.answerWith(200);
    await world.replies(world.conversation, 'The right price');
    await visit.isAccessible('a waiting message');
    await item.getByRole('button', { name: 'Do not send this' }).click();
    await item.getByText('Not sent', { exact: true }).waitFor();
    await item.getByText('A user decided not to send the message').waitFor();
    await log(visit).getByRole('article').filter({ hasText: 'The right price' }).getByText('Sent', { exact: true }).waitFor();
    const callbacks = await world.receiver.until(2);
    assert.deepEqual(callbacks.map(({ body }) => JSON.parse(body).message.message.text), ['A wrong price', 'The right price']);
    assert.equal(await row(visit, /Failed/).count(), 0);
    assert.equal((await world.operatorApi('GET', `/admin/v1/deliveries/${first.id}`)).reason_code, 'withdrawn');
  },

  'a failure can be let be, and a conversation marked unread': async (visit) => {
    const world = await opened(visit);
    const { id } = await world.replies(world.conversation, 'On its way!');
    await log(visit).getByText('Sent', { exact: true }).waitFor();
    await world.reports(id, -1, { error_code: 905, error: 'blocked' });
    await row(visit, /Failed/).waitFor();
    await visit.page.getByRole('button', { name: 'Leave it' }).click();
    await row(visit, /Failed/).waitFor({ state: 'detached' });
    await visit.sees('Failed · 905');
    assert.equal(await visit.page.getByRole('button', { name: 'Leave it' }).count(), 0);
    await visit.page.getByRole('button', { name: 'Mark unread' }).click();
    await row(visit, /Ada Lovelace.*1 unread message/).waitFor();
    const unread = async () => (await world.api('GET', `/inbox/v1/conversations/${world.conversation}`)).unread;
    assert.equal(await unread(), 1);
    assert.equal(new URL(visit.page.url()).pathname, '/conversations');
  },

  'stepping through the list reads nothing, and staying does': async (visit) => {
    const world = await visit.world();
    const ids = [];
    for (const name of ['Ada', 'Boris', 'Chiara']) ids.push((await world.says(name, `I am ${name}`, { name })).conversation_id);
    await visit.signIn(world);
    await visit.page.clock.install();
    await visit.open(world, '/conversations');
    await visit.page.locator('.connection.live').waitFor();
    const { conversation_id: newest } = await world.says('Zoe', 'I am Zoe', { name: 'Zoe' });
    await row(visit, /Zoe/).click();
    await visit.until('an opened one is read at once', async () => (await world.api('GET', `/inbox/v1/conversations/${newest}`)).unread === 0);
    await visit.holdClock();
    const unread = async () => (await Promise.all(ids.map((id) => world.api('GET', `/inbox/v1/conversations/${id}`)))).map((it) => it.unread);
    for (const name of ['Chiara', 'Boris', 'Ada']) {
      await visit.page.keyboard.press('j');
      await visit.page.clock.runFor(300);
      await log(visit).getByText(`I am ${name}`).waitFor();
    }
    assert.deepEqual(await unread(), [1, 1, 1]);
    await visit.page.clock.runFor(2_500);
    await visit.until('the last one is read', async () => (await unread())[0] === 0);
    assert.deepEqual(await unread(), [0, 1, 1]);
  },

  'markup in names, texts, files and links is shown as text': async (visit) => {
    const world = await visit.world();
    const sender = { profile_link: 'https://example.com/<script>alert(1)</script>', profile: { phone: MARKUP.slice(0, 20) } };
    await world.says('evil', MARKUP, { name: MARKUP, sender });
    const file = { type: 'file', media: 'https://files.example.com/"><script>', file_name: `${MARKUP.slice(0, 30)}.exe`, file_size: 1_234_567 };
    const said = await world.says('evil', '', { name: MARKUP, message: file });
    await visit.signIn(world);
    await visit.open(world, `/conversations/${said.conversation_id}`);
    await log(visit).getByText(MARKUP, { exact: true }).first().waitFor();
    await log(visit).getByText('.exe').waitFor();
    const { page } = visit;
    assert.equal(await page.locator('main img, main script, main b').count(), 0);
    assert.equal(await page.getByRole('link', { name: 'Open the file' }).getAttribute('rel'), 'noopener noreferrer nofollow');
    assert.equal(await page.locator('a[href^="javascript:"]').count(), 0);
    await visit.shot('inbox-markup');
    await visit.isAccessible('markup');
  },

  'unread messages follow a line, and are read once visible': async (visit) => {
    const world = await visit.world();
    for (let at = 0; at < 30; at += 1) await world.says('ada', `old ${at}`, { name: 'Ada Lovelace' });
    const { conversation_id: id } = await world.says('ada', 'last old', { name: 'Ada Lovelace' });
    await world.api('POST', `/inbox/v1/conversations/${id}/read`);
    for (let at = 0; at < 25; at += 1) await world.says('ada', `fresh ${at}`, { name: 'Ada Lovelace' });
    await visit.signIn(world);
    await visit.open(world, `/conversations/${id}`);
    const line = visit.page.locator('.unread-line');
    await line.waitFor();
    const first = line.locator('xpath=following-sibling::article[1]');
    assert.match(await first.innerText(), /fresh 0/);
    assert.ok(await line.evaluate((it) => it.getBoundingClientRect().top < 400));
    const unread = async () => (await world.api('GET', `/inbox/v1/conversations/${id}`)).unread;
    assert.equal(await unread(), 25, 'the end was not seen yet');
    await visit.page.getByRole('button', { name: /Go to the newest/ }).click();
    await visit.until('all is read', async () => (await unread()) === 0);
    await visit.sees('heading', 'Inbox');
  },

  'new messages do not scroll a reader but show a notice': async (visit) => {
    const world = await opened(visit, Array.from({ length: 40 }, (_, at) => `message ${at}`));
    const place = () => log(visit).evaluate((it) => it.scrollTop);
    await log(visit).evaluate((it) => (it.scrollTop = 300));
    await visit.sees('button', /Go to the newest/);
    const before = await place();
    await world.says('ada', 'one more', { name: 'Ada Lovelace' });
    await visit.page.getByRole('button', { name: '1 new message' }).waitFor();
    assert.equal(await place(), before);
    await visit.page.getByRole('button', { name: '1 new message' }).click();
    assert.ok(await log(visit).getByText('one more').isVisible());
  },

  'scrolling up loads older messages': async (visit) => {
    const world = await opened(visit, Array.from({ length: 70 }, (_, at) => `message ${at}.`));
    await world.api('POST', `/inbox/v1/conversations/${world.conversation}/read`);
    // What is unread is loaded in any case; now only the newest are.
    await visit.page.reload();
    await visit.sees('log', 'Messages with Ada Lovelace');
    assert.equal(await log(visit).getByText('message 0.', { exact: true }).count(), 0);
    await log(visit).evaluate((it) => (it.scrollTop = 0));
    await log(visit).getByText('message 0.', { exact: true }).waitFor({ state: 'attached' });
    await visit.sees('Start of the conversation');
  },

  'imported history is folded, and opens no lead': async (visit) => {
    const world = await visit.world();
    const at = Math.floor(Date.now() / 1000) - 3 * 86_400;
    for (let i = 0; i < 5; i += 1) await world.says('old', `history ${i}`, { name: 'Chiara', silent: true, at: at + i });
    const { conversation_id: id } = await world.says('old', 'history 5', { name: 'Chiara', silent: true, at: at + 5 });
    await visit.signIn(world);
    await visit.open(world, `/conversations/${id}`);
    await visit.sees('button', '6 imported messages, silent · show');
    await visit.sees('No lead: all 6 messages are silent. A message that is not silent opens a lead.');
    assert.equal(await log(visit).getByText('history 3').count(), 0);
    await visit.page.getByRole('button', { name: /6 imported messages/ }).click();
    await log(visit).getByText('history 3').waitFor();
  },

  'a draft survives a reload in its conversation': async (visit) => {
    const world = await opened(visit);
    const other = await world.says('boris', 'Thanks!', { name: 'Boris' });
    await composer(visit).fill('I was about to say');
    await visit.sees('Draft saved');
    await row(visit, /Boris/).click();
    await visit.sees('log', 'Messages with Boris');
    await visit.has(composer(visit), '');
    assert.ok(visit.page.url().endsWith(other.conversation_id));
    await visit.page.goBack();
    await visit.sees('log', 'Messages with Ada Lovelace');
    await visit.page.reload();
    await visit.sees('log', 'Messages with Ada Lovelace');
    await visit.has(composer(visit), 'I was about to say');
  },

  'a draft is there on another device, and two versions are both shown': async (visit) => {
    const world = await opened(visit);
    const draft = `/inbox/v1/conversations/${world.conversation}/drafts/reply`;
    const stored = (method, body) => world.api(method, draft, { body });
    const saved = visit.page.waitForResponse((answer) => answer.url().endsWith('/drafts/reply') && answer.request().method() === 'PATCH');
    await composer(visit).fill('On the phone');
    await saved;
    assert.equal((await stored('GET')).text, 'On the phone');
    // Nothing was written here since: what the other device writes appears.
    await stored('PATCH', { based_on: 1, text: 'On the phone and on the desk' });
    await visit.has(composer(visit), 'On the phone and on the desk');
    await visit.page.keyboard.press('Escape');
    await visit.page.keyboard.press('.');
    await visit.sees(/Paused at/);
    await stored('PATCH', { based_on: 2, text: 'Elsewhere' });
    await composer(visit).fill('Here');
    const other = visit.page.locator('.other-version');
    await other.getByText('Elsewhere').waitFor();
    await visit.has(composer(visit), 'Here');
    await visit.isAccessible('two versions of a draft');
    const kept = visit.page.waitForResponse((answer) => answer.url().endsWith('/drafts/reply') && answer.request().method() === 'PATCH' && answer.ok());
    await other.getByRole('button', { name: 'Keep this version' }).click();
    await kept;
    assert.equal((await stored('GET')).text, 'Here');
    await composer(visit).press('Control+Enter');
    const [callback] = await world.receiver.until(1);
    assert.equal(JSON.parse(callback.body).message.message.text, 'Here');
    assert.equal((await stored('GET')).text, '', 'it went with its message');
  },

  'a note for the team reaches colleagues and no callback': async (visit) => {
    const world = await opened(visit);
    const boris = await world.user('Boris', { is_admin: true });
    const { page } = visit;
    await page.keyboard.press('t');
    await visit.until('the note has the focus', () => note(visit).evaluate((it) => it === document.activeElement));
    await note(visit).fill('They pay late');
    await visit.isAccessible('note composer');
    await note(visit).press('Control+Enter');
    const own = log(visit).getByRole('article', { name: /Note for the team from Ann Miller/ });
    await own.getByText('They pay late', { exact: true }).waitFor();
    await visit.has(note(visit), '');
    const target = `/inbox/v1/conversations/${world.conversation}/notes`;
    const { notes } = await world.api('GET', target, { token: boris.token });
    assert.deepEqual(notes.map((it) => [it.user.name, it.text]), [['Ann Miller', 'They pay late']]);
    await world.api('POST', target, { token: boris.token, body: { text: 'By invoice' } });
    await log(visit).getByRole('article', { name: /Note for the team from Boris/ }).getByText('By invoice', { exact: true }).waitFor();
    await page.getByRole('status').getByText('Note for the team from Boris: By invoice').waitFor({ state: 'attached' });
    for (const theme of ['dark', 'light']) {
      await page.evaluate((name) => (document.documentElement.dataset.theme = name), theme);
      await visit.isAccessible(`notes, ${theme}`);
    }
    // The message, and the notes after it, are one stop of Tab.
    const stops = log(visit).locator('article[tabindex="0"]');
    assert.equal(await stops.count(), 1);
    await stops.focus();
    const focused = () => page.evaluate(() => document.activeElement.innerText);
    assert.match(await focused(), /By invoice/);
    await page.keyboard.press('ArrowUp');
    assert.match(await focused(), /They pay late/);
    await page.keyboard.press('ArrowUp');
    assert.match(await focused(), /Hi, is it in stock/);
    await page.keyboard.press('r');
    await page.keyboard.type('Good morning');
    await page.keyboard.press('Control+Enter');
    await log(visit).getByText('Sent', { exact: true }).waitFor();
    const callbacks = await world.receiver.until(1);
    assert.deepEqual(callbacks.map((it) => JSON.parse(it.body).message.message.text), ['Good morning']);
  },

  'a note mentions a colleague and says who cannot view the conversation': async (visit) => {
    const world = await opened(visit);
    const { page } = visit;
    const dora = await world.user('Dora Fox');
    await world.user('Dora Foxglove', { is_admin: true });
    const target = `/inbox/v1/conversations/${world.conversation}`;
    await page.keyboard.press('t');
    await visit.until('the note has the focus', () => note(visit).evaluate((it) => it === document.activeElement));
    await page.keyboard.type('Please look, @dor');
    const list = page.getByRole('listbox', { name: 'Users to mention' });
    await list.getByRole('option', { name: 'Dora Fox · cannot view this conversation', exact: true }).waitFor();
    await visit.isAccessible('users to mention');
    assert.equal(await list.getByRole('option').count(), 2);
    await page.keyboard.press('Escape');
    await list.waitFor({ state: 'detached' });
    await page.keyboard.type('a');
    await list.waitFor();
    await page.keyboard.press('ArrowDown');
    await page.keyboard.press('ArrowUp');
    await page.keyboard.press('Enter');
    await visit.has(note(visit), 'Please look, @Dora Fox ');
    await visit.sees('Mentions: Dora Fox.');
    await visit.sees('Cannot view this conversation now: Dora Fox. The note lets them view it.');
    await page.keyboard.type('today');
    await visit.has(note(visit), 'Please look, @Dora Fox today');
    for (const theme of ['dark', 'light']) {
      await page.evaluate((name) => (document.documentElement.dataset.theme = name), theme);
      await visit.isAccessible(`a mention, ${theme}`);
    }
    await page.keyboard.press('Control+Enter');
    const own = log(visit).getByRole('article', { name: /Note for the team from Ann Miller/ });
    await own.getByText('Please look, @Dora Fox today', { exact: true }).waitFor();
    const { notes } = await world.api('GET', `${target}/notes`, { token: dora.token });
    assert.deepEqual(notes[0].mentions, [dora.id]);
    // The change of a note mentions another colleague, by the mouse.
    await own.getByRole('button', { name: 'Edit' }).click();
    const area = own.getByRole('textbox', { name: 'Text of the note' });
    await area.press('End');
    await area.pressSequentially(' @foxg');
    await list.getByRole('option', { name: 'Dora Foxglove', exact: true }).click();
    await area.press('Control+Enter');
    await own.getByText('Please look, @Dora Fox today @Dora Foxglove', { exact: true }).waitFor();
    const changed = await world.api('GET', `${target}/notes`);
    assert.equal(changed.notes[0].mentions.length, 2);
  },

  'a mention comes to the list of the mentioned user': async (visit) => {
    const world = await visit.world();
    await world.says('blaise', 'Hello', { name: 'Blaise Pascal' });
    const said = await world.says('ada', 'Hi', { name: 'Ada Lovelace' });
    const dora = await world.user('Dora Fox');
    await visit.signIn(world, dora);
    const page = await visit.open(world, '/conversations');
    await visit.sees('No entries within your rights');
    await page.getByText('Live', { exact: true }).waitFor();
    const body = { text: '@Dora Fox', mentions: [dora.id] };
    await world.api('POST', `/inbox/v1/conversations/${said.conversation_id}/notes`, { body });
    await row(visit, /Ada Lovelace/).waitFor();
    const filter = page.getByRole('button', { name: '1 new mention of you' });
    await filter.waitFor();
    await page.getByRole('status').getByText('1 new mention of you').waitFor({ state: 'attached' });
    await visit.isAccessible('a new mention');
    await filter.click();
    const pressed = page.getByRole('button', { name: 'Conversations that mention you', pressed: true });
    await pressed.waitFor();
    assert.match(page.url(), /show=mentioned/);
    await row(visit, /Ada Lovelace/).waitFor();
    await page.reload();
    await row(visit, /Ada Lovelace/).waitFor();
    await pressed.click();
    await visit.until('the list is whole', () => !page.url().includes('show='));
  },

  'a mention that comes before the code that counts it is counted': async (visit) => {
    const world = await visit.world();
    const said = await world.says('ada', 'Hi', { name: 'Ada Lovelace' });
    const dora = await world.user('Dora Fox', { is_admin: true });
    await visit.signIn(world);
    const { page } = visit;
    let free;
    const isFree = new Promise((wake) => (free = wake));
    await page.route('**/work.js', (route) => isFree.then(() => route.continue()));
    await visit.open(world, '/conversations');
    await row(visit, /Ada Lovelace/).waitFor();
    await page.getByText('Live', { exact: true }).waitFor();
    const body = { text: '@Ann Miller', mentions: [world.admin.id] };
    await world.api('POST', `/inbox/v1/conversations/${said.conversation_id}/notes`, { body, token: dora.token });
    // Events come in their order: with the message the mention was there.
    await world.says('ada', 'Are you there?');
    await row(visit, /Are you there\?/).waitFor();
    free();
    await page.getByRole('button', { name: '1 new mention of you' }).waitFor();
  },

  'a conversation is assigned to a group': async (visit) => {
    const world = await opened(visit);
    const { page } = visit;
    const support = await world.group('Support');
    const target = `/inbox/v1/conversations/${world.conversation}`;
    await responsible(visit, 'No user').click();
    const dialog = responsibleDialog(visit);
    await dialog.getByRole('combobox', { name: 'Group' }).selectOption('Support');
    await visit.isAccessible('the choice of a group');
    // A colleague is faster.
    await world.api('PATCH', `${target}/responsible`, { body: { group_id: 1, replaces_group: null } });
    await dialog.getByRole('button', { name: 'Assign to the group' }).click();
    await dialog.getByRole('alert').getByText('Another user changed the group first. Now: Sales department.').waitFor();
    await dialog.getByRole('combobox', { name: 'Group' }).selectOption('Support');
    await dialog.getByRole('button', { name: 'Assign to the group' }).click();
    await dialog.waitFor({ state: 'detached' });
    await page.getByRole('button', { name: /Group: Support$/ }).waitFor();
    assert.equal((await world.api('GET', target)).group_id, support.id);
    await world.api('PATCH', `${target}/responsible`, { body: { group_id: null, replaces_group: support.id } });
    await responsible(visit, 'No user').waitFor();
  },

  'the drafts of a reply and of a note do not mix': async (visit) => {
    const world = await opened(visit);
    const { page } = visit;
    const choice = page.getByRole('group', { name: 'Kind of text' });
    const stored = (kind) => world.api('GET', `/inbox/v1/conversations/${world.conversation}/drafts/${kind}`);
    await composer(visit).fill('To the customer');
    await choice.getByRole('radio', { name: 'Reply' }).focus();
    await page.keyboard.press('ArrowDown');
    await note(visit).fill('To the team');
    await choice.getByText('Reply · draft').waitFor();
    await visit.has(composer(visit), 'To the customer');
    await visit.until('both are stored', async () => (await stored('reply')).text === 'To the customer' && (await stored('note')).text === 'To the team');
    await page.reload();
    await visit.sees('log', 'Messages with Ada Lovelace');
    await visit.has(composer(visit), 'To the customer');
    await choice.getByText('Note · draft').waitFor();
    await choice.getByRole('radio', { name: 'Note' }).check();
    await visit.has(note(visit), 'To the team');
    // What cannot be saved stays, with the reason.
    await page.route('**/notes', (route) => (route.request().method() === 'POST' ? route.fulfill({ status: 503, json: {} }) : route.fallback()));
    await note(visit).press('Control+Enter');
    await visit.sees('Not saved. The text stays here until you save it.');
    await visit.isAccessible('a note that was not saved');
    await visit.has(note(visit), 'To the team');
    await page.unroute('**/notes');
    await page.getByRole('button', { name: 'Save note' }).click();
    await log(visit).getByText('To the team', { exact: true }).waitFor();
    await visit.until('the draft went with it', async () => (await stored('note')).text === '');
    await visit.has(note(visit), '');
    assert.equal((await stored('reply')).text, 'To the customer');
    assert.deepEqual(world.receiver.got, []);
  },

  'a note is changed by its writer and deleted by an administrator': async (visit) => {
    const world = await opened(visit);
    const { page } = visit;
    const target = `/inbox/v1/conversations/${world.conversation}/notes`;
    const stage = { entity_type: 'leads', pipeline_id: 1, status_id: 1, rights: { view: 'A', edit: 'D', delete: 'D' } };
    const rights = { leads: { view: 'A' }, contacts: {}, companies: {}, tasks: {}, status_rights: [stage] };
    const role = await world.api('POST', '/api/v4/roles', { body: { name: 'Sellers', rights } });
    const sally = await world.user('Sally Seller', { role_id: role._embedded.roles[0].id });
    await world.api('POST', target, { token: sally.token, body: { text: 'Ask for Grace' } });
    const others = log(visit).getByRole('article').filter({ hasText: 'Ask for Grace' });
    await others.getByRole('button', { name: 'Delete' }).waitFor();
    assert.equal(await others.getByRole('button', { name: 'Edit' }).count(), 0, 'only its writer changes it');
    await world.api('POST', target, { body: { text: 'They pay late' } });
    const own = log(visit).getByRole('article', { name: /from Ann Miller/ });
    await own.getByRole('button', { name: 'Edit' }).click();
    const area = own.getByRole('textbox', { name: 'Text of the note' });
    await area.fill('They paid');
    await visit.isAccessible('a note being changed');
    await area.press('Escape');
    await own.getByText('They pay late', { exact: true }).waitFor();
    assert.ok(await own.evaluate((it) => it === document.activeElement), 'the focus is at the note');
    await own.getByRole('button', { name: 'Edit' }).click();
    await area.fill('They paid');
    await area.press('Control+Enter');
    await own.getByText('They paid', { exact: true }).waitFor();
    await own.getByText(/edited/).waitFor();
    await others.getByRole('button', { name: 'Delete' }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Delete the note' }).click();
    const mark = log(visit).getByRole('article', { name: /An administrator deleted a note from Sally Seller/ });
    await mark.waitFor();
    await visit.until('the focus is at the mark', () => mark.evaluate((it) => it === document.activeElement));
    await world.api('DELETE', `${target}/2`);
    await log(visit).getByText('Ann Miller deleted a note').waitFor();
    await visit.isAccessible('deleted notes');
    assert.equal(await log(visit).getByRole('button', { name: /Edit|Delete/ }).count(), 0);
    await page.reload();
    await log(visit).getByText('Ann Miller deleted a note').waitFor();
    const { notes } = await world.api('GET', target);
    assert.deepEqual(notes.map((it) => it.text), [null, null]);
  },

  'notes that were missed during a pause appear after it': async (visit) => {
    const world = await opened(visit);
    const target = `/inbox/v1/conversations/${world.conversation}/notes`;
    await world.api('POST', target, { body: { text: 'They pay late' } });
    await log(visit).getByText('They pay late', { exact: true }).waitFor();
    await visit.page.keyboard.press('.');
    await visit.sees(/Paused at/);
    await world.api('PATCH', `${target}/1`, { body: { text: 'They paid' } });
    await world.api('POST', target, { body: { text: 'By invoice' } });
    await visit.page.keyboard.press('.');
    await log(visit).getByText('They paid', { exact: true }).waitFor();
    await log(visit).getByText('By invoice', { exact: true }).waitFor();
    assert.equal(await log(visit).locator('[data-note]').count(), 2);
  },

  'an unsent reply stays with its reason and is sent once': async (visit) => {
    const world = await opened(visit);
    await visit.page.route('**/messages', (route) => (route.request().method() === 'POST' ? route.abort() : route.continue()));
    await composer(visit).fill('Are you there?');
    await composer(visit).press('Control+Enter');
    await visit.sees(/^Not sent\. The text stays here/);
    await visit.sees('The service is unreachable');
    await visit.isAccessible('not sent');
    visit.watched.wrong = visit.watched.wrong.filter((it) => !it.includes('net::ERR_FAILED'));
    await visit.page.unroute('**/messages');
    await visit.page.getByRole('button', { name: 'Try again' }).click();
    await log(visit).getByText('Sent', { exact: true }).waitFor();
    assert.equal((await world.receiver.until(1)).length, 1);
  },

  'a picture and a file are attached and sent': async (visit) => {
    const world = await opened(visit);
    const chooser = async (file) => {
      const [dialog] = await Promise.all([
        visit.page.waitForEvent('filechooser'),
        visit.page.getByRole('button', { name: 'Attach a file' }).click(),
      ]);
      await dialog.setFiles(file);
    };
    await chooser({ name: 'cat.png', mimeType: 'image/png', buffer: PIXEL });
    await visit.sees(/cat\.png · /);
    await composer(visit).fill('look');
    await composer(visit).press('Control+Enter');
    await log(visit).getByRole('img', { name: 'cat.png' }).waitFor();
    const shown = log(visit).getByRole('img', { name: 'cat.png' });
    await visit.until('the picture is loaded', () => shown.evaluate((it) => it.complete && it.naturalWidth > 0));
    await chooser({ name: 'offer.pdf', mimeType: 'application/pdf', buffer: Buffer.from('%PDF-1.7 and so on') });
    await visit.sees(/offer\.pdf · /);
    await visit.page.getByRole('button', { name: 'Send', exact: true }).click();
    await log(visit).getByText('offer.pdf').waitFor();
    const callbacks = await world.receiver.until(2);
    assert.deepEqual(callbacks.map((it) => JSON.parse(it.body).message.message.type), ['picture', 'file']);
    await visit.isAccessible('attachments');
  },

  'typing is shown on both sides': async (visit) => {
    const world = await opened(visit);
    await world.typing('ada');
    await visit.page.locator('.typing-line').getByText('Ada Lovelace is writing…').waitFor();
    await world.says('ada', 'done', { name: 'Ada Lovelace' });
    await visit.until('nobody writes', async () => (await visit.page.locator('.typing-line').innerText()) === '');
    const colleague = await world.user('Boris', { is_admin: true });
    // It is said for a few seconds only.
    await Promise.all([
      visit.page.locator('.typing-line').getByText('Boris is writing…').waitFor(),
      world.api('POST', `/inbox/v1/conversations/${world.conversation}/typing`, { token: colleague.token }),
    ]);
    const asked = visit.page.waitForRequest((request) => request.url().endsWith('/typing'));
    await composer(visit).pressSequentially('I');
    await asked;
  },

  'colleagues see who has a conversation open, once for each person': async (visit) => {
    const world = await opened(visit);
    const boris = await world.user('Boris', { is_admin: true });
    // A clock that stands, an hour wrong: no sign ends meanwhile, and what counts is when a sign came.
    const now = Date.now() + 3_600_000;
    await visit.page.clock.setFixedTime(now);
    const viewers = visit.page.locator('.viewers');
    assert.equal(await viewers.innerText(), '', 'the own page does not count');
    const sign = () => world.api('POST', `/inbox/v1/conversations/${world.conversation}/viewing`, { token: boris.token });
    await sign();
    await viewers.getByText('Also here: Boris').waitFor();
    await sign();
    await visit.isAccessible('viewers');
    assert.equal(await viewers.innerText(), 'Also here: Boris');
    await visit.page.clock.setFixedTime(now + 16_000);
    await visit.until('Boris is gone', async () => (await viewers.innerText()) === '');
  },

  'a reply that a colleague overtook keeps its text and offers both ways': async (visit) => {
    const world = await opened(visit);
    const boris = await world.user('Boris', { is_admin: true });
    // The page does not hear of it: what counts is what the service knows.
    await visit.page.keyboard.press('.');
    await visit.sees(/Paused at/);
    const answer = (text) =>
      world.api('POST', `/inbox/v1/conversations/${world.conversation}/messages`, { token: boris.token, body: { type: 'text', text } });
    const overtaken = visit.page.locator('.overtaken');
    const send = async (text) => {
      await composer(visit).fill(text);
      await composer(visit).press('Control+Enter');
      await overtaken.waitFor();
    };
    await answer('At nine');
    await send('At ten');
    await overtaken.getByText('At nine').waitFor();
    assert.equal(await overtaken.getAttribute('role'), 'alert');
    await visit.isAccessible('overtaken');
    await log(visit).locator('.pending').getByText('At ten').waitFor();
    await overtaken.getByRole('button', { name: 'Discard the message' }).click();
    await overtaken.waitFor({ state: 'detached' });
    await answer('Or at noon');
    await send('At eleven');
    await overtaken.getByText('Or at noon').waitFor();
    await overtaken.getByRole('button', { name: 'Send anyway' }).click();
    const callbacks = await world.receiver.until(3);
    assert.deepEqual(callbacks.map((it) => JSON.parse(it.body).message.message.text), ['At nine', 'Or at noon', 'At eleven']);
    await overtaken.waitFor({ state: 'detached' });
  },

  'of two users who answer at the same instant one sends, and no text is lost': async (visit) => {
    const world = await opened(visit);
    const desk = await visit.another();
    await desk.signIn(world, await world.user('Boris', { is_admin: true }));
    await desk.open(world, '/conversations');
    const desks = [visit, desk];
    const sent = [];
    for (let round = 1; round <= INSTANTS; round += 1) {
      const name = `Customer ${round}`;
      await world.says(name, `Question ${round}`, { name });
      const texts = [`Ann ${round}`, `Boris ${round}`];
      // Neither hears of the other's answer before both have sent theirs.
      let arrived = 0;
      let go;
      const areBoth = new Promise((wake) => (go = wake));
      for (const [at, each] of desks.entries()) {
        await row(each, new RegExp(`${name}\\b`)).click();
        await each.sees('log', `Messages with ${name}`);
        await log(each).getByText(`Question ${round}`, { exact: true }).waitFor();
        await each.page.route('**/messages', async (route) => {
          if (route.request().method() !== 'POST') return route.fallback();
          if ((arrived += 1) === 2) go();
          await areBoth;
          return route.continue();
        });
        await composer(each).fill(texts[at]);
      }
      await Promise.all(desks.map((each) => composer(each).press('Control+Enter')));
      const overtaken = desks.map(({ page }) => page.locator('.overtaken'));
      await Promise.race(overtaken.map((each) => each.waitFor()));
      const late = (await overtaken[0].isVisible()) ? 0 : 1;
      await overtaken[late].getByText(texts[1 - late], { exact: true }).waitFor();
      await log(desks[late]).locator('.pending').getByText(texts[late], { exact: true }).waitFor();
      for (const { page } of desks) await page.unroute('**/messages');
      await overtaken[late].getByRole('button', { name: 'Discard the message' }).click();
      await overtaken[late].waitFor({ state: 'detached' });
      sent.push(texts[1 - late]);
      const callbacks = await world.receiver.until(round);
      assert.deepEqual(callbacks.map((it) => JSON.parse(it.body).message.message.text), sent);
      assert.equal(await overtaken[1 - late].count(), 0);
    }
  },

  'a template is sent with its buttons, and the draft stays': async (visit) => {
    const world = await opened(visit);
    const { page } = visit;
    await world.operatorApi('PATCH', `/admin/v1/channels/${world.channel.id}`, { buttons: true });
    await template(world, {
      name: 'Order is paid',
      content: 'Dear {{contact.name}}, your code is {{lead.cf.3}}.',
      buttons: [{ type: 'inline', text: 'Thanks' }, { type: 'inline', text: 'Call me' }],
    });
    const map = { type: 'url', text: 'Map', url: 'https://map.example.com/' };
    await template(world, { name: 'Opening hours', content: 'We are there from nine to five.', buttons: [map] });
    await composer(visit).fill('I was about to say');
    await visit.sees('Draft saved');
    const open = page.getByRole('button', { name: 'Templates' });
    const dialog = page.getByRole('dialog', { name: 'Send a template' });
    const search = dialog.getByRole('combobox', { name: 'Search by name and text' });
    const hasFocus = (what, it) => visit.until(`${what} has the focus`, () => it.evaluate((it) => it === document.activeElement));
    await open.focus();
    await page.keyboard.press('Enter');
    await hasFocus('the search', search);
    await visit.isAccessible('templates');
    await page.keyboard.press('Escape');
    await dialog.waitFor({ state: 'detached' });
    await hasFocus('the button', open);
    await page.keyboard.press('Enter');
    const marked = (name) => dialog.getByRole('option', { name, selected: true }).waitFor();
    await marked(/Order is paid/);
    await search.press('ArrowDown');
    await marked(/Opening hours.*from nine to five/);
    await search.fill('there is none');
    await dialog.getByText('No templates found.').waitFor();
    await search.fill('YOUR CODE');
    await marked(/Order is paid.*Dear Ada Lovelace/);
    await search.press('Enter');
    const preview = dialog.getByRole('group', { name: 'The message as it will be sent' });
    await preview.getByText('Dear Ada Lovelace, your code is .').waitFor();
    await dialog.getByText('No value for: {{lead.cf.3}}').waitFor();
    for (const theme of ['dark', 'light']) {
      await page.evaluate((name) => (document.documentElement.dataset.theme = name), theme);
      await visit.isAccessible(`a template, ${theme}`);
    }
    await visit.shot('template');
    const send = dialog.getByRole('button', { name: 'Send', exact: true });
    await hasFocus('the way to send it', send);
    await page.keyboard.press('Enter');
    await dialog.getByRole('status').getByText(/has gaps there/).waitFor();
    const without = dialog.getByRole('button', { name: 'Send without these values' });
    await hasFocus('the same way', without);
    assert.deepEqual(world.receiver.got, []);
    await page.keyboard.press('Enter');
    await dialog.waitFor({ state: 'detached' });
    await hasFocus('the button', open);
    const sent = log(visit).getByRole('article').filter({ hasText: 'Dear Ada Lovelace, your code is .' });
    await sent.getByText('Sent', { exact: true }).waitFor();
    const buttons = log(visit).getByRole('list', { name: 'Buttons of the message' });
    assert.deepEqual(await buttons.getByRole('listitem').allInnerTexts(), ['Thanks', 'Call me']);
    assert.equal(await buttons.locator('a, button').count(), 0);
    await sendTemplate(visit, /Opening hours/);
    assert.equal(await buttons.getByRole('link', { name: 'Map' }).getAttribute('href'), 'https://map.example.com/');
    await visit.until('both were sent', async () => (await log(visit).locator('.pending').count()) === 0);
    assert.equal(await buttons.count(), 2);
    await visit.isAccessible('a sent template');
    await visit.has(composer(visit), 'I was about to say');
    const [callback] = await world.receiver.until(1);
    assert.match(callback.path, /^\/v2\//);
    const { text, markup, template: about } = JSON.parse(callback.body).message.message;
    assert.equal(text, 'Dear Ada Lovelace, your code is .');
    assert.deepEqual(markup.buttons.flat(), [{ text: 'Thanks' }, { text: 'Call me' }]);
    assert.equal(about.content, 'Dear {{contact.name}}, your code is {{lead.cf.3}}.');
    assert.equal(await sent.count(), 1);
  },

  'a press is shown on both messages as it comes and later': async (visit) => {
    const world = await opened(visit);
    const { page } = visit;
    await world.operatorApi('PATCH', `/admin/v1/channels/${world.channel.id}`, { buttons: true });
    const buttons = [{ type: 'inline', text: 'Yes, confirm' }, { type: 'inline', text: 'No' }];
    await template(world, { name: 'Confirm', content: 'Is it right?', buttons });
    await sendTemplate(visit, /Confirm/);
    await world.receiver.until(1);
    await world.says('ada', 'Yes, confirm', { name: 'Ada Lovelace' });
    const pressed = log(visit).getByRole('article').filter({ hasText: 'Pressed: Yes, confirm' });
    await visit.until('both say it', async () => (await pressed.count()) === 2);
    await page.reload();
    await visit.until('both say it', async () => (await pressed.count()) === 2);
    assert.match(await pressed.first().innerText(), /Is it right\?/);
    await visit.isAccessible('a press');
    await visit.shot('press');
  },

  'a list of a program is shown with its rows': async (visit) => {
    const world = await opened(visit);
    await world.operatorApi('PATCH', `/admin/v1/channels/${world.channel.id}`, { lists: true });
    // A program writes to talks that are in work.
    await world.api('PATCH', '/api/v4/leads/1', { body: { status_id: 2 } });
    const rows = [
      { callback_data: 'slot-0900', title: '09:00', description: '1 hour' },
      { callback_data: 'slot-1000', title: '10:00' },
    ];
    const list = { header: 'Pick a time', body: 'We are open on Friday', footer: 'UTC+3', button: 'Show times', sections: [{ title: 'Morning', rows }] };
    await world.api('POST', '/api/v4/talks/1/send_message', { body: { list_message: list } });
    const shown = log(visit).getByRole('group', { name: 'List: Show times' });
    assert.deepEqual(await shown.getByRole('listitem').allInnerTexts(), ['09:00 · 1 hour', '10:00']);
    for (const text of ['Pick a time', 'We are open on Friday', 'Morning', 'UTC+3']) await log(visit).getByText(text, { exact: true }).waitFor();
    await visit.isAccessible('a list');
  },

  'a closed window offers templates and keeps the draft': async (visit) => {
    const world = await visit.world();
    const old = await world.says('ada', 'An old question', { name: 'Ada Lovelace', silent: true });
    await template(world, { name: 'Opening hours', content: 'We are there from nine to five.' });
    await visit.signIn(world);
    const page = await visit.open(world, `/conversations/${old.conversation_id}`);
    await composer(visit).fill('I was about to say');
    await visit.sees('Draft saved');
    const send = page.getByRole('button', { name: 'Send', exact: true });
    await send.waitFor();
    await world.operatorApi('PATCH', `/admin/v1/channels/${world.channel.id}`, { window_hours: 24 });
    // This page does not know it yet: the service refuses, and the text stays.
    await send.click();
    await log(visit).getByText(/the customer has not written yet/).waitFor();
    await page.reload();
    await visit.sees(/^The customer has not written yet/);
    await visit.isAccessible('a closed window');
    await visit.shot('closed-window');
    assert.equal(await send.count(), 0);
    assert.equal(await composer(visit).evaluate((area) => area.readOnly), true);
    await sendTemplate(visit, /Opening hours/);
    const [callback] = await world.receiver.until(1);
    assert.equal(JSON.parse(callback.body).message.message.text, 'We are there from nine to five.');
    await world.says('ada', 'Hello?', { name: 'Ada Lovelace' });
    await visit.sees(/^You can write freely until /);
    await composer(visit).fill('Here we are');
    await send.click();
    await world.receiver.until(2);
    await visit.isAccessible('an open window');
  },

  'an unsent template stays with its reason and is sent once': async (visit) => {
    const world = await opened(visit);
    const { page } = visit;
    const id = await template(world, { name: 'Opening hours', content: 'Dear {{contact.name}}, we are there from nine to five.' });
    await page.route('**/messages', (route) => (route.request().method() === 'POST' ? route.abort() : route.continue()));
    await sendTemplate(visit, /Opening hours/);
    await visit.sees(/^Not sent\. The text stays here/);
    await visit.isAccessible('a template that was not sent');
    visit.watched.wrong = visit.watched.wrong.filter((it) => !it.includes('net::ERR_FAILED'));
    await page.unroute('**/messages');
    await page.reload();
    const pending = log(visit).locator('.pending');
    await pending.getByText('Dear Ada Lovelace, we are there from nine to five.').waitFor();
    await pending.getByRole('button', { name: 'Try again' }).click();
    await log(visit).getByText('Sent', { exact: true }).waitFor();
    assert.equal((await world.receiver.until(1)).length, 1);
    // One that is gone meanwhile is refused, with the field that names it.
    await page.getByRole('button', { name: 'Templates' }).click();
    await page.getByRole('option', { name: /Opening hours/ }).click();
    await world.api('DELETE', `/api/v4/chats/templates/${id}`);
    await page.getByRole('dialog').getByRole('button', { name: 'Send', exact: true }).click();
    await pending.getByText('template_id').waitFor();
    await pending.getByRole('button', { name: 'Discard the message' }).click();
    await pending.waitFor({ state: 'detached' });
    assert.equal(world.receiver.got.length, 1);
  },

  'a template that a colleague overtook stays and offers both ways': async (visit) => {
    const world = await opened(visit);
    const boris = await world.user('Boris', { is_admin: true });
    await template(world, { name: 'Opening hours', content: 'We are there from nine to five.' });
    // The page does not hear of it: what counts is what the service knows.
    await visit.page.keyboard.press('.');
    await visit.sees(/Paused at/);
    const answer = (text) =>
      world.api('POST', `/inbox/v1/conversations/${world.conversation}/messages`, { token: boris.token, body: { type: 'text', text } });
    const overtaken = visit.page.locator('.overtaken');
    await answer('At nine');
    await sendTemplate(visit, /Opening hours/);
    await overtaken.getByText('At nine').waitFor();
    await log(visit).locator('.pending').getByText('We are there from nine to five.').waitFor();
    await overtaken.getByRole('button', { name: 'Discard the message' }).click();
    await overtaken.waitFor({ state: 'detached' });
    await answer('Or at noon');
    await sendTemplate(visit, /Opening hours/);
    await overtaken.getByText('Or at noon').waitFor();
    await overtaken.getByRole('button', { name: 'Send anyway' }).click();
    const callbacks = await world.receiver.until(3);
    assert.deepEqual(callbacks.map((it) => JSON.parse(it.body).message.message.text), ['At nine', 'Or at noon', 'We are there from nine to five.']);
    await overtaken.waitFor({ state: 'detached' });
  },

  'a list without templates, one that fails, and a template without text are explained': async (visit) => {
    const world = await opened(visit);
    const { page } = visit;
    const dialog = page.getByRole('dialog', { name: 'Send a template' });
    const close = async () => {
      await page.keyboard.press('Escape');
      await dialog.waitFor({ state: 'detached' });
    };
    const open = () => page.getByRole('button', { name: 'Templates' }).click();
    await open();
    await dialog.getByText('No templates for this conversation').waitFor();
    assert.equal(await dialog.getByRole('link', { name: 'About templates' }).getAttribute('href'), '/docs/templates.md');
    await visit.isAccessible('no templates');
    await close();
    await template(world, { name: 'The code', content: '{{lead.cf.3}}' });
    await page.route('**/templates', (route) => route.fulfill({ status: 500, json: {} }));
    await open();
    const again = dialog.getByRole('button', { name: 'Try again' });
    await again.waitFor();
    await page.unroute('**/templates');
    await again.click();
    await dialog.getByRole('option', { name: /The code/ }).click();
    await dialog.getByText(/^This template cannot be sent here/).waitFor();
    assert.equal(await dialog.getByRole('button', { name: /^Send/ }).count(), 0);
    const back = dialog.getByRole('button', { name: 'Other templates' });
    await visit.until('the way back has the focus', () => back.evaluate((it) => it === document.activeElement));
    await visit.isAccessible('a template without text');
    await back.click();
    await dialog.getByRole('option', { name: /The code/ }).waitFor();
    await close();
  },

  'a conversation is taken over, assigned and given back, and the reply being written stays': async (visit) => {
    const world = await opened(visit);
    const boris = await world.user('Boris', { is_admin: true });
    await visit.page.reload();
    await composer(visit).fill('I was about to say');
    await visit.sees('Draft saved');
    const stored = async () => (await world.api('GET', `/inbox/v1/conversations/${world.conversation}`)).lead.responsible_user_id;
    const dialog = responsibleDialog(visit);
    await responsible(visit, 'No user').focus();
    await visit.page.keyboard.press('Enter');
    await dialog.getByText('Now: No user').waitFor();
    assert.equal(await dialog.getByRole('button', { name: 'Give back' }).count(), 0);
    await visit.isAccessible('responsible user');
    await dialog.getByRole('button', { name: 'Take over' }).click();
    const own = responsible(visit, 'Ann Miller (you)');
    await own.waitFor();
    await visit.until('the focus is in the head', () => own.evaluate((it) => it === document.activeElement));
    assert.equal(await stored(), world.admin.id);
    await own.click();
    assert.equal(await dialog.getByRole('button', { name: 'Take over' }).count(), 0);
    await dialog.getByLabel('Another user').selectOption({ label: 'Boris' });
    await dialog.getByRole('button', { name: 'Assign', exact: true }).click();
    await responsible(visit, 'Boris').waitFor();
    assert.equal(await stored(), boris.id);
    await responsible(visit, 'Boris').click();
    await dialog.getByRole('button', { name: 'Give back' }).click();
    await responsible(visit, 'No user').waitFor();
    assert.equal(await stored(), null);
    await visit.has(composer(visit), 'I was about to say');
    assert.deepEqual(world.receiver.got, []);
  },

  'a responsible user whom a colleague changed first is not replaced unasked': async (visit) => {
    const world = await opened(visit);
    const boris = await world.user('Boris', { is_admin: true });
    await visit.page.reload();
    const target = `/inbox/v1/conversations/${world.conversation}`;
    const changes = (user_id, replaces) => world.api('PATCH', `${target}/responsible`, { token: boris.token, body: { user_id, replaces } });
    const stored = async () => (await world.api('GET', target)).lead.responsible_user_id;
    const dialog = responsibleDialog(visit);
    const overtaken = visit.page.locator('.responsible-overtaken');
    await responsible(visit, 'No user').click();
    await changes(boris.id, null);
    await dialog.getByRole('button', { name: 'Take over' }).click();
    await overtaken.getByText('Another user changed the responsible user first. Now: Boris.').waitFor();
    assert.equal(await overtaken.getAttribute('role'), 'alert');
    await visit.isAccessible('responsible user changed first');
    const leave = overtaken.getByRole('button', { name: 'Leave it' });
    await visit.until('the focus is at the harmless way', () => leave.evaluate((it) => it === document.activeElement));
    await leave.click();
    await responsible(visit, 'Boris').waitFor();
    assert.equal(await stored(), boris.id);
    await responsible(visit, 'Boris').click();
    await changes(null, boris.id);
    await dialog.getByRole('button', { name: 'Take over' }).click();
    await overtaken.getByText(/Now: No user/).waitFor();
    await overtaken.getByRole('button', { name: 'Assign to Ann Miller (you) anyway' }).click();
    await responsible(visit, 'Ann Miller (you)').waitFor();
    assert.equal(await stored(), world.admin.id);
  },

  'a closed conversation has a mark, and the next message opens it again': async (visit) => {
    const world = await opened(visit);
    const { page } = visit;
    await composer(visit).fill('I was about to say');
    const close = page.getByRole('button', { name: 'Close the conversation' });
    await close.click();
    await page.locator('.handling').getByText('Closed', { exact: true }).waitFor();
    await row(visit, /Ada Lovelace.*Closed/).waitFor();
    assert.equal(await close.count(), 0);
    assert.equal((await world.api('GET', `/inbox/v1/conversations/${world.conversation}`)).status, 'closed');
    await visit.until('the focus is in the head', () => responsible(visit, 'No user').evaluate((it) => it === document.activeElement));
    await visit.isAccessible('closed');
    const filter = (name) => page.getByRole('combobox', { name, exact: true });
    await filter('Status').selectOption('Closed');
    await page.waitForURL((url) => url.search === '?status=closed');
    await row(visit, /Ada Lovelace/).waitFor();
    await filter('Responsible user').selectOption('My leads');
    await visit.sees('No conversations found.');
    await filter('Responsible user').selectOption('Unassigned');
    await row(visit, /Ada Lovelace/).waitFor();
    await page.reload();
    await row(visit, /Ada Lovelace/).waitFor();
    assert.equal(new URL(page.url()).search, '?status=closed&responsible=none');
    await filter('Status').selectOption('Open');
    await visit.sees('No conversations found.');
    await world.says('ada', 'One more thing', { name: 'Ada Lovelace' });
    await row(visit, /Ada Lovelace.*One more thing/).waitFor();
    assert.equal(await row(visit, /Closed/).count(), 0);
    await close.waitFor();
    await visit.has(composer(visit), 'I was about to say');
  },

  'a conversation is snoozed, shows until when, and is woken': async (visit) => {
    const world = await opened(visit);
    const { page } = visit;
    const stored = () => world.api('GET', `/inbox/v1/conversations/${world.conversation}`);
    const dialog = page.getByRole('dialog', { name: 'Snooze the conversation' });
    const snooze = page.getByRole('button', { name: 'Snooze the conversation' });
    const wake = page.getByRole('button', { name: 'Wake now', exact: true });
    await composer(visit).fill('I was about to say');
    await visit.sees('Draft saved');
    const before = Math.floor(Date.now() / 1000);
    await snooze.focus();
    await page.keyboard.press('Enter');
    await dialog.waitFor();
    await visit.isAccessible('snooze dialog');
    await dialog.getByRole('button', { name: /^In 1 hour/ }).click();
    await dialog.waitFor({ state: 'detached' });
    await page.locator('.handling').getByText(/^Snoozed until .* or until the customer writes$/).waitFor();
    await row(visit, /Ada Lovelace.*Snoozed/).waitFor();
    await visit.until('the focus is in the head', () => wake.evaluate((it) => it === document.activeElement));
    await visit.isAccessible('snoozed');
    const { status, snooze: shown } = await stored();
    assert.equal(status, 'snoozed');
    assert.equal(shown.wake_on_message, true);
    assert.ok(shown.until >= before + 3600 && shown.until <= Date.now() / 1000 + 3600, `${shown.until}`);
    // The exact time, in the zone of the person.
    const time = page.locator('.handling time');
    const moment = await time.getAttribute('datetime');
    assert.equal(Date.parse(moment) / 1000, shown.until);
    const minutes = new Date(moment).getUTCMinutes().toString().padStart(2, '0');
    assert.match(await time.textContent(), new RegExp(`\\d:${minutes}`));
    const filter = page.getByRole('combobox', { name: 'Status', exact: true });
    await filter.selectOption('Open');
    await visit.sees('No conversations found.');
    await filter.selectOption('Snoozed');
    await row(visit, /Ada Lovelace/).waitFor();
    await filter.selectOption('Any status');
    await wake.focus();
    await page.keyboard.press('Enter');
    await snooze.waitFor();
    await visit.until('the focus stays in the head', () => snooze.evaluate((it) => it === document.activeElement));
    await visit.until('the row has no mark', async () => (await row(visit, /Snoozed/).count()) === 0);
    assert.equal((await stored()).status, 'open');
    await visit.has(composer(visit), 'I was about to say');
  },

  'a snooze ends at its time, or when the customer writes if it may': async (visit) => {
    const world = await opened(visit);
    const { page } = visit;
    const at = `/inbox/v1/conversations/${world.conversation}`;
    const dialog = page.getByRole('dialog', { name: 'Snooze the conversation' });
    const snooze = page.getByRole('button', { name: 'Snooze the conversation' });
    await snooze.click();
    await dialog.getByLabel('Open it earlier when the customer writes').uncheck();
    const until = await page.evaluate(() => {
      const now = new Date();
      return new Date(now.getFullYear(), now.getMonth(), now.getDate() + 3, 10, 30).getTime() / 1000;
    });
    const value = await page.evaluate((seconds) => {
      const time = new Date(seconds * 1000);
      return new Date(seconds * 1000 - time.getTimezoneOffset() * 60_000).toISOString().slice(0, 16);
    }, until);
    await dialog.getByLabel('Date and time').fill(value);
    await dialog.getByRole('button', { name: 'Snooze', exact: true }).click();
    await dialog.waitFor({ state: 'detached' });
    await row(visit, /Ada Lovelace.*Snoozed/).waitFor();
    const { snooze: stored } = await world.api('GET', at);
    assert.deepEqual([stored.until, stored.wake_on_message], [until, false]);
    await world.says('ada', 'Are you there?', { name: 'Ada Lovelace' });
    await row(visit, /Ada Lovelace.*Are you there\?.*Snoozed/).waitFor();
    // A colleague chooses another kind and another time; the page follows.
    const snoozes = (seconds) => world.api('POST', `${at}/snooze`, { body: { until: Math.floor(Date.now() / 1000) + seconds } });
    await snoozes(8);
    await snooze.waitFor();
    await visit.until('the row has no mark', async () => (await row(visit, /Snoozed/).count()) === 0);
    await snoozes(3600);
    await row(visit, /Ada Lovelace.*Snoozed/).waitFor();
    await world.says('ada', 'Hello?', { name: 'Ada Lovelace' });
    await row(visit, /Ada Lovelace.*Hello\?/).waitFor();
    await snooze.waitFor();
    await visit.until('the row has no mark', async () => (await row(visit, /Snoozed/).count()) === 0);
  },

  'a reply is sent later, edited and cancelled by keys': async (visit) => {
    const world = await opened(visit);
    const { page } = visit;
    const at = `/inbox/v1/conversations/${world.conversation}`;
    const stored = async () => (await world.api('GET', `${at}/scheduled-replies`)).scheduled_replies;
    const later = page.getByRole('button', { name: 'Send later…' });
    const dialog = page.getByRole('dialog', { name: 'Send the reply later' });
    const list = page.getByRole('region', { name: 'Scheduled replies' });
    // Without a text there is nothing to send.
    await later.click();
    assert.equal(await dialog.count(), 0);
    await composer(visit).fill('It is ready.');
    await visit.sees('Draft saved');
    const before = Math.floor(Date.now() / 1000);
    await later.focus();
    await page.keyboard.press('Enter');
    await dialog.waitFor();
    await visit.isAccessible('send later');
    await dialog.getByRole('button', { name: /^In 1 hour/ }).click();
    await dialog.waitFor({ state: 'detached' });
    await list.getByText('It is ready.').waitFor();
    await visit.has(composer(visit), '');
    const [first] = await stored();
    assert.ok(first.send_at >= before + 3600 && first.send_at <= Date.now() / 1000 + 3600, `${first.send_at}`);
    assert.equal(first.unless_customer_wrote, true);
    // The exact time, in the zone of the person.
    assert.equal(Date.parse(await list.locator('time').getAttribute('datetime')) / 1000, first.send_at);
    assert.equal((await world.api('GET', `${at}/drafts/reply`)).text, '');
    await visit.isAccessible('a scheduled reply');
    const edit = list.getByRole('button', { name: /^Edit the scheduled reply/ });
    await edit.focus();
    await page.keyboard.press('Enter');
    const editing = page.getByRole('dialog', { name: 'Edit the scheduled reply' });
    await editing.getByLabel('Text of the reply').fill('It is ready now.');
    await editing.getByLabel('Do not send it if the customer writes first').uncheck();
    await editing.getByRole('button', { name: 'Save' }).click();
    await editing.waitFor({ state: 'detached' });
    await list.getByText('In any case.').waitFor();
    await visit.until('the focus is at the way', () => edit.evaluate((it) => it === document.activeElement));
    const [second] = await stored();
    assert.deepEqual([second.content.text, second.send_at, second.unless_customer_wrote], ['It is ready now.', first.send_at, false]);
    // A colleague changes it; the page follows, and the composer stays as it is.
    await composer(visit).fill('I was about to say');
    const change = { based_on: second.version, text: 'It is almost ready.' };
    await world.api('PATCH', `${at}/scheduled-replies/${second.number}`, { body: change });
    await list.getByText('It is almost ready.').waitFor();
    await list.getByRole('button', { name: /^Cancel the scheduled reply/ }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Cancel the reply' }).click();
    await list.waitFor({ state: 'detached' });
    await visit.until('the focus is in the composer', () => composer(visit).evaluate((it) => it === document.activeElement));
    assert.deepEqual(await stored(), []);
    await visit.has(composer(visit), 'I was about to say');
  },

  'a scheduled reply is sent at its time, or is held with both ways': async (visit) => {
    const world = await opened(visit);
    const { page } = visit;
    const at = `/inbox/v1/conversations/${world.conversation}`;
    const list = page.getByRole('region', { name: 'Scheduled replies' });
    const schedule = (text, seconds) =>
      world.api('POST', `${at}/scheduled-replies`, { body: { type: 'text', text, send_at: Math.floor(Date.now() / 1000) + seconds } });
    await schedule('In time', 6);
    await list.getByText('In time').waitFor();
    await list.waitFor({ state: 'detached' });
    await page.getByRole('log').getByText('In time').waitFor();
    for (const text of ['Held one', 'Held two']) await schedule(text, 8);
    await list.getByText('Held two').waitFor();
    await world.says('ada', 'Never mind', { name: 'Ada Lovelace' });
    await visit.until('both are held', async () => (await list.getByText('The customer wrote first.').count()) === 2);
    await page.getByRole('status').getByText('Not sent. The customer wrote first.').waitFor();
    await visit.isAccessible('held');
    await list.getByRole('button', { name: 'Send now: Held one' }).click();
    await page.getByRole('log').getByText('Held one').waitFor();
    await list.getByText('Held one').waitFor({ state: 'detached' });
    await list.getByRole('button', { name: /^Discard the scheduled reply: Held two/ }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Cancel the reply' }).click();
    await list.waitFor({ state: 'detached' });
    const { messages } = await world.api('GET', `${at}/messages`);
    assert.deepEqual(messages.filter(({ direction }) => direction === 'out').slice(0, 2).map(({ text }) => text), ['Held one', 'In time']);
  },

  'several conversations are chosen, changed at once, and that is undone': async (visit) => {
    const world = await visit.world();
    const { page } = visit;
    const ids = {};
    for (const name of ['Ada Lovelace', 'Blaise Pascal', 'Carl Gauss']) {
      ids[name] = (await world.says(name, 'Hi', { name })).conversation_id;
    }
    const boris = await world.user('Boris', { is_admin: true });
    await visit.signIn(world);
    await visit.open(world, '/conversations');
    await row(visit, /Carl Gauss/).waitFor();
    await page.getByText('Live', { exact: true }).waitFor();
    const shown = (name) => world.api('GET', `/inbox/v1/conversations/${ids[name]}`);
    const statuses = async () => {
      const all = await Promise.all(Object.keys(ids).map(shown));
      return all.map((it) => it.status);
    };
    const box = (name) => page.getByRole('checkbox', { name: `Select ${name}` });
    const bar = page.getByRole('group', { name: 'Select conversations' });
    // By keys alone, once the page has the part that hears them.
    await page.getByRole('button', { name: 'Select conversations' }).waitFor();
    await page.keyboard.press('KeyX');
    await bar.getByText('0 selected').waitFor();
    await box('Carl Gauss').focus();
    await page.keyboard.press('Space');
    await page.keyboard.press('Tab');
    await page.keyboard.press('Tab');
    await visit.until('the next box has the focus', () => box('Blaise Pascal').evaluate((it) => it === document.activeElement));
    await page.keyboard.press('Space');
    await bar.getByText('2 selected').waitFor();
    await visit.isAccessible('choosing');
    await bar.getByRole('button', { name: 'Close' }).focus();
    await page.keyboard.press('Enter');
    const undo = page.getByRole('button', { name: 'Undo', exact: true });
    await page.getByText('2 conversations changed.').waitFor();
    await visit.until('the focus is at the undo', () => undo.evaluate((it) => it === document.activeElement));
    await visit.isAccessible('changed');
    assert.deepEqual(await statuses(), ['open', 'closed', 'closed']);
    await row(visit, /Carl Gauss.*Closed/).waitFor();
    await page.keyboard.press('Enter');
    await page.getByText('Undone for 2 conversations.').waitFor();
    assert.deepEqual(await statuses(), ['open', 'open', 'open']);
    await visit.until('the rows have no mark', async () => (await row(visit, /Closed/).count()) === 0);
    // A colleague is faster at one of them: the others are assigned, and it is named.
    await page.getByRole('button', { name: 'Select conversations' }).click();
    await bar.getByRole('button', { name: 'Select the 3 shown' }).click();
    await bar.getByRole('button', { name: 'Assign' }).click();
    const dialog = page.getByRole('dialog', { name: 'Assign 3 conversations' });
    await dialog.waitFor();
    await visit.isAccessible('assign several');
    let isOvertaken = false;
    await page.route('**/inbox/v1/conversations', async (route) => {
      if (route.request().method() === 'PATCH' && !isOvertaken) {
        isOvertaken = true;
        const body = { user_id: boris.id, replaces: null };
        await world.api('PATCH', `/inbox/v1/conversations/${ids['Ada Lovelace']}/responsible`, { token: boris.token, body });
      }
      await route.continue();
    });
    await dialog.getByRole('button', { name: 'Assign', exact: true }).click();
    await page.getByText('Not changed: 1 conversation.').waitFor();
    await page.locator('.outcome li').getByText('Ada Lovelace').waitFor();
    await visit.isAccessible('one failed');
    await bar.getByText('1 selected').waitFor();
    const users = async () => Promise.all(Object.keys(ids).map(async (name) => (await shown(name)).lead.responsible_user_id));
    assert.deepEqual(await users(), [boris.id, world.admin.id, world.admin.id]);
    await undo.click();
    await page.getByText('Undone for 2 conversations.').waitFor();
    assert.deepEqual(await users(), [boris.id, null, null]);
    await bar.getByRole('button', { name: 'Snooze' }).click();
    await page.getByRole('dialog', { name: 'Snooze 1 conversation' }).getByRole('button', { name: /^Tomorrow/ }).click();
    await page.getByText('1 conversation changed.').waitFor();
    await row(visit, /Ada Lovelace.*Snoozed/).waitFor();
    assert.deepEqual(await statuses(), ['snoozed', 'open', 'open']);
    // After ten seconds the offer has gone.
    await undo.waitFor({ state: 'detached' });
    assert.equal(await box('Ada Lovelace').count(), 0);
  },

  'ids are copied': {
    options: { permissions: ['clipboard-read', 'clipboard-write'] },
    work: async (visit) => {
      await visit.page.clock.install();
      const world = await opened(visit);
      await visit.holdClock();
      // Sellers need no ids, so they are folded.
      assert.equal(await visit.page.getByRole('button', { name: 'Copy: scope' }).count(), 0);
      await visit.page.locator('.details summary').click();
      await visit.page.getByRole('button', { name: 'Copy: scope' }).click();
      await visit.sees('button', 'Copied');
      assert.equal(await visit.page.evaluate(() => navigator.clipboard.readText()), world.scope);
    },
  },

  'a missing right to reply is explained, and the text stays': async (visit) => {
    const world = await visit.world();
    const { conversation_id: id } = await world.says('ada', 'Hi', { name: 'Ada Lovelace' });
    const stage = { entity_type: 'leads', pipeline_id: 1, status_id: 1, rights: { view: 'A', edit: 'D', delete: 'D' } };
    const rights = { leads: { view: 'A' }, contacts: {}, companies: {}, tasks: {}, status_rights: [stage] };
    const role = await world.api('POST', '/api/v4/roles', { body: { name: 'Onlookers', rights } });
    const olga = await world.user('Olga Looker', { role_id: role._embedded.roles[0].id });
    const nobody = await world.user('Norman Nobody');
    await visit.signIn(world, olga);
    await visit.open(world, `/conversations/${id}`);
    await composer(visit).fill('May I?');
    await composer(visit).press('Control+Enter');
    await visit.sees(/^Not sent\. The text stays here/);
    await visit.sees(/need the right to edit the lead/);
    await visit.page.getByRole('log').getByText('May I?').waitFor();
    await visit.signIn(world, nobody);
    await visit.page.reload();
    await visit.sees('This conversation does not exist, or you have no right to view it.');
    await visit.sees('You see only what your rights cover. An administrator of the account can extend them.');
  },

  'an account user writes first': async (visit) => {
    const world = await opened(visit);
    await visit.page.getByRole('button', { name: 'Start conversation' }).click();
    const dialog = visit.page.getByRole('dialog', { name: 'Start a conversation' });
    await dialog.getByLabel('Phone number').fill('no digits');
    await dialog.getByLabel('Message').fill('Your order is here.');
    await visit.isAccessible('write first');
    await dialog.getByRole('button', { name: 'Send' }).click();
    await dialog.getByText(/expected a phone number/).waitFor();
    await dialog.getByLabel('Phone number').fill('+49 30 123456');
    await dialog.getByLabel('Name').fill('Grace Hopper');
    await dialog.getByRole('button', { name: 'Send' }).click();
    await visit.sees('log', 'Messages with Grace Hopper');
    await log(visit).getByText('Your order is here.').waitFor();
    await visit.sees(/No lead: the customer has not written yet/);
    assert.match((await world.receiver.until(1))[0].body, /Your order is here/);
  },

  'a reply needs the keyboard only': async (visit) => {
    const world = await visit.world();
    await world.says('ada', 'Hi', { name: 'Ada Lovelace' });
    await world.says('boris', 'Hello', { name: 'Boris' });
    await visit.signIn(world);
    await visit.open(world, '/conversations');
    await row(visit, /Boris/).waitFor();
    const { page } = visit;
    await page.keyboard.press('j');
    await visit.sees('log', 'Messages with Boris');
    await page.keyboard.press('j');
    await visit.sees('log', 'Messages with Ada Lovelace');
    await page.keyboard.press('r');
    await page.keyboard.type('Good morning');
    await page.keyboard.press('Control+Enter');
    await log(visit).getByText('Good morning').waitFor();
    // The answer brings the conversation to the top.
    await page.getByRole('list', { name: 'Conversations' }).getByRole('listitem').first().getByText('Ada Lovelace').waitFor();
    await page.keyboard.press('Escape');
    await page.keyboard.press('j');
    await visit.sees('log', 'Messages with Boris');
    assert.equal(JSON.parse((await world.receiver.until(1))[0].body).message.message.text, 'Good morning');
  },

  'messages are one stop of Tab, and arrows move within them': async (visit) => {
    await opened(visit, ['one', 'two', 'three']);
    const stops = log(visit).locator('article[tabindex="0"]');
    assert.equal(await stops.count(), 1);
    await stops.focus();
    await visit.page.keyboard.press('ArrowUp');
    const focused = () => visit.page.evaluate(() => document.activeElement.innerText);
    assert.match(await focused(), /two/);
    await visit.page.keyboard.press('Home');
    assert.match(await focused(), /one/);
    assert.equal(await stops.count(), 1);
  },

  'filters work live, and an empty result links back': async (visit) => {
    const world = await opened(visit);
    const boris = await world.says('boris', 'Thanks!', { name: 'Boris' });
    await row(visit, /Boris/).waitFor();
    await world.replies(boris.conversation_id, 'Welcome');
    await visit.page.getByRole('button', { name: 'Failed' }).click();
    await visit.sees('No failed messages.');
    await visit.page.getByRole('button', { name: 'Clear the filter' }).click();
    await row(visit, /Ada Lovelace/).waitFor();
    await visit.page.getByRole('button', { name: 'Mine' }).click();
    await row(visit, /Ada Lovelace/).waitFor({ state: 'detached' });
    await row(visit, /Boris.*You: Welcome/).waitFor();
    await visit.page.getByRole('button', { name: 'Unread', exact: true }).click();
    await row(visit, /Boris/).waitFor({ state: 'detached' });
    await world.says('boris', 'One more thing', { name: 'Boris' });
    await row(visit, /Boris.*One more thing/).waitFor();
  },

  'the address keeps the filter and the search, also in a conversation': async (visit) => {
    const world = await opened(visit);
    const { page } = visit;
    const boris = await world.says('boris', 'Thanks!', { name: 'Boris' });
    await row(visit, /Boris/).waitFor();
    const query = () => new URL(page.url()).search;
    await page.getByRole('button', { name: /^Unread/ }).click();
    await row(visit, /Ada Lovelace/).waitFor({ state: 'detached' });
    assert.equal(query(), '?show=unread');
    await page.reload();
    await row(visit, /Boris/).waitFor();
    assert.equal(await row(visit, /Ada Lovelace/).count(), 0);
    assert.equal(await page.getByRole('button', { name: /^Unread/ }).getAttribute('aria-pressed'), 'true');
    await row(visit, /Boris/).click();
    await page.waitForURL((url) => url.pathname === `/conversations/${boris.conversation_id}` && url.search === '?show=unread');
    await visit.open(world, '/conversations?q=thanks');
    await row(visit, /Boris/).waitFor();
    assert.equal(await page.getByRole('searchbox').inputValue(), 'thanks');
    assert.equal(await row(visit, /Ada Lovelace/).count(), 0);
    // Another place of the history is another list.
    await page.getByRole('link', { name: 'Inbox' }).click();
    await row(visit, /Ada Lovelace/).waitFor();
    await page.goBack();
    await row(visit, /Ada Lovelace/).waitFor({ state: 'detached' });
    assert.equal(query(), '?q=thanks');
  },

  'a search finds names and texts and shows the match': async (visit) => {
    const world = await visit.world();
    await world.says('ada', 'I have lost the blue umbrella', { name: 'Ada Lovelace' });
    await world.says('ada', 'Did you find it?', { name: 'Ada Lovelace' });
    await world.says('boris', 'Good morning', { name: 'Boris' });
    await visit.signIn(world);
    await visit.open(world, '/conversations');
    await row(visit, /Boris/).waitFor();
    await visit.page.keyboard.press('/');
    await visit.page.keyboard.type('umbrella');
    await row(visit, /Ada Lovelace.*lost the blue umbrella/).waitFor();
    await row(visit, /Boris/).waitFor({ state: 'detached' });
    await world.says('boris', 'Is anybody there?', { name: 'Boris' });
    await visit.page.getByLabel('Search conversations').fill('nobody has said this');
    await visit.sees('No conversations found.');
    await visit.page.getByLabel('Search conversations').fill('Boris');
    await row(visit, /Boris.*Is anybody there/).waitFor();
  },

  'a conversation that changes while the list loads is in it': async (visit) => {
    const world = await opened(visit);
    const late = async (route) => {
      const response = await route.fetch();
      const answer = await response.json();
      // So that it is seen when the answer is there.
      answer.conversations[0].customer.name = 'Ada King';
      await world.says('boris', 'Good morning', { name: 'Boris' });
      await row(visit, /Boris.*Good morning/).waitFor();
      await route.fulfill({ response, json: answer });
    };
    await visit.page.route('**/inbox/v1/conversations?*', late, { times: 1 });
    await visit.page.getByRole('button', { name: 'All', exact: true }).click();
    await row(visit, /Ada King/).waitFor();
    await row(visit, /Boris.*Good morning/).waitFor();
  },

  'typed search text stays while the list changes': async (visit) => {
    await visit.page.clock.install();
    const world = await opened(visit);
    // The search waits for another letter as long as time stands still.
    await visit.holdClock();
    await visit.page.keyboard.press('/');
    await visit.page.keyboard.type('ada');
    await world.says('ada', 'And how much is it?', { name: 'Ada Lovelace' });
    await row(visit, /And how much is it/).waitFor();
    assert.equal(await visit.page.getByLabel('Search conversations').inputValue(), 'ada');
  },

  'ten thousand conversations scroll smoothly': async (visit) => {
    const world = await visit.at('/sign-in');
    await visit.sees('heading', 'Inbox');
    // The list is answered here: that the service pages it is tested elsewhere.
    const [TOTAL, PAGE] = [10_000, 1_000];
    const now = Math.floor(Date.now() / 1000);
    await visit.page.route('**/inbox/v1/conversations?*', (route) => {
      const start = Number(new URL(route.request().url()).searchParams.get('cursor') ?? 0);
      const conversations = Array.from({ length: PAGE }, (_, at) => ({
        id: `00000000-0000-4000-8000-${String(start + at).padStart(12, '0')}`,
        client_id: `c${start + at}`,
        scope_id: world.scope,
        channel: { id: 'x', name: 'tg-bot' },
        customer: { id: 'x', client_id: 'u', name: `Customer ${start + at}`, avatar: null, phone: null, email: null, profile_link: null },
        messages: 3,
        unread: at % 7 === 0 ? 2 : 0,
        active_at: now - start - at,
        last_message: { id: 'm', direction: 'in', type: 'text', text: `The newest words of ${start + at}`, timestamp: now, msec_timestamp: now * 1000 },
        lead: null,
        typing: null,
      }));
      const next = start + PAGE < TOTAL ? String(start + PAGE) : null;
      return route.fulfill({ json: { conversations, next } });
    });
    await visit.page.reload();
    await row(visit, /Customer 0/).first().waitFor();
    const scroller = visit.page.locator('[data-scroller]');
    await visit.until('all are loaded', () =>
      scroller.evaluate((it) => {
        it.scrollTop = it.scrollHeight;
        return it.scrollHeight >= 10_000 * 60;
      }),
    );
    // How long tasks take by the processor's clock: what else the machine does meanwhile is not the page's fault. All the
    // work of a step is at least as long as its longest task.
    const session = await visit.context.newCDPSession(visit.page);
    await session.send('Performance.enable', { timeDomain: 'threadTicks' });
    const worked = async () => {
      const { metrics } = await session.send('Performance.getMetrics');
      return metrics.find((it) => it.name === 'TaskDuration').value * 1000;
    };
    const scrolled = async () => {
      const steps = [];
      let before = await worked();
      for (let top = 0; top < TOTAL * 66; top += 6_000) {
        await scroller.evaluate((it, top) => {
          it.scrollTop = top;
          return new Promise((next) => requestAnimationFrame(() => requestAnimationFrame(next)));
        }, top);
        const now = await worked();
        steps.push(now - before);
        before = now;
      }
      return steps;
    };
    // As often as it takes: a step that the machine interrupted counts what others did.
    const steps = await visit.until('no step takes 100 ms of work', async () => {
      const steps = await scrolled();
      return Math.max(...steps) < 100 ? steps : undefined;
    });
    const rows = await visit.page.locator('.conversation').count();
    console.log(`        ${steps.length} steps, at most ${Math.round(Math.max(...steps))} ms of work in one; ${rows} rows in the document`);
    assert.ok(rows < 60, `${rows} rows in the document`);
  },

  'rows do not move under a reader further down': async (visit) => {
    const world = await visit.world();
    for (let at = 0; at < 40; at += 1) await world.says(`c${at}`, 'Hi', { name: `Customer ${at}.` });
    await visit.signIn(world);
    await visit.open(world, '/conversations');
    await row(visit, /Customer 39\./).waitFor();
    await visit.page.getByText('Live', { exact: true }).waitFor();
    const scroller = visit.page.locator('[data-scroller]');
    await scroller.evaluate((it) => (it.scrollTop = 900));
    // The page has seen it when the first rows are no longer in the document.
    await row(visit, /Customer 39\./).waitFor({ state: 'detached' });
    const place = () => row(visit, /Customer 20\./).boundingBox();
    const before = await place();
    for (const at of [1, 2, 3]) await world.says(`c${at}`, 'again', { name: `Customer ${at}.` });
    await visit.page.getByRole('button', { name: '3 new' }).click({ trial: true });
    assert.deepEqual(await place(), before);
    await visit.page.getByRole('button', { name: '3 new' }).click();
    await row(visit, /Customer 3\..*again/).waitFor();
  },
});
