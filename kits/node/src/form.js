/** As PHP has it; what is deeper is left out. */
const DEPTH_MAX = 64;

/** @typedef {Map<string, string | Tree>} Tree */

/**
 * The fields of a form with the bracket keys of PHP as a tree: `a[b][0]=c` is `{ a: { b: ['c'] } }`. All values are texts.
 * @param {string} body
 * @returns {Record<string, any>}
 */
export function parseForm(body) {
  /** @type {Tree} */
  const tree = new Map();
  for (const [key, value] of new URLSearchParams(body)) {
    const [, first, brackets] = /^([^[]+)((?:\[[^\]]*\])*)/.exec(key) ?? [];
    if (first === undefined) continue;
    // One that is not closed belongs to the name.
    const names = brackets ? [first, ...brackets.slice(1, -1).split('][')] : [key];
    if (names.length <= DEPTH_MAX) put(tree, names, value);
  }
  return Object.fromEntries([...tree].map(([name, item]) => [name, withLists(item)]));
}

/**
 * @param {Tree} tree
 * @param {string[]} names
 * @param {string} value
 */
function put(tree, [given = '', ...rest], value) {
  // An empty name stands for the next number.
  const name = given === '' ? String([...tree.keys()].filter((key) => /^\d+$/.test(key)).length) : given;
  if (rest.length === 0) {
    tree.set(name, value);
    return;
  }
  const known = tree.get(name);
  const inner = known instanceof Map ? known : new Map();
  tree.set(name, inner);
  put(inner, rest, value);
}

/**
 * What has the names 0, 1, … becomes a list.
 * @param {string | Tree} tree
 * @returns {any}
 */
function withLists(tree) {
  if (typeof tree === 'string') return tree;
  const items = [...tree].map(([name, item]) => /** @type {[string, any]} */ ([name, withLists(item)]));
  const isList = items.every(([name], place) => name === String(place));
  return isList ? items.map(([, item]) => item) : Object.fromEntries(items);
}
