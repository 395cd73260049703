import { AssertionError } from 'node:assert';
/** An error of the kit: the program was not found, it did not start, it ended, or it did not answer. */
export declare class SwitchboardError extends Error {
    /**
     * @param {string} message
     * @param {{ cause?: unknown }} [options]
     */
    constructor(message: string, options?: {
        cause?: unknown;
    });
}
/** A request that Switchboard refused. The fields are those of its problem document (RFC 9457). */
export declare class ApiError extends SwitchboardError {
    status: number;
    title: string;
    detail: string;
    errors: {
        path?: string;
        detail?: string;
    }[];
    /**
     * @param {string} request the method and the path
     * @param {number} status
     * @param {{ title?: string, detail?: string, errors?: { path?: string, detail?: string }[] }} problem
     */
    constructor(request: string, status: number, problem: {
        title?: string;
        detail?: string;
        errors?: {
            path?: string;
            detail?: string;
        }[];
    });
}
/** What `world.wait` waited for cannot happen any more. It is an assertion error: test frameworks report a failed test. */
export declare class WaitError extends AssertionError {
    why: string;
    near: string[];
    cursor: number;
    /**
     * @param {string} wait the call
     * @param {string} why
     * @param {string[]} near what happened instead
     * @param {number} cursor
     */
    constructor(wait: string, why: string, near: string[], cursor: number);
}
