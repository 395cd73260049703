/** A customer, who writes through the integration's channel. */
export declare class Customer {
    #private;
    name: string;
    /**
     * @param {import('./api.js').Api} api
     * @param {string} world the path of the world
     * @param {string} name
     */
    constructor(api: import('./api.js').Api, world: string, name: string);
    /**
     * Posts a message of the customer, signed as an integration does it.
     * @param {string} text
     * @returns {Promise<{ msgid: string, messageId: string, conversationId: string }>}
     */
    says(text: string): Promise<{
        msgid: string;
        messageId: string;
        conversationId: string;
    }>;
    /**
     * The messages of the customer's conversations, oldest first.
     * @returns {Promise<import('./world.js').Message[]>}
     */
    messages(): Promise<import('./world.js').Message[]>;
}
/** A user of the account, who answers customers. */
export declare class User {
    #private;
    name: string;
    /**
     * @param {import('./api.js').Api} api
     * @param {string} world the path of the world
     * @param {string} name
     */
    constructor(api: import('./api.js').Api, world: string, name: string);
    /**
     * Answers a customer. A callback carries the answer to the integration.
     * @param {string} text
     * @param {{ to?: string }} [options] without `to`: the customer who wrote last
     * @returns {Promise<{ messageId: string, conversationId: string }>}
     */
    replies(text: string, { to }?: {
        to?: string;
    }): Promise<{
        messageId: string;
        conversationId: string;
    }>;
}
