import { Lease } from './lease.js';
import { World } from './world.js';
export type OwnField = {
    id: number;
    name: string;
    /**
     * `text`, `textarea`, `numeric`, `select`, `multiselect`, `checkbox`, `date` or `url`
     */
    type: string;
    code?: string;
    /**
     * what a field of the type `select` or `multiselect` offers
     */
    enums?: {
        id?: number;
        value: string;
        code?: string;
    }[];
};
export type WorldOptions = {
    /**
     * shown in lists and in the journal of a failed test
     */
    name?: string;
    /**
     * the same seed gives the same ids and times
     */
    seed?: number;
    /**
     * `skip` if absent
     */
    clock?: import('./world.js').ClockMode;
    /**
     * where callbacks are sent; without it a receiver in memory answers 200
     */
    webhook?: string | null;
    /**
     * where browsers go after a consent to the OAuth client
     */
    redirectUri?: string;
    /**
     * real time until the world ends by itself
     */
    ttl?: import('./values.js').Duration;
    /**
     * of the account, for a program that carries it
     */
    subdomain?: string;
    /**
     * of the channel
     */
    channelId?: string;
    /**
     * of the custom field with the phone number of a contact
     */
    phoneFieldId?: number;
    /**
     * of the custom field with the e-mail address of a contact
     */
    emailFieldId?: number;
    /**
     * the default
     * one first
     */
    pipelines?: {
        id: number;
        name: string;
        unsortedId: number;
        stages: {
            id: number;
            name: string;
        }[];
    }[];
    /**
     * who are there from the beginning, with their numbers
     */
    users?: {
        name: string;
        id: number;
    }[];
    /**
     * custom fields of leads
     */
    leadFields?: OwnField[];
    /**
     * custom fields of contacts
     */
    contactFields?: OwnField[];
    /**
     * with a
     * field of `leadFields`, or the address of a program
     */
    salesbots?: {
        id: number;
        name: string;
        kind: 'send_field' | 'ask_program';
        fieldId?: number;
        url?: string;
    }[];
};
/** One process of Switchboard. It has any number of worlds. */
export declare class Switchboard {
    #private;
    pid: number;
    version: string;
    logFile: string;
    /** @param {Lease} lease */
    constructor(lease: Lease);
    /** Starts a process. It ends by `stop`, and at the latest with the process that has started it. */
    static start(): Promise<Switchboard>;
    /**
     * The process that all workers of a test runner share. The first worker starts it; it ends with the last worker.
     * @param {string} [name] workers that give different names share no process
     * @returns {Promise<Switchboard>}
     */
    static shared(name?: string): Promise<Switchboard>;
    /**
     * Opens a world.
     * @param {WorldOptions} [options]
     */
    world({ ttl, ...options }?: WorldOptions): Promise<World>;
    /**
     * The worlds that have not ended.
     * @returns {Promise<World[]>}
     */
    worlds(): Promise<World[]>;
    /** Ends the process; a shared one ends when no other worker uses it. */
    stop(): Promise<void>;
}
