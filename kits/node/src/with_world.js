import { Switchboard } from './switchboard.js';

/**
 * A test of node:test, Vitest or Jest that has a world of its own, in the process that all workers share. The world ends with
 * the test. When the test fails, its error contains the journal of the world.
 * @template {unknown[]} Context
 * @param {(world: import('./world.js').World, ...context: Context) => unknown} body the context is what the framework passes
 * @param {import('./switchboard.js').WorldOptions} [options]
 * @returns {(...context: Context) => Promise<void>}
 */
export function withWorld(body, options) {
  // Without named parameters: Jest takes a test with one as a test that calls back.
  return async (...context) => {
    const switchboard = await Switchboard.shared();
    const name = nameOfTest(context[0]);
    const world = await switchboard.world({ ...(name === undefined ? {} : { name }), ...options });
    await world.run(() => body(world, ...context));
  };
}

/**
 * @param {any} context of the test: that of node:test or of Vitest. Jest has none.
 * @returns {string | undefined}
 */
function nameOfTest(context) {
  /** @type {any} */
  const { expect } = globalThis;
  const name = context?.task?.name ?? context?.name ?? expect?.getState?.().currentTestName;
  return typeof name === 'string' ? name : undefined;
}
