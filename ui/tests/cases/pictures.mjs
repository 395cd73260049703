// Pictures of the pages, with people in them: in both themes, in Russian and Spanish, wide and narrow. Each page is looked
// at by axe in each of them.

import { cases } from '../support/cases.mjs';
import { workingDay } from '../support/days.mjs';

const PAGES = [
  ['inbox', (world) => `/conversations/${world.conversation}`, (page) => page.getByRole('log').getByText('I cannot find it').waitFor()],
  ['unsorted', () => '/unsorted', (page) => page.locator('[data-lead]').first().waitFor()],
  ['contacts', () => '/contacts', (page) => page.getByText('+44 20 7946 0000').waitFor()],
];

async function shoot(visit, suffix, { language = 'en', theme = 'light' } = {}) {
  const world = await visit.world();
  await workingDay(world);
  await visit.signIn(world);
  await visit.context.addInitScript(
    ([language, theme]) => {
      localStorage.setItem('switchboard.language', language);
      localStorage.setItem('switchboard.theme', theme);
    },
    [language, theme],
  );
  for (const [name, at, shown] of PAGES) {
    await visit.open(world, at(world));
    await shown(visit.page);
    await visit.page.locator('.connection.live').waitFor();
    if (name === 'unsorted') await visit.page.locator('.without summary').click();
    await visit.isAccessible(`${name} ${suffix}`);
    await visit.page.locator('main').evaluate((it) => (it.scrollTop = 0));
    await visit.shot(`${name}-${suffix}`);
  }
}

await cases({
  'pages in the light theme': (visit) => shoot(visit, 'light'),
  'pages in the dark theme': (visit) => shoot(visit, 'dark', { theme: 'dark' }),
  'pages in Russian, on a small laptop': {
    options: { viewport: { width: 1024, height: 768 } },
    work: (visit) => shoot(visit, 'ru', { language: 'ru' }),
  },
  'pages in Spanish, in the dark': {
    options: { viewport: { width: 1024, height: 768 } },
    work: (visit) => shoot(visit, 'es', { language: 'es', theme: 'dark' }),
  },
  'pages on a telephone': {
    options: { viewport: { width: 390, height: 780 } },
    work: (visit) => shoot(visit, 'narrow'),
  },
});
