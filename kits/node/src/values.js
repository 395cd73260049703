/**
 * A length of time. Its parts are added: `{ hours: 1, minutes: 30 }`.
 * @typedef {{ days?: number, hours?: number, minutes?: number, seconds?: number, milliseconds?: number }} Duration
 */

const SECONDS = { days: 86_400, hours: 3_600, minutes: 60, seconds: 1, milliseconds: 0.001 };

/**
 * @param {Duration} duration
 * @returns {number} seconds
 */
export function secondsOf(duration) {
  const isObject = typeof duration === 'object' && duration !== null;
  const parts = isObject ? Object.entries(duration) : [];
  const isWrong = ([name, count] = ['', 0]) => !Object.hasOwn(SECONDS, name) || typeof count !== 'number';
  if (parts.length === 0 || parts.some(isWrong)) {
    const shown = isObject ? JSON.stringify(duration) : String(duration);
    throw new TypeError(`${shown} is no duration: write an object of ${Object.keys(SECONDS).join(', ')}, as { minutes: 15 }`);
  }
  const sum = parts.reduce((sum, [name, count]) => sum + count * SECONDS[/** @type {keyof typeof SECONDS} */ (name)], 0);
  // Sums of decimal fractions, as 0.1 + 0.2, would otherwise end in digits that no one wrote.
  return Math.round(sum * 1e6) / 1e6;
}

/** @param {string} name */
const camel = (name) => name.replace(/_([a-z])/g, (_, letter) => letter.toUpperCase());

/** @param {string} name */
const snake = (name) => name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);

/**
 * The names of an answer as JavaScript writes them: `base_url` becomes `baseUrl`, at every depth.
 * @param {unknown} value
 * @returns {any}
 */
export function camelNames(value) {
  return renamed(value, camel);
}

/**
 * The names of a request as the service writes them: `retryAfter` becomes `retry_after`.
 * @param {unknown} value
 * @returns {any}
 */
export function snakeNames(value) {
  return renamed(value, snake);
}

/**
 * @param {unknown} value
 * @param {(name: string) => string} rename
 * @returns {unknown}
 */
function renamed(value, rename) {
  if (Array.isArray(value)) return value.map((item) => renamed(item, rename));
  if (typeof value !== 'object' || value === null) return value;
  // What the form of a hook says keeps its names.
  return Object.fromEntries(
    Object.entries(value).map(([name, item]) => [rename(name), name === 'item' ? item : renamed(item, rename)]),
  );
}
