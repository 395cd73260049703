/**
 * Runs a test in a world and ends the world. When the test fails, its error contains the journal of the world.
 * @template T
 * @param {import('./world.js').World} world
 * @param {(world: import('./world.js').World) => T | Promise<T>} body
 * @returns {Promise<T>}
 */
export declare function runIn<T>(world: import('./world.js').World, body: (world: import('./world.js').World) => T | Promise<T>): Promise<T>;
/**
 * The same error with a text after its message. Some test frameworks print the message, some the stack, which begins with it.
 * @param {unknown} thrown
 * @param {string} text
 */
export declare function withText(thrown: unknown, text: string): Error;
