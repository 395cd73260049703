export type Callback = {
    method: string;
    path: string;
    /**
     * with names in lower case
     */
    headers: Record<string, string | string[] | undefined>;
    /**
     * as it arrived
     */
    body: string;
    /**
     * the body as JSON, or undefined if it is none
     */
    event: any;
    /**
     * the same in every attempt
     */
    messageId: string | undefined;
    /**
     * from 1
     *
     * A request of a webhook of the account. It has no signature.
     */
    attempt: number;
};
export type Hook = Callback & {
    form: any;
    requestId: string | undefined;
};
export type Answer = number | ((callback: Callback) => number | Promise<number>);
/** Receives callbacks on loopback, checks their signatures and records them. Records the hooks of the account, too. */
export declare class Receiver {
    #private;
    /** @type {Callback[]} Callbacks with a right signature, in the order of their arrival. */
    callbacks: Callback[];
    /** @type {Callback[]} Requests that were refused with 403, because their signature is wrong. */
    refused: Callback[];
    /** @type {Hook[]} The hooks of the account, in the order of their arrival. */
    hooks: Hook[];
    url: string;
    /** @param {{ secret: string, answer?: Answer }} options */
    constructor({ secret, answer }: {
        secret: string;
        answer?: Answer;
    });
    /**
     * @param {{ secret: string, answer?: Answer }} options the secret of the channel, and the status of each answer, 200 if absent
     */
    static start(options: {
        secret: string;
        answer?: Answer;
    }): Promise<Receiver>;
    /**
     * Sets the status of the next answers.
     * @param {Answer} answer
     */
    answersWith(answer: Answer): void;
    /**
     * Waits until so many callbacks have arrived, and returns all that have.
     * @param {number} [count]
     */
    received(count?: number): Promise<Callback[]>;
    /**
     * Waits until so many hooks have arrived, and returns all that have.
     * @param {number} [count]
     */
    receivedHooks(count?: number): Promise<Hook[]>;
    stop(): Promise<void>;
}
