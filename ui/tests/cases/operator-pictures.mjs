// Pictures of the operator's pages, in both themes, in Russian and on a telephone, each looked at by axe.

import { cases, settings } from '../support/cases.mjs';
import { GIVE_UP, replied, signature } from '../support/operator.mjs';

/** A day on which not everything went well. */
async function busy(visit) {
  const world = await visit.world();
  const done = await replied(visit, world, 'Good morning, Ada! Yes, three are left.', 'delivered');
  world.receiver.answerWith(...GIVE_UP);
  world.dead = (await replied(visit, world, 'I have reserved it for you until Friday.', 'dead')).id;
  await replied(visit, world, 'Your parcel is on its way.', 'dead', 'c-2');
  world.receiver.answerWith(503, {}, 'upstream connect error or disconnect/reset before headers');
  await replied(visit, world, 'Is there anything else?', 'waiting', 'c-3');
  world.delivered = done.id;
  const payload = {
    timestamp: 'yesterday',
    msgid: 'm-9',
    conversation_id: 'c-1',
    sender: { id: 'u-1', name: 'Ada Lovelace', avatar: 'https://images.example.com/a.png' },
    message: { type: 'text', text: 'Hello, is the analytical engine in stock?' },
    silent: false,
  };
  const address = `${world.base}/v2/origin/custom/${world.scope}`;
  const post = (body, signed) => {
    const headers = { 'Content-Type': 'application/json', 'X-Signature': signature(world.channel.secret, signed) };
    return fetch(address, { method: 'POST', body, headers });
  };
  const bad = JSON.stringify({ event_type: 'new_message', payload });
  await post(bad, bad);
  const good = JSON.stringify({ event_type: 'new_message', payload: { ...payload, timestamp: Math.floor(Date.now() / 1000) } });
  await post(good, good.replaceAll('":', '": ').replaceAll(',"', ', "'));
  const { requests } = await world.operatorApi('GET', `/admin/v1/requests?channel_id=${world.channel.id}&outcome=refused`);
  [world.forged, world.invalid] = requests.map((it) => it.id);
  await visit.signIn(world);
  return world;
}

const PAGES = [
  ['callbacks', (world) => `/callbacks/${world.dead}?channel=${world.channel.id}`, '.attempts'],
  ['request-signature', (world) => `/requests/${world.forged}?channel=${world.channel.id}`, '.note.bad .badge'],
  ['request-field', (world) => `/requests/${world.invalid}?channel=${world.channel.id}`, 'mark'],
  ['channel', (world) => `/channels/${world.channel.id}`, '.command'],
  ['health', () => '/health', '.endpoints'],
];

async function shoot(visit, suffix, { language = 'en', theme = 'light' } = {}) {
  const world = await busy(visit);
  await visit.context.addInitScript(
    ([language, theme, token]) => {
      localStorage.setItem('switchboard.language', language);
      localStorage.setItem('switchboard.theme', theme);
      sessionStorage.setItem('switchboard.operator', token);
    },
    [language, theme, settings.operator],
  );
  for (const [name, at, shown] of PAGES) {
    await visit.open(world, at(world));
    await visit.page.locator(shown).first().waitFor();
    await visit.page.locator('.connection.live').waitFor();
    await visit.isAccessible(`${name} ${suffix}`);
    await visit.shot(`${name}-${suffix}`);
  }
}

await cases({
  'pages of the operator in the light theme': (visit) => shoot(visit, 'light'),
  'pages of the operator in the dark theme': (visit) => shoot(visit, 'dark', { theme: 'dark' }),
  'pages of the operator in Russian, on a small laptop': {
    options: { viewport: { width: 1024, height: 768 } },
    work: (visit) => shoot(visit, 'ru', { language: 'ru' }),
  },
  'pages of the operator in Spanish, on a telephone': {
    options: { viewport: { width: 390, height: 780 } },
    work: (visit) => shoot(visit, 'narrow', { language: 'es' }),
  },
});
