// Relays with much to show, as `/admin/v1/relays` tells of them: what is measured, without a counterpart that takes its time.

const NOW = Math.floor(Date.now() / 1000);
const CHANNEL = 'f90ba33d-c9d9-44da-b76c-c349b0ecbe41';
const SCOPE = `${CHANNEL}_af9945ff-1490-4cad-807d-945c15d88bec`;
const ANSWERS = [
  { at: NOW - 30, status: null, failure: 'timed_out' },
  { at: NOW - 90, status: 503, failure: null },
  null,
];
const STATES = ['open', 'failing', 'healthy', 'slow_start', 'paused', 'switched_off', 'no_address', 'disabled'];

const target = (place, at) => ({
  place,
  address: `https://bridge-of-the-northern-and-western-regions.internal.example.com:8443/in/${place}/:scope_id`,
  waiting: 987_654 * (at === 0),
  delivered: 12_345_678,
  dead: 4321,
  dropped: 765,
  skipped: 54_321 * (at > 0),
  oldest_queued_at: at === 0 ? NOW - 26 * 3600 : null,
  failing_since: at < 2 ? NOW - 27 * 3600 : null,
  last_answer: ANSWERS[at % 3],
  state: { health: STATES[at % STATES.length], reason: null, reason_code: null, reason_details: {}, ...(at < 2 ? { next_probe_at: NOW + 40 } : {}) },
});

const relay = (channel, paused) => ({
  channel_id: channel,
  from: '/relay/shop-of-the-northern-and-western-regions',
  paused,
  taken: 12_345_678,
  repeated: 4321,
  refused: { unknown: 12, signature: 345_678, too_large: 1, broken: 23, method: 4, full: 56, unavailable: 7 },
  pages_since: NOW - 7200,
  targets: [0, 1, 2, 3, 64].map(target),
});

const deliveries = (at) =>
  ['waiting', 'delivered', 'dead', 'held', 'queued'].map((state, place) => ({ target: place === 4 ? 64 : place, state, attempts: at * place, last_status: place === 2 ? 422 : null }));

const hooks = [...['message', 'reaction', 'typing', 'other', null].entries()].map(([at, kind]) => ({
  received_at: NOW - at * 40_000,
  number: at,
  kind,
  scope_id: kind === null ? null : SCOPE,
  message_id: kind === 'typing' || kind === null ? null : `0193f8a2-7c31-4d18-9f0e-${String(at).repeat(12)}`,
  late: at % 2 === 1,
  bytes: kind === null ? null : 1843 * (at + 1),
  deliveries: deliveries(at + 1),
}));

const detail = {
  relay: relay(CHANNEL, true),
  wrong_signatures: ['192.0.2.7', '2001:db8:85a3:8d3:1319:8a2e:370:7348', null].map((from, at) => ({
    at: NOW - at * 60,
    from,
    reason: 'The signature is that of the body that was serialised again: sign the bytes that are sent, and not what a parser made of them.',
    bytes: 1843,
  })),
  news: ['field: message.message.mood (text)', 'word: message.message.type=hologram', 'header: x-something-that-is-new-since-the-last-version'].map((shape, at) => ({
    shape,
    first_seen_at: NOW - at * 90_000,
  })),
};

export const RELAY = `/relays/${CHANNEL}`;

/** Lets the page see these relays. */
export async function showRelays(page) {
  const answers = (pattern, json) => page.route(pattern, (route) => (route.request().method() === 'GET' ? route.fulfill({ json }) : route.fallback()));
  await answers(/\/admin\/v1\/relays\?/, { relays: [detail.relay, relay('0b0c2c5e-84c3-4b0c-a1a5-6a1f0d4d3c11', false)], next: null });
  await answers(/\/admin\/v1\/relays\/[^/?]+$/, detail);
  await answers(/\/admin\/v1\/relays\/[^/]+\/hooks/, { hooks, next: null });
  await page.reload();
}
