/** A customer, who writes through the integration's channel. */
export class Customer {
  #api;
  #path;

  /**
   * @param {import('./api.js').Api} api
   * @param {string} world the path of the world
   * @param {string} name
   */
  constructor(api, world, name) {
    this.#api = api;
    this.#path = `${world}/customers/${encodeURIComponent(name)}`;
    this.name = name;
  }

  /**
   * Posts a message of the customer, signed as an integration does it.
   * @param {string} text
   * @returns {Promise<{ msgid: string, messageId: string, conversationId: string }>}
   */
  says(text) {
    return this.#api.json('POST', `${this.#path}/say`, { body: { text } });
  }

  /**
   * The messages of the customer's conversations, oldest first.
   * @returns {Promise<import('./world.js').Message[]>}
   */
  async messages() {
    return (await this.#api.json('GET', `${this.#path}/messages`)).messages;
  }
}

/** A user of the account, who answers customers. */
export class User {
  #api;
  #path;

  /**
   * @param {import('./api.js').Api} api
   * @param {string} world the path of the world
   * @param {string} name
   */
  constructor(api, world, name) {
    this.#api = api;
    this.#path = `${world}/users/${encodeURIComponent(name)}`;
    this.name = name;
  }

  /**
   * Answers a customer. A callback carries the answer to the integration.
   * @param {string} text
   * @param {{ to?: string }} [options] without `to`: the customer who wrote last
   * @returns {Promise<{ messageId: string, conversationId: string }>}
   */
  replies(text, { to } = {}) {
    return this.#api.json('POST', `${this.#path}/reply`, { body: { text, customer: to } });
  }
}
