/**
 * The calls of the bridge to the service: signed ones of the chat interface, and those of the account side with OAuth tokens.
 *
 * Everything that leaves goes through `#send`: at most seven requests in a second, and none while the service wants a pause.
 */

import { createHash, createHmac } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';

import { parseObject } from './bridge_forms.mjs';
import { log } from './bridge_store.mjs';

const PER_SECOND = 7;
// In milliseconds. An OAuth code works once: if its answer is given up, an administrator has to agree again.
const TIMEOUT = 30_000;
const PAUSE_MAX = 300_000;
const RETRY_AFTER_MAX = 3_600_000;
const CLOCK_TOLERANCE = 60_000;
const TOKEN_AGE_MIN = 30_000;
const [STOP_MIN, STOP_MAX] = [65_000, 3_600_000];
const SECRET_GRACE = 86_400_000;
const JSON_TYPE = 'application/json';
// The refusals that are about tokens, secrets, times or the state of the service, and not about this very request.
const PASSING = [401, 402, 403, 408, 425, 429];

/** No whole answer: the service may have done what it was asked for, or not. */
export class Lost extends Error {}

export const hmac = (algorithm, key, data) => createHmac(algorithm, key).update(data).digest('hex');

const bearer = (access) => () => ({ Authorization: `Bearer ${access}` });

class Answer {
  constructor(status, headers, text) {
    const type = headers.get('Content-Type') ?? '';
    Object.assign(this, { status, headers, text, isJson: type.includes('json'), isPage: type.includes('html') });
    this.json = (this.isJson && parseObject(text)) || {}; // A page of a gateway is never parsed.
  }

  get isDone() {
    return this.status < 300 && !this.isPage;
  }

  /** Returns the answer if it is final: done, or refused. Throws `Lost` if a repeat may help. */
  settled() {
    const isRefused = this.status >= 400 && this.status < 500 && !PASSING.includes(this.status);
    if (!this.isDone && !isRefused) throw new Lost(`the service answers ${this}`);
    return this;
  }

  /** The minutes by which the service finds the date of the request ahead, as its hint says; `undefined` if it does not. */
  get minutesAhead() {
    const match = this.status === 403 && /Date is (\d+) minutes (ahead|behind)/.exec(this.json.hint);
    return match ? Number(match[1]) * (match[2] === 'ahead' ? 1 : -1) : undefined;
  }

  toString() {
    return this.isJson ? `${this.status} ${this.text.slice(0, 300)}` : `${this.status} (no JSON)`;
  }
}

export class Service {
  #environment;
  #store;
  #url;
  #tokens;
  #slots = PER_SECOND;
  #slotQueue = [];
  #opensAt = 0;
  #blocks = 0;
  #trial;
  #offset = 0;
  #loggedOffset = 0;
  #renewal;
  #renewedAt = -TOKEN_AGE_MIN;
  #refusals = 0;

  constructor(environment, store) {
    this.#environment = environment;
    this.#store = store;
    this.#url = environment.SWITCHBOARD_URL.replace(/\/$/, '');
    this.#tokens = store.facts.get('tokens');
    this.secrets = this.#readSecrets(); // The first one signs.
  }

  /** A rotation makes two secrets valid, so one that has gone from the environment is kept for a day. */
  #readSecrets() {
    const names = ['SWITCHBOARD_CHANNEL_SECRET', 'SWITCHBOARD_CHANNEL_SECRET_NEXT'];
    const secrets = names.map((name) => this.#environment[name]).filter(Boolean);
    let memory = this.#store.facts.get('secrets');
    if (memory?.secrets.join() !== secrets.join()) {
      memory = { secrets, before: memory?.secrets ?? [], changedAt: Date.now() };
      this.#store.commit(['facts', 'secrets', memory]);
    }
    return [...new Set([...secrets, ...(Date.now() < memory.changedAt + SECRET_GRACE ? memory.before : [])])];
  }

  // Every request.

  /** Returns whether an address is one of the service. */
  has(address) {
    return address.startsWith(`${this.#url}/`);
  }

  /** Waits until another request may leave. A file of the service counts too. */
  async takeSlot() {
    await this.#slot();
    this.#freeSlot();
  }

  async #slot() {
    if (this.#slots > 0) this.#slots -= 1;
    else await new Promise((resolve) => this.#slotQueue.push(resolve));
  }

  /** Frees a slot a second after its request: so no second at the service has more requests, however slow the way is. */
  #freeSlot() {
    setTimeout(() => {
      if (this.#slotQueue.length > 0) this.#slotQueue.shift()();
      else this.#slots += 1;
    }, 1_000);
  }

  /** Returns the whole answer, whatever its status, or throws `Lost`. `headersNow` is called when the request leaves. */
  async #send(method, path, body, headersNow = () => ({})) {
    await this.#slot();
    try {
      while (this.#trial || performance.now() < this.#opensAt) {
        await (this.#trial ?? sleep(this.#opensAt - performance.now()));
      }
      const request = this.#request(method, path, body, { 'Content-Type': JSON_TYPE, ...headersNow() });
      // One request tries whether a pause is over, and the others wait for its answer.
      if (this.#blocks > 0) this.#trial = request.catch(() => {}).finally(() => (this.#trial = undefined));
      return await request;
    } finally {
      this.#freeSlot();
    }
  }

  async #request(method, path, body, headers) {
    let answer;
    try {
      // A signed request is valid at one address, so it follows no redirect.
      const options = { redirect: 'manual', signal: AbortSignal.timeout(TIMEOUT) };
      const response = await fetch(this.#url + path, { method, body, headers, ...options });
      answer = new Answer(response.status, response.headers, await response.text());
    } catch (error) {
      throw new Lost(`no answer: ${error.cause?.message ?? error.message}`);
    }
    this.#watchClock(answer);
    this.#watchGate(answer);
    return answer;
  }

  #watchGate(answer) {
    // The account is unpaid, or this address may send nothing at all.
    const isBlocked = answer.status === 402 || (answer.status === 403 && !answer.isJson);
    const pause = isBlocked ? Math.min(PAUSE_MAX, 3_000 * 2 ** this.#blocks) : this.#retryAfter(answer);
    if (pause <= 0) {
      this.#blocks = 0;
    } else if (performance.now() >= this.#opensAt) {
      this.#blocks += 1; // Once for all requests that were under way.
      log(`no requests for ${Math.round(pause / 1000)} s: the service answers ${answer}`);
    }
    this.#opensAt = Math.max(this.#opensAt, performance.now() + pause);
  }

  /** Returns the milliseconds that the service wants to be left alone. */
  #retryAfter({ status, headers }) {
    const value = (status === 429 || status === 503) && headers.get('Retry-After');
    if (!value) return 0;
    const pause = /^\d+$/.test(value) ? Number(value) * 1000 : Date.parse(value) - this.now();
    return Math.min(RETRY_AFTER_MAX, pause || 0);
  }

  /** The time by the clock of the service. */
  now() {
    return Date.now() + this.#offset;
  }

  /** Goes by the clock of the service if that of this machine is wrong, and says so. */
  #watchClock(answer) {
    const ahead = Date.parse(answer.headers.get('Date')) - Date.now();
    let offset = Number.isNaN(ahead) ? this.#offset : ahead;
    if (Math.abs(offset) <= CLOCK_TOLERANCE) offset = 0;
    if (answer.minutesAhead !== undefined && Math.abs(offset - this.#offset) < CLOCK_TOLERANCE) {
      offset = this.#offset - answer.minutesAhead * 60_000; // The header is not from the clock that judges.
    }
    if (Math.abs(offset - this.#loggedOffset) > CLOCK_TOLERANCE) {
      log(`the clock of this machine differs by ${Math.round(offset / 1000)} s from that of the service: set it`);
      this.#loggedOffset = offset;
    }
    this.#offset = offset;
  }

  // The chat interface.

  /** Posts with a signature of the current form, and returns the answer. */
  async post(path, body) {
    const [secret] = this.secrets;
    const answer = await this.#send('POST', path, body, () => {
      const [md5, date] = [createHash('md5').update(body).digest('hex'), new Date(this.now()).toUTCString()];
      const signature = hmac('sha1', secret, ['POST', md5, JSON_TYPE, date, path].join('\n'));
      return { 'Content-MD5': md5, Date: date, 'X-Signature': signature };
    });
    if (answer.status === 403 && answer.isJson && answer.minutesAhead === undefined) {
      log(`the service refuses the signature: ${answer}`);
      if (this.secrets[0] === secret) this.secrets.push(this.secrets.shift()); // The rotation is over.
    }
    return answer;
  }

  /** Connects the account to the channel; repeating it is harmless. */
  connect() {
    const { SWITCHBOARD_CHANNEL_ID: channel, SWITCHBOARD_ACCOUNT_ID: account_id } = this.#environment;
    const body = JSON.stringify({ account_id, title: 'Bridge', hook_api_version: 'v2' });
    return this.post(`/v2/origin/custom/${channel}/connect`, body);
  }

  // The account side.

  /** Returns the answer. After a 401 it renews the tokens, and repeats the call once. */
  async accountCall(method, path, value) {
    const access = this.#access();
    const body = value && JSON.stringify(value);
    const answer = await this.#send(method, path, body, bearer(access));
    if (answer.status !== 401) return answer;
    await this.#renew(access);
    return this.#send(method, path, body, bearer(this.#access()));
  }

  /** True while the account side has no valid tokens, until a person has consented again. */
  get isStopped() {
    return !this.#tokens || Date.now() < (this.#store.facts.get('stopped_until') ?? 0);
  }

  #access() {
    if (this.isStopped) throw new Lost('the account side has stopped');
    return this.#tokens.access_token;
  }

  /** Gets tokens that are newer than `access`, with one refresh for all calls that got 401: a refresh token is valid once. */
  async #renew(access) {
    if (this.#access() !== access) return;
    this.#renewal ??= this.#refresh().finally(() => (this.#renewal = undefined));
    await this.#renewal;
  }

  async #refresh() {
    if (performance.now() < this.#renewedAt + TOKEN_AGE_MIN) throw new Lost('a new token is refused');
    const answer = await this.#requestTokens({ grant_type: 'refresh_token', refresh_token: this.#tokens.refresh_token });
    if (!answer.isDone) return this.#stopAccount(answer);
    await this.#keepTokens(answer.json);
    this.#renewedAt = performance.now();
  }

  /** Exchanges a code for the first tokens. Returns the answer, which may be a refusal. */
  async exchange(code) {
    const grant = { grant_type: 'authorization_code', code, redirect_uri: this.#environment.SWITCHBOARD_REDIRECT_URI };
    const answer = await this.#requestTokens(grant);
    if (answer.isDone) await this.#keepTokens(answer.json, ['facts', 'exchanged_code', code]);
    return answer;
  }

  /** Returns new tokens or a refusal. Throws `Lost` after anything that may pass by itself. */
  async #requestTokens(grant) {
    const { SWITCHBOARD_CLIENT_ID: client_id, SWITCHBOARD_CLIENT_SECRET: client_secret } = this.#environment;
    const answer = await this.#send('POST', '/oauth2/access_token', JSON.stringify({ client_id, client_secret, ...grant }));
    return answer.json.error === 'invalid_client' ? answer : answer.settled();
  }

  /** Stores the tokens before they are used: the old refresh token is spent, and a kill must not lose the new one. */
  async #keepTokens({ access_token, refresh_token }, ...changes) {
    if (!access_token || !refresh_token) throw new Lost('the answer has no tokens');
    const tokens = { access_token, refresh_token };
    await this.#store.commit(['facts', 'tokens', tokens], ['facts', 'stopped_until', 0], ...changes);
    this.#tokens = tokens;
    this.#refusals = 0;
  }

  async #stopAccount(answer) {
    log(`the account side stops: its tokens are refused, and an administrator has to consent again. ${answer}`);
    const pause = Math.min(STOP_MAX, STOP_MIN * 2 ** this.#refusals);
    this.#refusals += 1;
    await this.#store.commit(['facts', 'stopped_until', Date.now() + pause]);
    throw new Lost('the account side has stopped');
  }

  /** The number of the account, from the claims of its access token, which came from the service itself. */
  get accountNumber() {
    const claims = this.#tokens?.access_token.split('.')[1] ?? '';
    return parseObject(Buffer.from(claims, 'base64url').toString())?.account_id;
  }

  /** Forgets the tokens, together with other changes. */
  async forgetAccount(...changes) {
    this.#tokens = undefined;
    await this.#store.commit(['facts', 'tokens', null], ...changes);
  }
}
