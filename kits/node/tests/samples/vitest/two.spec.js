import { expect, test } from 'vitest';

import { withWorld } from '../../../src/index.js';
import { meet } from '../meeting.js';

test('worker two', withWorld(async (world) => {
  await meet('two');
  await world.customer('bo').says('Hello');
  expect((await world.messages('bo')).map(({ text }) => text)).toEqual(['Hello']);
}));
