/**
 * A length of time. Its parts are added: `{ hours: 1, minutes: 30 }`.
 * @typedef {{ days?: number, hours?: number, minutes?: number, seconds?: number, milliseconds?: number }} Duration
 */
export type Duration = {
    days?: number;
    hours?: number;
    minutes?: number;
    seconds?: number;
    milliseconds?: number;
};
/**
 * @param {Duration} duration
 * @returns {number} seconds
 */
export declare function secondsOf(duration: Duration): number;
/**
 * The names of an answer as JavaScript writes them: `base_url` becomes `baseUrl`, at every depth.
 * @param {unknown} value
 * @returns {any}
 */
export declare function camelNames(value: unknown): any;
/**
 * The names of a request as the service writes them: `retryAfter` becomes `retry_after`.
 * @param {unknown} value
 * @returns {any}
 */
export declare function snakeNames(value: unknown): any;
