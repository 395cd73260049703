import { expect, test } from 'vitest';

import { withWorld } from '../../../src/index.js';

test('an assertion fails', withWorld(async (world) => {
  await world.customer('bo').says('Hello from a failing test');
  expect(await world.messages('bo')).toHaveLength(2);
}));

test('a wait fails', withWorld(async (world) => {
  await world.wait('callback.delivered');
}));
