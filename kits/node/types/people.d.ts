export type HabitOptions = {
    /**
     * how long after a message has arrived, in the time of the world
     */
    after: import('./values.js').Duration;
    /**
     * how often, until it is ended if absent
     */
    times?: number;
};
/**
 * @typedef {object} HabitOptions
 * @property {import('./values.js').Duration} after how long after a message has arrived, in the time of the world
 * @property {number} [times] how often, until it is ended if absent
 */
/** A person of a world, who can have habits. */
declare class Person {
    #private;
    name: string;
    /**
     * @param {import('./api.js').Api} api
     * @param {string} role the path of the world, and what people like this one are called there
     * @param {string} name
     */
    constructor(api: import('./api.js').Api, role: string, name: string);
    /**
     * A habit: from now on, answers each message.
     * @param {string} text
     * @param {HabitOptions} options
     */
    answers(text: string, options: HabitOptions): Promise<void>;
    /**
     * A habit: from now on, reads each message.
     * @param {HabitOptions} options
     */
    reads(options: HabitOptions): Promise<void>;
    /** Ends the habits, with what is due of them. */
    endHabits(): Promise<void>;
    /**
     * Sends an order about this person.
     * @protected
     * @param {string} method
     * @param {string} what
     * @param {object} [body]
     */
    protected order(method: string, what: string, body?: object): Promise<any>;
    /**
     * @protected
     * @param {string} what
     * @param {HabitOptions} options
     * @param {{ text?: string, seconds?: number }} [more]
     */
    protected keeps(what: string, { after, times }: HabitOptions, more?: {
        text?: string;
        seconds?: number;
    }): Promise<void>;
}
/** A customer, who writes through the integration's channel. */
export declare class Customer extends Person {
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
export declare class User extends Person {
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
    /**
     * A habit: from now on, becomes responsible for the conversation of each message.
     * @param {HabitOptions} options
     */
    takesOver(options: HabitOptions): Promise<void>;
    /**
     * A habit: from now on, writes a note for the team about each message.
     * @param {string} text
     * @param {HabitOptions} options
     */
    notes(text: string, options: HabitOptions): Promise<void>;
    /**
     * A habit: from now on, snoozes the conversation of each message for a time, or until the customer writes.
     * @param {import('./values.js').Duration} time
     * @param {HabitOptions} options
     */
    snoozes(time: import('./values.js').Duration, options: HabitOptions): Promise<void>;
    /**
     * Consents that the OAuth client of the world acts for the account. The code is valid for 20 minutes of the world's time,
     * once.
     * @returns {Promise<{ code: string, location: string }>} the code, and where the browser would go with it
     */
    consents(): Promise<{
        code: string;
        location: string;
    }>;
}
export {};
