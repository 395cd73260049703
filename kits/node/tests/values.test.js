import assert from 'node:assert/strict';
import { test } from 'node:test';

import { camelNames, secondsOf, snakeNames } from '../src/values.js';

test('the parts of a duration are added', () => {
  assert.equal(secondsOf({ minutes: 15 }), 900);
  assert.equal(secondsOf({ days: 1, hours: 2, minutes: 3, seconds: 4, milliseconds: 500 }), 93_784.5);
  assert.equal(secondsOf({ seconds: 0.1, milliseconds: 200 }), 0.3);
});

test('a wrong duration is refused with the names that exist', () => {
  for (const [wrong, shown] of /** @type {[any, RegExp][]} */ ([
    [900, /^TypeError: 900 is no duration: write an object of days, hours, minutes, seconds, milliseconds/],
    [{}, /\{\} is no duration/],
    [{ minute: 1 }, /\{"minute":1\} is no duration/],
    [{ minutes: '1' }, /\{"minutes":"1"\} is no duration/],
    [null, /null is no duration/],
    [{ toString: 1 }, /is no duration/],
  ])) {
    assert.throws(() => secondsOf(wrong), shown);
  }
});

test('names change at every depth, and values do not', () => {
  const answer = { base_url: 'a_b', users: [{ now_ms: 1, at: null }] };
  assert.deepEqual(camelNames(answer), { baseUrl: 'a_b', users: [{ nowMs: 1, at: null }] });
  assert.deepEqual(snakeNames(camelNames(answer)), answer);
});
