export type Tree = Map<string, string | Tree>;
/** @typedef {Map<string, string | Tree>} Tree */
/**
 * The fields of a form with the bracket keys of PHP as a tree: `a[b][0]=c` is `{ a: { b: ['c'] } }`. All values are texts.
 * @param {string} body
 * @returns {Record<string, any>}
 */
export declare function parseForm(body: string): Record<string, any>;
