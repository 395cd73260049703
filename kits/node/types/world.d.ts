import { Customer, User } from './people.js';
import { Program } from './tested.js';
export type ClockMode = 'skip' | 'frozen' | 'real';
export type Clock = {
    mode: ClockMode;
    now: string;
    nowMs: number;
};
export type WorldState = {
    id: string;
    name: string | null;
    seed: number;
    clock: Clock;
    baseUrl: string;
    account: {
        id: string;
        subdomain: string;
    };
    channel: {
        id: string;
        secret: string;
    };
    scopeId: string;
    oauthClient: OauthClient;
    users: {
        name: string;
        token: string;
    }[];
    webhook?: string | null;
    /**
     * The OAuth client of a world. The code is valid for 20 minutes of the world's time, once.
     */
    endsAt: string;
};
export type OauthClient = {
    id: string;
    secret: string;
    redirectUri: string;
    code: string;
};
export type Habit = {
    /**
     * who has it
     */
    customer?: string;
    /**
     * who has it
     */
    user?: string;
    do: 'answers' | 'reads';
    /**
     * in seconds
     */
    after: number;
    /**
     * of `answers`
     */
    text?: string;
    /**
     * how often it is kept yet; null: until it is ended
     */
    left: number | null;
};
export type Message = {
    id: string;
    direction: 'in' | 'out';
    text: string;
};
export type JournalEntry = {
    cursor: number;
    at: string;
    kind: 'request' | 'callback' | 'hook' | 'question' | 'note';
    /**
     * of a request: its method and path; of a callback, a hook or a question: its address
     */
    what: string;
    /**
     * of a request
     */
    status?: number;
    /**
     * of a request: its body
     */
    request?: string;
    /**
     * of a request: the body of the answer
     */
    answer?: string;
    /**
     * of a callback
     */
    messageId?: string;
    /**
     * of a callback, a hook or a question
     */
    attempt?: number;
    /**
     * of a callback, a hook or a question, for example `answered 200`
     */
    outcome?: string;
    /**
     * of a callback, a hook or a question: the fault that has struck it
     */
    fault?: string;
    /**
     * of a callback or a question
     */
    body?: string;
    /**
     * of a question: the salesbot that asks it
     */
    bot?: number;
    /**
     * of a question: the same in every attempt
     */
    run?: number;
    /**
     * of a question: whether the program has taken it
     */
    taken?: boolean;
    /**
     * of a hook: its event, such as `add_message`
     */
    code?: string;
    /**
     * of a hook: the same in every attempt
     */
    requestId?: string;
    /**
     * of a hook, as it was sent
     */
    form?: string;
    /**
     * of a hook: what its form says, all values as texts
     */
    item?: any;
    /**
     * of a note
     */
    who?: string;
};
export type Until = 'callback.delivered' | 'callback.failed' | 'callback.attempt' | 'hook.delivered' | 'hook.failed' | 'hook.attempt' | 'question.attempt' | 'question.asked' | 'question.answered' | 'request.seen' | 'delivery>=delivered' | 'delivery>=read' | 'lead.stage' | 'quiet';
export type Snapshot = {
    id: string;
    restore: () => Promise<void>;
    fork: () => Promise<World>;
};
export type WaitOptions = {
    /**
     * how many entries, 1 if absent
     */
    count?: number;
    /**
     * only callbacks of the message with this id
     */
    message?: string;
    /**
     * only entries that contain this text: method and path of a request, body of a callback, code and form of a hook, or a question or its answer
     */
    match?: string;
    /**
     * for `lead.stage`: the number of a status
     */
    stage?: number;
    /**
     * in the time of the world, one hour if absent
     */
    timeout?: import('./values.js').Duration;
    /**
     * only entries after this cursor
     */
    after?: number;
};
export type Faults = {
    answers: 'status' | 'rate_limited' | 'token_expired' | 'account_unpaid' | 'over_chat_limit' | 'bad_gateway_html' | 'ip_blocked_html' | 'slow' | 'truncated' | 'clock_ahead' | 'clock_behind' | 'lost_before_commit' | 'lost_after_commit';
    media: 'status' | 'slow' | 'truncated' | 'wrong_type';
    oauth: 'revoked' | 'refresh_race';
    callbacks: 'status' | 'drop' | 'delay' | 'reorder' | 'answer_lost' | 'duplicate' | 'twice_at_once' | 'bad_signature' | 'old_secret' | 'other_scope' | 'unknown_field' | 'unknown_type' | 'huge' | 'split' | 'drip';
    hooks: 'status' | 'drop' | 'late' | 'reordered' | 'answer_lost' | 'duplicate' | 'twice_at_once' | 'other_account';
    questions: 'status' | 'drop' | 'late' | 'answer_lost' | 'duplicate' | 'twice_at_once';
    engine: 'disk_full' | 'power_cut' | 'slow_sync';
};
export type Webhook = {
    id: number;
    /**
     * null: the receiver in memory
     */
    url: string | null;
    settings: string[];
    disabled: boolean;
};
export type FaultOptions = {
    /**
     * how often it happens, once if absent
     */
    times?: number;
    /**
     * only where method and path, or the body of a callback, a hook or a question, contain this text
     */
    match?: string;
    /**
     * of the fault `status`
     */
    status?: number;
    /**
     * of `rate_limited`, in seconds
     */
    retryAfter?: number;
    /**
     * of `slow_sync`, `slow`, `delay`, `late` and `drip`
     */
    seconds?: number;
    /**
     * more than 0 and at most 1; each time if absent
     */
    probability?: number;
    /**
     * selects when a fault with a probability happens
     */
    seed?: number;
};
export type Fault = {
    id: number;
    on: string;
    do: string;
    /**
     * how often it still happens; null: until `endFaults`
     */
    left: number | null;
    probability: number | null;
    match: string | null;
};
/** A whole Switchboard in memory: an account, a channel with a connected scope, people, a clock and faults. */
export declare class World {
    #private;
    id: string;
    name: string | null;
    seed: number;
    baseUrl: string;
    account: {
        id: string;
        subdomain: string;
    };
    channel: {
        id: string;
        secret: string;
    };
    scopeId: string;
    oauthClient: OauthClient;
    users: {
        name: string;
        token: string;
    }[];
    webhook: string | null;
    endsAt: string;
    /**
     * @param {import('./api.js').Api} api
     * @param {WorldState} state
     */
    constructor(api: import('./api.js').Api, state: WorldState);
    /** @param {string} name the integration's id of the customer */
    customer(name: string): Customer;
    /** @param {string} name a user who acts for the first time becomes an administrator of the account */
    user(name: string): User;
    /**
     * The messages of a customer, oldest first.
     * @param {string} customer
     */
    messages(customer: string): Promise<Message[]>;
    /** @returns {Promise<Habit[]>} the habits that people have */
    habits(): Promise<Habit[]>;
    endHabits(): Promise<void>;
    /** @returns {Promise<Clock>} */
    clock(): Promise<Clock>;
    /**
     * @param {ClockMode} mode
     * @returns {Promise<Clock>}
     */
    setClock(mode: ClockMode): Promise<Clock>;
    /**
     * Moves the clock forward. Every timer on the way fires.
     * @param {import('./values.js').Duration} duration
     * @returns {Promise<Clock>}
     */
    advance(duration: import('./values.js').Duration): Promise<Clock>;
    /**
     * Waits until something has happened; throws a `WaitError` when it cannot happen any more.
     * @param {Until} until
     * @param {WaitOptions} [options]
     * @returns {Promise<{ cursor: number, entries: JournalEntry[] }>} the entries of the journal that met it
     */
    wait(until: Until, options?: WaitOptions): Promise<{
        cursor: number;
        entries: JournalEntry[];
    }>;
    /**
     * Sets where callbacks are sent.
     * @param {string | null} url null: a receiver in memory answers 200
     */
    setWebhook(url: string | null): Promise<void>;
    /**
     * Subscribes an address to events of the account. A program may do so by itself.
     * @param {string | null} [url] null: a receiver in memory answers 200
     * @param {string[]} [settings] the events, such as `add_message`; all if absent
     */
    subscribe(url?: string | null, settings?: string[]): Promise<void>;
    /** @returns {Promise<Webhook[]>} the webhooks of the account */
    hooks(): Promise<Webhook[]>;
    /** Ends all webhooks of the account. */
    endHooks(): Promise<void>;
    /**
     * Waits for hooks, as `wait` does.
     * @param {string} [code] their event, such as `add_message`, or a text in their form
     * @param {WaitOptions & { state?: 'delivered' | 'failed' | 'attempt' }} [options] delivered, if absent
     */
    waitForHook(code?: string, { state, ...options }?: WaitOptions & {
        state?: 'delivered' | 'failed' | 'attempt';
    }): Promise<{
        cursor: number;
        entries: JournalEntry[];
    }>;
    /**
     * Makes something go wrong.
     * @template {keyof Faults} On
     * @param {On} on the answers of the service, its files, its tokens, its callbacks, its hooks, its questions, or its engine
     * @param {Faults[On]} what
     * @param {FaultOptions} [options]
     * @returns {Promise<Fault>}
     */
    fault<On extends keyof Faults>(on: On, what: Faults[On], options?: FaultOptions): Promise<Fault>;
    /** @returns {Promise<Fault[]>} the faults that have not ended */
    faults(): Promise<Fault[]>;
    endFaults(): Promise<void>;
    /**
     * What happened, oldest first.
     * @param {{ after?: number }} [options]
     * @returns {Promise<JournalEntry[]>}
     */
    journal({ after }?: {
        after?: number;
    }): Promise<JournalEntry[]>;
    /**
     * The journal for people, one line for each entry.
     * @param {{ after?: number }} [options]
     */
    journalText({ after }?: {
        after?: number;
    }): Promise<string>;
    /**
     * Stops the service of the world in order, and starts it again on its data.
     * @returns {Promise<Clock>}
     */
    restart(): Promise<Clock>;
    /**
     * Keeps the world as it is now; a world has at most 20 snapshots.
     * @returns {Promise<Snapshot>}
     */
    snapshot(): Promise<Snapshot>;
    /**
     * Starts the tested program, waits until it accepts connections on PORT, and sends the callbacks to it. It gets the variables
     * of scenario files, and ends with the world.
     * @param {string[]} command the program and its arguments
     * @param {import('./tested.js').ProgramOptions} [options]
     * @returns {Promise<Program>}
     */
    program(command: string[], options?: import('./tested.js').ProgramOptions): Promise<Program>;
    /** The tested programs that were started in this world. */
    get programs(): Program[];
    /** Ends the tested programs and the world. */
    end(): Promise<void>;
    /**
     * Runs a test in this world and ends the world. When the test fails, its error contains the journal.
     * @template T
     * @param {(world: World) => T | Promise<T>} body
     * @returns {Promise<T>}
     */
    run<T>(body: (world: World) => T | Promise<T>): Promise<T>;
}
