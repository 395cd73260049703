// What the compiler accepts and refuses for users of the package. `npm run check` compiles this file; nothing runs it.

import test from 'node:test';

import { exam, ExamError, Receiver, Switchboard, WaitError, withWorld, type Clock, type Duration, type ExamReport, type ExamRule, type JournalEntry, type OauthClient, type World } from 'switchboard-testing';

const switchboard: Switchboard = await Switchboard.shared();
const world: World = await switchboard.world({ name: 'x', seed: 7, clock: 'frozen', webhook: null, ttl: { minutes: 20 } });

const said: { msgid: string } = await world.customer('bo').says('Hi');
const replied: { messageId: string; conversationId: string } = await world.user('ada').replies('Hello', { to: 'bo' });
const clock: Clock = await world.advance({ minutes: 15 });
const { entries }: { entries: JournalEntry[] } = await world.wait('callback.delivered', { count: 1, message: replied.messageId });
await world.fault('answers', 'rate_limited', { retryAfter: 3 });
await world.fault('engine', 'slow_sync', { seconds: 0.2 });
await world.fault('oauth', 'refresh_race', { probability: 0.5, seed: 7 });
await world.fault('callbacks', 'drip', { seconds: 2 });
await world.user('ada').answers('One moment.', { after: { seconds: 2 }, times: 3 });
await world.customer('bo').reads({ after: { seconds: 10 } });
const consented: { code: string; location: string } = await world.user('ada').consents();
const client: OauthClient = world.oauthClient;
const receiver = await Receiver.start({ secret: world.channel.secret, answer: ({ attempt }) => (attempt === 1 ? 503 : 200) });
await world.setWebhook(receiver.url);
const length: number = await world.run(async (same) => (await same.messages('bo')).length);
const near = (error: unknown): string[] => (error instanceof WaitError ? error.near : []);
const report: ExamReport = await exam(['node', 'bridge.mjs'], { profile: 'both', only: [9], waive: { 25: 'no buttons' }, timeout: { minutes: 2 } });
const rule: ExamRule | undefined = report.rules[9];
const broken = (error: unknown): string => (error instanceof ExamError ? error.report.headline : '');
const pause: Duration = { hours: 1, seconds: 0.5 };

test('a world', withWorld(async (given) => void (await given.messages('bo'))));
test('a world and the context', withWorld(async (given: World, t: test.TestContext) => t.diagnostic(given.baseUrl), { seed: 1 }));

// @ts-expect-error a duration has a unit
await world.advance(900);
// @ts-expect-error a habit comes some time after a message
await world.user('ada').reads({});
// @ts-expect-error there is no such unit
await world.advance({ minute: 1 });
// @ts-expect-error there is no such state
await world.wait('callback.sent');
// @ts-expect-error this is a fault of callbacks, not of answers
await world.fault('answers', 'duplicate');
// @ts-expect-error there is no such mode
await world.setClock('slow');
// @ts-expect-error there is no such profile
await exam('node bridge.mjs', { profile: 'gateway' });
// @ts-expect-error a rule is waived for a reason
await exam('node bridge.mjs', { waive: [25] });
// @ts-expect-error a receiver needs the secret
await Receiver.start({});

export { broken, client, clock, consented, entries, length, near, pause, report, rule, said };
