import assert from 'node:assert/strict';
import fs from 'node:fs';
import { test } from 'node:test';

import { ApiError, Receiver, Switchboard, WaitError } from '../src/index.js';
import { camelNames } from '../src/values.js';

/** @typedef {import('../src/index.js').World} World */

// One story that the tests of every kit replay.
const TRANSCRIPT = JSON.parse(fs.readFileSync(new URL('../../transcript.json', import.meta.url), 'utf8'));

const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/;

/**
 * @param {World} world
 * @param {{ customer?: string, user?: string }} who
 */
function personOf(world, { customer, user }) {
  if (customer !== undefined) return world.customer(customer);
  return user === undefined ? undefined : world.user(user);
}

/**
 * What the function of the kit gives for each kind of step, as the transcript expects it.
 * @type {Record<string, (world: World, step: any) => Promise<unknown>>}
 */
const STEPS = {
  async say(world, { customer, text }) {
    const { msgid, messageId, conversationId } = await world.customer(customer).says(text);
    assert.notEqual(msgid, '');
    [messageId, conversationId].forEach((id) => assert.match(id, UUID));
  },
  async reply(world, { user, text, customer }) {
    const { messageId, conversationId } = await world.user(user).replies(text, { to: customer });
    [messageId, conversationId].forEach((id) => assert.match(id, UUID));
  },
  async wait(world, { until, met, ...options }) {
    const waiting = world.wait(until, options);
    if (met === false) {
      return assert.rejects(waiting, (error) => error instanceof WaitError && error.why !== '');
    }
    const { entries, cursor } = await waiting;
    assert.ok(Number.isInteger(cursor));
    if (until !== 'quiet') assert.ok(entries.length >= options.count, `${entries.length} entries`);
  },
  async messages(world, { customer }) {
    return (await world.messages(customer)).map(({ direction, text }) => ({ direction, text }));
  },
  async fault(world, { on, fault, times, match, with: more, left }) {
    const options = Object.fromEntries(Object.entries({ times, match, ...more }).filter(([, value]) => value !== undefined));
    const started = await world.fault(on, fault, options);
    assert.equal(started.left, left);
  },
  async end_faults(world) {
    await world.endFaults();
    assert.deepEqual(await world.faults(), []);
  },
  async habit(world, { habit, text, seconds, after, times, ...who }) {
    const options = { after: { seconds: after }, times };
    const person = /** @type {any} */ (personOf(world, who));
    const first = text ?? (seconds === undefined ? undefined : { seconds });
    const name = Object.keys(camelNames({ [habit]: null })).join('');
    await (first === undefined ? person[name](options) : person[name](first, options));
  },
  async habits(world) {
    const habits = await world.habits();
    return habits.map(({ customer, user, do: what, after, left }) => ({ name: customer ?? user, do: what, after, left }));
  },
  end_habits: (world, who) => (personOf(world, who) ?? world).endHabits(),
  async consent(world, { user }) {
    const { code, location } = await world.user(user).consents();
    assert.equal(new URL(location).searchParams.get('code'), code);
  },
  async clock(world, { mode }) {
    assert.equal((await world.setClock(mode)).mode, mode);
  },
  async advance(world, { seconds }) {
    const before = await world.clock();
    const after = await world.advance({ seconds });
    assert.equal(after.nowMs - before.nowMs, seconds * 1000);
  },
  async callbacks(world) {
    return (await world.journal()).filter(({ kind }) => kind === 'callback').map(({ outcome }) => outcome);
  },
  async subscribe(world, { url, settings, left }) {
    await world.subscribe(url, settings);
    assert.equal((await world.hooks()).length, left);
  },
  async hooks(world) {
    const entries = (await world.journal()).filter(({ kind }) => kind === 'hook');
    return entries.map(({ code, attempt, outcome }) => [code, attempt, outcome]);
  },
  async wait_for_hook(world, { code, count, state, texts }) {
    const { entries } = await world.waitForHook(code, { count, state });
    assert.deepEqual(new Set(entries.map(({ item }) => item.text)), new Set(texts));
  },
  async end_hooks(world) {
    await world.endHooks();
    assert.deepEqual(await world.hooks(), []);
  },
  async receive_hooks(world, { settings, customer, text }) {
    const receiver = await Receiver.start({ secret: world.channel.secret });
    try {
      await world.subscribe(receiver.url, settings);
      await world.customer(customer).says(text);
      await world.waitForHook(text);
      const hooks = await receiver.receivedHooks();
      assert.match(hooks[0]?.requestId ?? '', UUID);
      assert.equal(new Set(hooks.map(({ requestId }) => requestId)).size, 1);
      hooks.forEach(({ form }) => assert.equal(form.message.add[0].text, text));
      assert.deepEqual([receiver.callbacks, receiver.refused], [[], []]);
      await world.endHooks();
      return hooks.map(({ attempt }) => attempt);
    } finally {
      await receiver.stop();
    }
  },
  async run_salesbot(world, { bot, lead }) {
    const { token } = world.users.find(({ name }) => name === 'ada') ?? {};
    const headers = { Authorization: `Bearer ${token}`, 'Content-Type': 'application/json' };
    const body = JSON.stringify({ entity_id: lead, entity_type: 'leads' });
    const answer = await fetch(`${world.baseUrl}/api/v4/bots/${bot}/run`, { method: 'POST', headers, body });
    assert.equal(answer.status, 202);
  },
  async questions(world) {
    const entries = (await world.journal()).filter(({ kind }) => kind === 'question');
    return entries.map(({ bot, attempt, outcome }) => [bot, attempt, outcome]);
  },
  async restart(world) {
    assert.equal(typeof (await world.restart()).nowMs, 'number');
  },
  delete: (world) => world.end(),
};

test('the transcript of all kits', async (t) => {
  const switchboard = await Switchboard.start();
  t.after(() => switchboard.stop());
  const world = await switchboard.world(TRANSCRIPT.world);
  assert.deepEqual([world.name, world.seed], ['transcript', 7]);
  for (const { do: name, error, gives, ...step } of TRANSCRIPT.steps) {
    await t.test(`${name} ${JSON.stringify(step)}`, async () => {
      const done = /** @type {any} */ (STEPS)[name](world, step);
      if (error === undefined) return assert.deepEqual(await done, gives);
      return assert.rejects(done, (thrown) => thrown instanceof ApiError && thrown.status === error && thrown.title !== '');
    });
  }
});
