import assert from 'node:assert/strict';
import { test } from 'node:test';

import { withWorld } from '../../../src/index.js';
import { meet } from '../meeting.js';

test('worker one', withWorld(async (world) => {
  await meet('one');
  await world.customer('bo').says('Hello');
  assert.deepEqual((await world.messages('bo')).map(({ text }) => text), ['Hello']);
}));
