// Pictures of the operator's pages, in both themes, in Russian and on a telephone, each looked at by axe.

import { cases, settings } from '../support/cases.mjs';
import { badDay } from '../support/days.mjs';
import { busyClient } from '../support/oauth.mjs';

const PAGES = [
  ['callbacks', (world) => `/callbacks/${world.dead}?channel=${world.channel.id}`, '.attempts'],
  ['request-signature', (world) => `/requests/${world.forged}?channel=${world.channel.id}`, '.note.bad .badge'],
  ['request-field', (world) => `/requests/${world.invalid}?channel=${world.channel.id}`, 'mark'],
  ['channel', (world) => `/channels/${world.channel.id}`, '.command'],
  ['oauth-client', (world) => `/oauth-clients/${world.client.id}`, '.token-requests'],
  ['integration', (world) => `/integrations/${world.client.id}`, '.token-history'],
  ['health', () => '/health', '.endpoints'],
];

async function shoot(visit, suffix, { language = 'en', theme = 'light' } = {}) {
  const world = await visit.world();
  await badDay(visit, world);
  world.client = await busyClient(world);
  await visit.signIn(world);
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
