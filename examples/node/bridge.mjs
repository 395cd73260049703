/**
 * A bridge between Switchboard and a messenger of its own: a model of what an integration has to withstand.
 *
 * It answers a callback when it has stored it, and does the work afterwards: see `bridge_store.mjs` for the jobs and
 * `bridge_service.mjs` for the calls. The account is connected already: the environment has its scope id.
 *
 * Environment: the variables of scenario files; `SWITCHBOARD_CHANNEL_SECRET_NEXT` while the operator rotates the secret. The
 * journal is in `SWITCHBOARD_EXAM_DIRECTORY`, else in `STATE_DIRECTORY`, else in the current directory.
 *
 * On `PORT` of 127.0.0.1: a POST to any path is a callback, a GET the browser with `code`, or the uninstall hook. `/exam/…`
 * is the outside, the messenger of the exam, only with `SWITCHBOARD_EXAM_DIRECTORY`.
 */

import { createHash, randomUUID, timingSafeEqual } from 'node:crypto';
import http from 'node:http';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';

import { contentOf, isEdit, listFrom, messageOf, parseObject, partOf, plainText, textFrom, timeOf } from './bridge_forms.mjs';
import { Obstacle, checkContent } from './bridge_media.mjs';
import { Lost, Service, hmac } from './bridge_service.mjs';
import { Queue, Store, log } from './bridge_store.mjs';

const BODY_MAX = 4 << 20;
const DRAIN_MAX = 64 << 20;
const FAILURES_MAX = 5;
const DAY = 86_400_000;
const OTHER_ERROR = 905; // its text is for the account user

const hash = (data) => createHash('sha1').update(data).digest('hex');

function isEqual(right, given) {
  const [ours, theirs] = [Buffer.from(right), Buffer.from(given)];
  return ours.length === theirs.length && timingSafeEqual(ours, theirs);
}

class Bridge {
  #environment;
  #store;
  #service;
  #queues;
  #outsideDelay = 0;

  constructor(environment) {
    const { SWITCHBOARD_EXAM_DIRECTORY, STATE_DIRECTORY, SWITCHBOARD_CODE: code } = environment;
    this.#environment = environment;
    this.#store = new Store(join(SWITCHBOARD_EXAM_DIRECTORY || STATE_DIRECTORY || '.', 'bridge.jsonl'));
    this.#service = new Service(environment, this.#store);
    // A slow outside holds up none of the calls, and reports hold up no message.
    this.#queues = {
      delivery: new Queue(32, (job, tries) => this.#deliver(job, tries)),
      post: new Queue(7, (job, tries) => this.#post(job, tries)),
      report: new Queue(4, (job, tries) => this.#workOff(job, tries, `/${encodeURIComponent(job.lane)}/delivery_status`)),
      contact: new Queue(4, (job) => this.#updateContact(job)),
      installation: new Queue(1, (job) => this.#install(job)),
    };
    for (const job of this.#store.jobs.values()) this.#queues[job.kind].add(job);
    if (code && code !== this.#store.facts.get('first_code')) {
      this.#commit([['facts', 'first_code', code]], { kind: 'installation', lane: '', code });
    }
  }

  get #isInstalled() {
    return this.#store.facts.get('is_installed') ?? true;
  }

  /** Stores changes together with new jobs, which begin when they are on the disk. */
  async #commit(changes, ...newJobs) {
    const jobs = newJobs.map((job) => ({ id: randomUUID(), rank: 0, at: Date.now(), ...job }));
    await this.#store.commit(...changes, ...jobs.map((job) => ['jobs', job.id, job]));
    for (const job of jobs) this.#queues[job.kind].add(job);
  }

  /** Returns the status of the answer to a request, and its value. */
  async respond({ method, url, headers }, body) {
    const [path, query] = url.split('?', 2);
    if (this.#environment.SWITCHBOARD_EXAM_DIRECTORY && path.startsWith('/exam/')) {
      return this.#onExam(`${method} ${path}`, parseObject(body) ?? {});
    }
    if (method === 'POST') return [await this.#onCallback(headers, body)];
    return method === 'GET' ? this.#onBrowser(Object.fromEntries(new URLSearchParams(query))) : [405];
  }

  // Callbacks: nothing here waits for anything but the disk.

  async #onCallback(headers, body) {
    // The body as it came: another writer of JSON has other spaces and escapes.
    const matches = this.#service.secrets.map((secret) => isEqual(hmac('sha1', secret, body), headers['x-signature'] ?? ''));
    if (!matches.includes(true)) return 403;
    if (!/^application\/json\s*(;|$)/i.test(headers['content-type'])) return 415;
    const event = parseObject(body);
    if (!event) return 400;
    if (!this.#isInstalled || event.account_id !== this.#environment.SWITCHBOARD_ACCOUNT_ID) return 404;
    // Anything else is typing, a reaction, or what comes next: this messenger shows none of it.
    if (isEdit(event) || Object.keys(contentOf(event)).length > 0) await this.#take(event, headers, body);
    return 200;
  }

  /** Stores a callback and its job in one line of the journal: neither a kill nor a repeat can come between. */
  async #take(event, headers, body) {
    const { timestamp, msec_timestamp } = messageOf(event);
    const conversation = partOf(messageOf(event), 'conversation');
    const msgid = textFrom(contentOf(event).id) || headers['webhook-id'] || hash(body);
    // The same in each attempt, and another one for the next edit of the message.
    const version = isEdit(event) ? hash(JSON.stringify([plainText(contentOf(event)), timestamp, msec_timestamp])) : 'new';
    const identity = `${msgid} ${version}`;
    if (this.#store.callbacks.has(identity)) return this.#store.commit(); // The first one may be on its way to the disk.
    const lane = textFrom(conversation.id) || textFrom(conversation.client_id);
    return this.#commit([['callbacks', identity, Date.now()]], { kind: 'delivery', lane, rank: timeOf(event), msgid, event });
  }

  // The way to the customer.

  /** Shows the message, orders its report and ends the job in one line of the journal: a kill repeats all or nothing. */
  async #deliver({ id, msgid, event }, tries) {
    const over = ['jobs', id, null];
    const report = (outcome) => ({ kind: 'report', lane: msgid, body: JSON.stringify({ msgid, ...outcome }) });
    try {
      if (isEdit(event)) return await this.#commit([...this.#edit(msgid, event), over]);
      await checkContent(contentOf(event), tries, this.#service);
      await sleep(this.#outsideDelay);
      return await this.#commit([...this.#show(msgid, event), over], report({ delivery_status: 1 }));
    } catch (error) {
      if (error instanceof Lost || (!(error instanceof Obstacle) && tries < FAILURES_MAX)) throw error;
      return this.#commit([over], report({ delivery_status: -1, error_code: OTHER_ERROR, error: error.message }));
    }
  }

  #edit(msgid, event) {
    const message = this.#store.seen.get(msgid);
    if (message) return [['seen', msgid, { ...message, text: plainText(contentOf(event)) }]];
    log(`an edit of the message ${msgid}, which has not been here, is left`);
    return [];
  }

  #show(msgid, event) {
    const chat = this.#findChat(messageOf(event));
    const message = { msgid, conversation: chat.conversation, text: plainText(contentOf(event)) };
    return [['chats', chat.conversation, chat], ['seen', msgid, message]];
  }

  /** Returns the conversation. One that an account user has started gets a chat of its own outside. */
  #findChat(message) {
    const receiver = partOf(message, 'receiver');
    const { id, client_id } = partOf(message, 'conversation');
    const [ours, ref, phone] = [client_id, id, receiver.phone].map(textFrom);
    const chat = this.#store.chats.get(ours) ?? [...this.#store.chats.values()].find((it) => ref && it.ref === ref);
    return chat ?? {
      conversation: ours || `chat-${ref}`,
      customer: textFrom(receiver.client_id) || `customer-${textFrom(receiver.id) || ref}`,
      name: textFrom(receiver.name) || phone || 'Customer',
      phone,
      ref,
      customerRef: textFrom(receiver.id),
      isFromService: !ours,
    };
  }

  // The way to the service.

  /** Stores a message of a customer, its id and its exact body, before the first attempt to post it. */
  async #say(from, text) {
    const chats = [...this.#store.chats.values()];
    const names = ['conversation', 'customer', 'phone', 'name'];
    const chat = names.map((name) => chats.find((it) => it[name] === from)).find(Boolean) ??
      { conversation: `chat-${from}`, customer: from, name: from };
    const { conversation, customer, name, phone, ref, customerRef, isFromService } = chat;
    const now = Math.trunc(this.#service.now());
    const payload = {
      timestamp: Math.trunc(now / 1000),
      msec_timestamp: now,
      msgid: randomUUID(),
      conversation_id: conversation,
      conversation_ref_id: isFromService ? ref : undefined, // binds our ids to those of a conversation that a user started
      sender: { id: customer, ref_id: isFromService ? customerRef : undefined, name, profile: phone ? { phone } : undefined },
      message: { type: 'text', text },
    };
    const body = JSON.stringify({ event_type: 'new_message', payload });
    await this.#commit([['chats', conversation, chat]], { kind: 'post', lane: conversation, body });
  }

  #post(job, tries) {
    return this.#workOff(job, tries, '', (answer) => {
      const chat = this.#store.chats.get(job.lane);
      const ref = textFrom(partOf(answer.json, 'new_message').conversation_id);
      if (!ref || chat.hasContact) return [[]];
      return [[['chats', job.lane, { ...chat, ref, hasContact: true }]], { kind: 'contact', lane: job.lane }];
    });
  }

  /** Posts the body of the job. Without an answer, the queue repeats the same bytes, so the service stores them once. */
  async #workOff({ id, kind, lane, body, at }, tries, path, outcomeOf = () => [[]]) {
    if (!this.#isInstalled) return 1_000;
    const isLate = tries > 0 && Date.now() > at + DAY;
    const scope = `/v2/origin/custom/${this.#environment.SWITCHBOARD_SCOPE_ID}`;
    const answer = isLate ? undefined : (await this.#service.post(scope + path, body)).settled();
    if (!answer?.isDone) log(`a ${kind} of «${lane}» is left: ${answer ?? 'a day has passed'}`);
    const [changes, ...jobs] = answer?.isDone ? outcomeOf(answer) : [[]]; // as `#commit` takes them
    return this.#commit([...changes, ['jobs', id, null]], ...jobs);
  }

  /** The contact of a new customer gets the name and the telephone that the messenger knows. */
  async #updateContact({ id, lane }) {
    if (!this.#isInstalled || this.#service.isStopped) return 1_000;
    const { ref, name, phone } = this.#store.chats.get(lane);
    const path = '/api/v4/contacts';
    let answer = (await this.#service.accountCall('GET', `${path}/chats?chat_id=${encodeURIComponent(ref)}`)).settled();
    const [link] = listFrom(partOf(answer.json, '_embedded').chats);
    if (link) {
      const fields = phone ? [{ field_code: 'PHONE', values: [{ value: phone }] }] : undefined;
      const value = { name, custom_fields_values: fields };
      answer = (await this.#service.accountCall('PATCH', `${path}/${Number(link.contact_id)}`, value)).settled();
    }
    if (!answer.isDone) log(`the contact of «${lane}» is left: ${answer}`);
    return this.#commit([['jobs', id, null]]);
  }

  // Installing and uninstalling.

  async #onBrowser({ code, signature, account_id = '', client_uuid }) {
    if (signature !== undefined) return [await this.#onUninstall(account_id, client_uuid, signature)];
    if (!code) return [404];
    await this.#commit([], { kind: 'installation', lane: '', code });
    return [200, 'The bridge connects the account.'];
  }

  async #onUninstall(account, client, signature) {
    const { SWITCHBOARD_CLIENT_ID, SWITCHBOARD_CLIENT_SECRET } = this.#environment;
    if (!SWITCHBOARD_CLIENT_SECRET || client !== SWITCHBOARD_CLIENT_ID) return 403;
    if (!isEqual(hmac('sha256', SWITCHBOARD_CLIENT_SECRET, `${client}|${account}`), signature)) return 403;
    if (account === `${this.#service.accountNumber ?? account}`) {
      await this.#service.forgetAccount(['facts', 'is_installed', false], ['facts', 'exchanged_code', null]);
      log('the account has uninstalled the bridge: nothing is sent until it is installed again');
    }
    return 200;
  }

  /** Exchanges the code, once, and connects the account again if it had uninstalled the bridge. */
  async #install({ id, code }) {
    const isSpent = this.#store.facts.get('exchanged_code') === code;
    const grant = isSpent ? undefined : await this.#service.exchange(code);
    if (grant?.isDone === false) {
      log(`the account side has no tokens: the service refuses the code. ${grant}`);
      await sleep(1_000); // Strangers with codes must not use up the requests.
      return this.#commit([['jobs', id, null]]);
    }
    const answer = this.#isInstalled ? undefined : await this.#service.connect();
    if (answer?.isDone === false) throw new Lost(`the account is not connected: ${answer}`);
    return this.#commit([['facts', 'is_installed', true], ['jobs', id, null]]);
  }

  // The outside: a messenger that only the exam sees.

  async #onExam(target, { from, text, takes }) {
    if (target === 'GET /exam/seen') {
      const messages = [...this.#store.seen.values()];
      await this.#store.commit(); // It shows nothing that a kill could undo.
      return [200, messages];
    }
    if (target === 'POST /exam/outside' && takes >= 0) {
      this.#outsideDelay = Math.min(DAY, takes * 1000);
      return [200, {}];
    }
    if (target === 'POST /exam/say' && textFrom(from) && textFrom(text)) {
      await this.#say(textFrom(from), textFrom(text));
      return [201, {}];
    }
    return [404];
  }
}

/** Returns the whole body; `undefined` when it is too long. It is read all the same: else its sender would see no answer. */
async function readBody(request) {
  const chunks = [];
  let size = 0;
  for await (const chunk of request) {
    size += chunk.length;
    if (size > DRAIN_MAX) throw new Error('the body has no end');
    if (size <= BODY_MAX) chunks.push(chunk);
  }
  return size <= BODY_MAX ? Buffer.concat(chunks) : undefined;
}

let bridge;
// Longer than clients keep a connection that they do not use: else one would send a callback on it while it is closed.
const server = http.createServer({ keepAliveTimeout: 120_000 }, async (request, response) => {
  try {
    const body = await readBody(request);
    const [status, value] = body ? await bridge.respond(request, body) : [413];
    response.writeHead(status, { 'Content-Type': 'application/json' }).end(value && JSON.stringify(value));
  } catch (error) {
    log(`a request failed: ${error.message}`); // Its address is not in the log: it may have a code or a signature.
    response.writeHead(503).end(); // The sender tries again.
  }
});
// The journal is opened after the port: a second process fails before it touches the journal of the first.
server.listen({ port: Number(process.env.PORT ?? 9001), host: '127.0.0.1', backlog: 1024 }, () => {
  bridge = new Bridge(process.env);
});
