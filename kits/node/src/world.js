import { WaitError } from './errors.js';
import { runIn } from './failure.js';
import { Customer, User } from './people.js';
import { Program } from './tested.js';
import { camelNames, secondsOf } from './values.js';

/**
 * How time passes. `skip`: while the test waits and nothing is under way, time jumps to the next timer. `frozen`: only by
 * `advance`. `real`: as outside.
 * @typedef {'skip' | 'frozen' | 'real'} ClockMode
 *
 * @typedef {{ mode: ClockMode, now: string, nowMs: number }} Clock
 *
 * @typedef {object} WorldState
 * @property {string} id
 * @property {string | null} name
 * @property {number} seed
 * @property {Clock} clock
 * @property {string} baseUrl
 * @property {{ id: string, subdomain: string }} account
 * @property {{ id: string, secret: string }} channel
 * @property {string} scopeId
 * @property {OauthClient} oauthClient
 * @property {{ name: string, token: string }[]} users
 * @property {string | null} [webhook]
 * @property {string} endsAt
 *
 * The OAuth client of a world. The code is valid for 20 minutes of the world's time, once.
 * @typedef {{ id: string, secret: string, redirectUri: string, code: string }} OauthClient
 *
 * @typedef {object} Habit
 * @property {string} [customer] who has it
 * @property {string} [user] who has it
 * @property {'answers' | 'reads'} do
 * @property {number} after in seconds
 * @property {string} [text] of `answers`
 * @property {number | null} left how often it is kept yet; null: until it is ended
 *
 * @typedef {{ id: string, direction: 'in' | 'out', text: string }} Message
 *
 * @typedef {object} JournalEntry
 * @property {number} cursor
 * @property {string} at
 * @property {'request' | 'callback' | 'hook' | 'question' | 'note'} kind
 * @property {string} what of a request: its method and path; of a callback, a hook or a question: its address
 * @property {number} [status] of a request
 * @property {string} [request] of a request: its body
 * @property {string} [answer] of a request: the body of the answer
 * @property {string} [messageId] of a callback
 * @property {number} [attempt] of a callback, a hook or a question
 * @property {string} [outcome] of a callback, a hook or a question, for example `answered 200`
 * @property {string} [fault] of a callback, a hook or a question: the fault that has struck it
 * @property {string} [body] of a callback or a question
 * @property {number} [bot] of a question: the salesbot that asks it
 * @property {number} [run] of a question: the same in every attempt
 * @property {boolean} [taken] of a question: whether the program has taken it
 * @property {string} [code] of a hook: its event, such as `add_message`
 * @property {string} [requestId] of a hook: the same in every attempt
 * @property {string} [form] of a hook, as it was sent
 * @property {any} [item] of a hook: what its form says, all values as texts
 * @property {string} [who] of a note
 *
 * @typedef {'callback.delivered' | 'callback.failed' | 'callback.attempt' | 'hook.delivered' | 'hook.failed'
 *   | 'hook.attempt' | 'question.attempt' | 'question.asked' | 'question.answered' | 'request.seen' | 'delivery>=delivered' | 'delivery>=read' | 'lead.stage' | 'quiet'} Until
 *
 * A world at a moment. `restore` goes back to it and ends the ordered faults; `fork` makes another world that goes on from it.
 * @typedef {object} Snapshot
 * @property {string} id
 * @property {() => Promise<void>} restore
 * @property {() => Promise<World>} fork
 *
 * @typedef {object} WaitOptions
 * @property {number} [count] how many entries, 1 if absent
 * @property {string} [message] only callbacks of the message with this id
 * @property {string} [match] only entries that contain this text: method and path of a request, body of a callback, code and form of a hook, or a question or its answer
 * @property {number} [stage] for `lead.stage`: the number of a status
 * @property {import('./values.js').Duration} [timeout] in the time of the world, one hour if absent
 * @property {number} [after] only entries after this cursor
 *
 * @typedef {{ answers: 'status' | 'rate_limited' | 'token_expired' | 'account_unpaid' | 'over_chat_limit'
 *     | 'bad_gateway_html' | 'ip_blocked_html' | 'slow' | 'truncated' | 'clock_ahead' | 'clock_behind'
 *     | 'lost_before_commit' | 'lost_after_commit',
 *   media: 'status' | 'slow' | 'truncated' | 'wrong_type',
 *   oauth: 'revoked' | 'refresh_race',
 *   callbacks: 'status' | 'drop' | 'delay' | 'reorder' | 'answer_lost' | 'duplicate' | 'twice_at_once' | 'bad_signature'
 *     | 'old_secret' | 'other_scope' | 'unknown_field' | 'unknown_type' | 'huge' | 'split' | 'drip',
 *   hooks: 'status' | 'drop' | 'late' | 'reordered' | 'answer_lost' | 'duplicate' | 'twice_at_once' | 'other_account',
 *   questions: 'status' | 'drop' | 'late' | 'answer_lost' | 'duplicate' | 'twice_at_once',
 *   engine: 'disk_full' | 'power_cut' | 'slow_sync' }} Faults
 *
 * @typedef {object} Webhook
 * @property {number} id
 * @property {string | null} url null: the receiver in memory
 * @property {string[]} settings
 * @property {boolean} disabled
 *
 * @typedef {object} FaultOptions
 * @property {number} [times] how often it happens, once if absent
 * @property {string} [match] only where method and path, or the body of a callback, a hook or a question, contain this text
 * @property {number} [status] of the fault `status`
 * @property {number} [retryAfter] of `rate_limited`, in seconds
 * @property {number} [seconds] of `slow_sync`, `slow`, `delay`, `late` and `drip`
 * @property {number} [probability] more than 0 and at most 1; each time if absent
 * @property {number} [seed] selects when a fault with a probability happens
 *
 * @typedef {object} Fault
 * @property {number} id
 * @property {string} on
 * @property {string} do
 * @property {number | null} left how often it still happens; null: until `endFaults`
 * @property {number | null} probability
 * @property {string | null} match
 */

/** Seconds until a request that waits in the world fails. */
const WAIT_TIMEOUT = 60;

/** A whole Switchboard in memory: an account, a channel with a connected scope, people, a clock and faults. */
export class World {
  #api;
  #path;
  /** @type {Program[]} */
  #programs = [];

  /**
   * @param {import('./api.js').Api} api
   * @param {WorldState} state
   */
  constructor(api, state) {
    this.#api = api;
    this.#path = `/worlds/${encodeURIComponent(state.id)}`;
    this.id = state.id;
    this.name = state.name;
    this.seed = state.seed;
    this.baseUrl = state.baseUrl;
    this.account = state.account;
    this.channel = state.channel;
    this.scopeId = state.scopeId;
    this.oauthClient = state.oauthClient;
    this.users = state.users;
    this.webhook = state.webhook ?? null;
    this.endsAt = state.endsAt;
  }

  /** @param {string} name the integration's id of the customer */
  customer(name) {
    return new Customer(this.#api, this.#path, name);
  }

  /** @param {string} name a user who acts for the first time becomes an administrator of the account */
  user(name) {
    return new User(this.#api, this.#path, name);
  }

  /**
   * The messages of a customer, oldest first.
   * @param {string} customer
   */
  messages(customer) {
    return this.customer(customer).messages();
  }

  /** @returns {Promise<Habit[]>} the habits that people have */
  async habits() {
    return (await this.#api.json('GET', `${this.#path}/habits`)).habits;
  }

  async endHabits() {
    await this.#api.json('DELETE', `${this.#path}/habits`);
  }

  /** @returns {Promise<Clock>} */
  async clock() {
    return (await this.#api.json('GET', this.#path)).clock;
  }

  /**
   * @param {ClockMode} mode
   * @returns {Promise<Clock>}
   */
  setClock(mode) {
    return this.#api.json('POST', `${this.#path}/clock`, { body: { mode } });
  }

  /**
   * Moves the clock forward. Every timer on the way fires.
   * @param {import('./values.js').Duration} duration
   * @returns {Promise<Clock>}
   */
  async advance(duration) {
    const body = { seconds: secondsOf(duration) };
    return this.#api.json('POST', `${this.#path}/advance`, { body, timeout: WAIT_TIMEOUT });
  }

  /**
   * Waits until something has happened; throws a `WaitError` when it cannot happen any more.
   * @param {Until} until
   * @param {WaitOptions} [options]
   * @returns {Promise<{ cursor: number, entries: JournalEntry[] }>} the entries of the journal that met it
   */
  async wait(until, options = {}) {
    const { timeout, ...others } = options;
    const query = { until, ...others, ...(timeout === undefined ? {} : { timeout: secondsOf(timeout) }) };
    const answer = await this.#api.json('GET', `${this.#path}/wait`, { query, timeout: WAIT_TIMEOUT });
    const { met, cursor, entries = [], why = '', near = [] } = answer;
    if (met) return { cursor, entries };
    const shown = Object.keys(options).length > 0 ? `, ${JSON.stringify(options)}` : '';
    throw new WaitError(`wait('${until}'${shown})`, why, near, cursor);
  }

  /**
   * Sets where callbacks are sent.
   * @param {string | null} url null: a receiver in memory answers 200
   */
  async setWebhook(url) {
    const state = await this.#api.json('PUT', `${this.#path}/webhook`, { body: { url } });
    this.webhook = state.webhook ?? null;
  }

  /**
   * Subscribes an address to events of the account. A program may do so by itself.
   * @param {string | null} [url] null: a receiver in memory answers 200
   * @param {string[]} [settings] the events, such as `add_message`; all if absent
   */
  async subscribe(url = null, settings) {
    await this.#api.json('PUT', `${this.#path}/hooks`, { body: { url, settings } });
  }

  /** @returns {Promise<Webhook[]>} the webhooks of the account */
  async hooks() {
    return (await this.#api.json('GET', this.#path)).hooks;
  }

  /** Ends all webhooks of the account. */
  async endHooks() {
    await this.#api.json('DELETE', `${this.#path}/hooks`);
  }

  /**
   * Waits for hooks, as `wait` does.
   * @param {string} [code] their event, such as `add_message`, or a text in their form
   * @param {WaitOptions & { state?: 'delivered' | 'failed' | 'attempt' }} [options] delivered, if absent
   */
  waitForHook(code, { state = 'delivered', ...options } = {}) {
    return this.wait(`hook.${state}`, code === undefined ? options : { ...options, match: code });
  }

  /**
   * Makes something go wrong.
   * @template {keyof Faults} On
   * @param {On} on the answers of the service, its files, its tokens, its callbacks, its hooks, its questions, or its engine
   * @param {Faults[On]} what
   * @param {FaultOptions} [options]
   * @returns {Promise<Fault>}
   */
  fault(on, what, options) {
    return this.#api.json('POST', `${this.#path}/faults`, { body: { ...options, on, do: what } });
  }

  /** @returns {Promise<Fault[]>} the faults that have not ended */
  async faults() {
    return (await this.#api.json('GET', `${this.#path}/faults`)).faults;
  }

  async endFaults() {
    await this.#api.json('DELETE', `${this.#path}/faults`);
  }

  /**
   * What happened, oldest first.
   * @param {{ after?: number }} [options]
   * @returns {Promise<JournalEntry[]>}
   */
  async journal({ after } = {}) {
    const text = await this.#api.text('GET', `${this.#path}/journal`, { query: { after } });
    const lines = text.split('\n').filter((line) => line !== '');
    return lines.map((line) => camelNames(JSON.parse(line)));
  }

  /**
   * The journal for people, one line for each entry.
   * @param {{ after?: number }} [options]
   */
  journalText({ after } = {}) {
    return this.#api.text('GET', `${this.#path}/journal`, { query: { after, form: 'text' } });
  }

  /**
   * Stops the service of the world in order, and starts it again on its data.
   * @returns {Promise<Clock>}
   */
  restart() {
    return this.#api.json('POST', `${this.#path}/restart`, { body: {} });
  }

  /**
   * Keeps the world as it is now; a world has at most 20 snapshots.
   * @returns {Promise<Snapshot>}
   */
  async snapshot() {
    const { id } = await this.#api.json('POST', `${this.#path}/snapshots`, { body: {} });
    const path = `${this.#path}/snapshots/${encodeURIComponent(id)}`;
    return {
      id,
      restore: async () => void (await this.#api.json('POST', `${path}/restore`, { body: {} })),
      fork: async () => new World(this.#api, await this.#api.json('POST', `${path}/fork`, { body: {} })),
    };
  }

  /**
   * Starts the tested program, waits until it accepts connections on PORT, and sends the callbacks to it. It gets the variables
   * of scenario files, and ends with the world.
   * @param {string[]} command the program and its arguments
   * @param {import('./tested.js').ProgramOptions} [options]
   * @returns {Promise<Program>}
   */
  async program(command, options) {
    const program = await Program.start(this, command, options ?? {});
    this.#programs.push(program);
    await this.setWebhook(program.url);
    return program;
  }

  /** The tested programs that were started in this world. */
  get programs() {
    return [...this.#programs];
  }

  /** Ends the tested programs and the world. */
  async end() {
    await Promise.all(this.#programs.map((program) => program.stop()));
    await this.#api.json('DELETE', this.#path);
  }

  /**
   * Runs a test in this world and ends the world. When the test fails, its error contains the journal.
   * @template T
   * @param {(world: World) => T | Promise<T>} body
   * @returns {Promise<T>}
   */
  run(body) {
    return runIn(this, body);
  }
}
