import { secondsOf } from './values.js';

/**
 * @typedef {object} HabitOptions
 * @property {import('./values.js').Duration} after how long after a message has arrived, in the time of the world
 * @property {number} [times] how often, until it is ended if absent
 */

/** A person of a world, who can have habits. */
class Person {
  #api;
  #path;

  /**
   * @param {import('./api.js').Api} api
   * @param {string} role the path of the world, and what people like this one are called there
   * @param {string} name
   */
  constructor(api, role, name) {
    this.#api = api;
    this.#path = `${role}/${encodeURIComponent(name)}`;
    this.name = name;
  }

  /**
   * A habit: from now on, answers each message.
   * @param {string} text
   * @param {HabitOptions} options
   */
  answers(text, options) {
    return this.keeps('answers', options, { text });
  }

  /**
   * A habit: from now on, reads each message.
   * @param {HabitOptions} options
   */
  reads(options) {
    return this.keeps('reads', options);
  }

  /** Ends the habits, with what is due of them. */
  async endHabits() {
    await this.order('DELETE', 'habits');
  }

  /**
   * Sends an order about this person.
   * @protected
   * @param {string} method
   * @param {string} what
   * @param {object} [body]
   */
  order(method, what, body) {
    return this.#api.json(method, `${this.#path}/${what}`, body === undefined ? {} : { body });
  }

  /**
   * @protected
   * @param {string} what
   * @param {HabitOptions} options
   * @param {{ text?: string, seconds?: number }} [more]
   */
  async keeps(what, { after, times }, more) {
    await this.order('PUT', 'habits', { do: what, after: secondsOf(after), times, ...more });
  }
}

/** A customer, who writes through the integration's channel. */
export class Customer extends Person {
  /**
   * @param {import('./api.js').Api} api
   * @param {string} world the path of the world
   * @param {string} name
   */
  constructor(api, world, name) {
    super(api, `${world}/customers`, name);
  }

  /**
   * Posts a message of the customer, signed as an integration does it.
   * @param {string} text
   * @returns {Promise<{ msgid: string, messageId: string, conversationId: string }>}
   */
  says(text) {
    return this.order('POST', 'say', { text });
  }

  /**
   * The messages of the customer's conversations, oldest first.
   * @returns {Promise<import('./world.js').Message[]>}
   */
  async messages() {
    return (await this.order('GET', 'messages')).messages;
  }
}

/** A user of the account, who answers customers. */
export class User extends Person {
  /**
   * @param {import('./api.js').Api} api
   * @param {string} world the path of the world
   * @param {string} name
   */
  constructor(api, world, name) {
    super(api, `${world}/users`, name);
  }

  /**
   * Answers a customer. A callback carries the answer to the integration.
   * @param {string} text
   * @param {{ to?: string }} [options] without `to`: the customer who wrote last
   * @returns {Promise<{ messageId: string, conversationId: string }>}
   */
  replies(text, { to } = {}) {
    return this.order('POST', 'reply', { text, customer: to });
  }

  /**
   * A habit: from now on, becomes responsible for the conversation of each message.
   * @param {HabitOptions} options
   */
  takesOver(options) {
    return this.keeps('takes_over', options);
  }

  /**
   * A habit: from now on, writes a note for the team about each message.
   * @param {string} text
   * @param {HabitOptions} options
   */
  notes(text, options) {
    return this.keeps('notes', options, { text });
  }

  /**
   * A habit: from now on, snoozes the conversation of each message for a time, or until the customer writes.
   * @param {import('./values.js').Duration} time
   * @param {HabitOptions} options
   */
  snoozes(time, options) {
    return this.keeps('snoozes', options, { seconds: secondsOf(time) });
  }

  /**
   * Consents that the OAuth client of the world acts for the account. The code is valid for 20 minutes of the world's time,
   * once.
   * @returns {Promise<{ code: string, location: string }>} the code, and where the browser would go with it
   */
  consents() {
    return this.order('POST', 'consent', {});
  }
}
