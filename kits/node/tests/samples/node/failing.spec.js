import assert from 'node:assert/strict';
import { test } from 'node:test';

import { withWorld } from '../../../src/index.js';

test('an assertion fails', withWorld(async (world) => {
  await world.customer('bo').says('Hello from a failing test');
  assert.equal((await world.messages('bo')).length, 2);
}));

test('a wait fails', withWorld(async (world) => {
  await world.wait('callback.delivered');
}));
