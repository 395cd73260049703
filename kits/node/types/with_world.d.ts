/**
 * A test of node:test, Vitest or Jest that has a world of its own, in the process that all workers share. The world ends with
 * the test. When the test fails, its error contains the journal of the world.
 * @template {unknown[]} Context
 * @param {(world: import('./world.js').World, ...context: Context) => unknown} body the context is what the framework passes
 * @param {import('./switchboard.js').WorldOptions} [options]
 * @returns {(...context: Context) => Promise<void>}
 */
export declare function withWorld<Context extends unknown[]>(body: (world: import('./world.js').World, ...context: Context) => unknown, options?: import('./switchboard.js').WorldOptions): (...context: Context) => Promise<void>;
