export type Asked = {
    /**
     * sent as JSON
     */
    body?: object;
    query?: Record<string, string | number | undefined>;
    /**
     * seconds
     */
    timeout?: number;
};
/**
 * @typedef {object} Asked
 * @property {object} [body] sent as JSON
 * @property {Record<string, string | number | undefined>} [query]
 * @property {number} [timeout] seconds
 */
/** Requests to `/dev/v1` of one process. No request is repeated. */
export declare class Api {
    #private;
    /**
     * @param {string} url
     * @param {string} token
     * @param {() => Promise<string>} whyUnreachable a sentence about the process, or an empty text
     */
    constructor(url: string, token: string, whyUnreachable: () => Promise<string>);
    /**
     * The JSON answer of a request, its names in camel case.
     * @param {string} method
     * @param {string} path
     * @param {Asked} [asked]
     * @returns {Promise<any>}
     */
    json(method: string, path: string, asked?: Asked): Promise<any>;
    /**
     * @param {string} method
     * @param {string} path
     * @param {Asked} [asked]
     * @returns {Promise<string>}
     */
    text(method: string, path: string, { body, query, timeout }?: Asked): Promise<string>;
}
