// A world of its own for each case: an account with an administrator, a channel that is connected to it, and a receiver
// of its callbacks. What it does, it does over the public interfaces.

import { createHash, createHmac, randomUUID } from 'node:crypto';
import { createServer } from 'node:http';

const PASSWORD = 'Secr3tive';

/** How often a request is sent at most to a service that is busy. */
const SENT_MAX = 30;

/** The answer of `fetch` and of the browser, as far as it says when to send a request again. */
const ofFetch = (answer) => ({ status: answer.status, wait: answer.headers.get('Retry-After') });
export const ofBrowser = (answer) => ({ status: answer.status(), wait: answer.headers()['retry-after'] ?? null });

/**
 * Sends a request until the service is not busy. A busy service answers 503, does nothing, and says when a client is to send the
 * request again: on a machine with much else to do it may be.
 */
export async function unlessBusy(send, read = ofFetch) {
  for (let sent = 1; ; sent += 1) {
    const answer = await send();
    const { status, wait } = read(answer);
    if (status !== 503 || wait === null || sent === SENT_MAX) return answer;
    await new Promise((wake) => setTimeout(wake, Number(wait) * 1000));
  }
}

/** Asks the service; whatever is not 2xx is an error that says what was answered. */
export async function ask(base, method, path, { token, body, headers = {}, form } = {}) {
  const given = { ...headers };
  if (token !== undefined) given.Authorization = `Bearer ${token}`;
  if (body !== undefined) given['Content-Type'] ??= 'application/json';
  const text = typeof body === 'string' || body === undefined ? body : JSON.stringify(body);
  const response = await unlessBusy(() => fetch(base + path, { method, headers: given, body: form ?? text }));
  const answer = await response.text();
  if (!response.ok) throw new Error(`${method} ${path}: ${response.status} ${answer}`);
  return answer === '' ? {} : JSON.parse(answer);
}

/** A receiver of callbacks that keeps them, and answers as it is told. */
export async function receiver() {
  const got = [];
  const state = { status: 200, headers: {}, text: '', waiting: [] };
  const server = createServer((request, response) => {
    const pieces = [];
    request.on('data', (piece) => pieces.push(piece));
    request.on('end', () => {
      const body = Buffer.concat(pieces).toString();
      got.push({ path: request.url, headers: request.headers, body });
      response.writeHead(state.status, state.headers);
      response.end(state.text);
      for (const wake of state.waiting.splice(0)) wake();
    });
  });
  await new Promise((done) => server.listen(0, '127.0.0.1', done));
  const { port } = server.address();
  return {
    url: (version) => `http://127.0.0.1:${port}/${version}/:scope_id`,
    got,
    answerWith: (status, headers = {}, text = '') => Object.assign(state, { status, headers, text }),
    /** Waits until so many have come. */
    async until(count) {
      while (got.length < count) await new Promise((wake) => state.waiting.push(wake));
      return got;
    },
    close: () => new Promise((done) => server.close(done) && server.closeAllConnections()),
  };
}

export class World {
  /** Makes one at a running service. */
  static async make(base, operator, { lang = 'en', name = 'Acme Sales', hooks = 'v2', user = 'Ann Miller' } = {}) {
    const world = new World();
    Object.assign(world, { base, operator, password: PASSWORD, said: 0, receiver: await receiver() });
    const account = { name, lang, plan: 'enterprise' };
    world.account = (await ask(base, 'POST', '/admin/v1/accounts', { token: operator, body: account })).id;
    world.admin = await world.user(user, { is_admin: true, lang });
    const channel = {
      name: 'tg-bot',
      webhook_v1: world.receiver.url('v1'),
      webhook_v2: world.receiver.url('v2'),
      accounts: [world.account],
    };
    world.channel = await ask(base, 'POST', '/admin/v1/channels', { token: operator, body: channel });
    const connect = { account_id: world.account, hook_api_version: hooks, title: 'Telegram' };
    const connected = await world.signed(`/v2/origin/custom/${world.channel.id}/connect`, connect);
    world.scope = connected.scope_id;
    return world;
  }

  /** Makes a user of the account, with a password and a token. */
  async user(name, fields = {}) {
    const at = `/admin/v1/accounts/${this.account}/users`;
    const email = `${name.toLowerCase().replaceAll(/[^a-z]/g, '.')}.${randomUUID().slice(0, 8)}@example.com`;
    const body = { name, email, password: PASSWORD, ...fields };
    const made = await ask(this.base, 'POST', at, { token: this.operator, body });
    const token = await ask(this.base, 'POST', `${at}/${made.id}/tokens`, {
      token: this.operator,
      body: { name: 'tests' },
    });
    return { id: made.id, name, email, password: PASSWORD, token: token.token ?? token.secret };
  }

  /** A group of users of the account. */
  group(name) {
    return ask(this.base, 'POST', `/admin/v1/accounts/${this.account}/groups`, { token: this.operator, body: { name } });
  }

  /** Posts to the chat interface as the channel's integration. */
  signed(path, body, secret = this.channel.secret) {
    const text = JSON.stringify(body);
    const signature = createHmac('sha1', secret).update(text).digest('hex');
    return ask(this.base, 'POST', path, { body: text, headers: { 'X-Signature': signature } });
  }

  /** A customer writes. Gives the service's ids of message and conversation. */
  async says(conversation, text, { message, silent = false, name, sender = {}, at, receiver: to } = {}) {
    this.said += 1;
    const payload = {
      timestamp: at ?? Math.floor(Date.now() / 1000),
      msgid: `m-${this.said}`,
      conversation_id: conversation,
      sender: {
        id: `u-${conversation}`,
        name: name ?? conversation,
        avatar: 'https://images.example.com/avatar.png',
        ...sender,
      },
      message: message ?? { type: 'text', text },
      silent,
    };
    if (to !== undefined) payload.receiver = to;
    const answer = await this.signed(`/v2/origin/custom/${this.scope}`, { event_type: 'new_message', payload });
    return { ...answer.new_message, ...answer, msgid: payload.msgid };
  }

  /** Reports what became of an account user's message: 1 delivered, 2 read, -1 failed. */
  reports(message, status, error = {}) {
    const body = { msgid: message, delivery_status: status, ...error };
    return this.signed(`/v2/origin/custom/${this.scope}/${message}/delivery_status`, body);
  }

  /** A customer is writing; signed as today's clients do. */
  typing(conversation, milliseconds = 60_000) {
    const path = `/v2/origin/custom/${this.scope}/typing`;
    const body = JSON.stringify({
      conversation_id: conversation,
      sender: { id: `u-${conversation}` },
      duration_ms: milliseconds,
    });
    const [type, date] = ['application/json', new Date().toUTCString()];
    const md5 = createHash('md5').update(body).digest('hex');
    const signed = ['POST', md5, type, date, path].join('\n');
    const signature = createHmac('sha1', this.channel.secret).update(signed).digest('hex');
    const headers = { 'Content-Type': type, Date: date, 'Content-MD5': md5, 'X-Signature': signature };
    return ask(this.base, 'POST', path, { body, headers });
  }

  /** As the account's administrator, or somebody else's token. */
  api(method, path, { body, form, token = this.admin.token, headers } = {}) {
    return ask(this.base, method, path, { token, body, form, headers });
  }

  operatorApi(method, path, body) {
    return ask(this.base, method, path, { token: this.operator, body });
  }

  async replies(conversation, text) {
    return await this.api('POST', `/inbox/v1/conversations/${conversation}/messages`, { body: { type: 'text', text } });
  }
}
