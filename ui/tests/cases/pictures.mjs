// Pictures of the pages, with people in them: in both themes, in Russian and Spanish, wide and narrow. Each page is looked
// at by axe in each of them.

import { cases } from '../support/cases.mjs';

/** A working day: what the pictures show. */
async function busy(visit, options) {
  const world = await visit.world(options);
  const now = Math.floor(Date.now() / 1000);
  const ago = (minutes) => now - minutes * 60;
  const others = [
    ['Boris Petrov', 'Thanks, that helped a lot!'],
    ['Chiara Rossi', 'Buongiorno, is the blue one still available in a larger size?'],
    ['Diego Álvarez', '¿Cuándo llega mi pedido?'],
    ['Екатерина Смирнова', 'Здравствуйте! Можно оформить возврат?'],
    ['Fatima Noor', 'I have sent you the photo of the receipt'],
    ['Grace Hopper', 'Found the bug. It was an actual moth.'],
    ['Ηρώ Παπαδάκη', 'Ευχαριστώ πολύ!'],
  ];
  for (const [at, [name, text]] of others.entries()) {
    const profile = { phone: `+4930555${100 + at}`, email: `${name.split(' ')[0].normalize('NFD').replace(/[^\w]/g, '') || 'customer'}@example.org` };
    await world.says(`c-${at}`, text, { name, at: ago(300 - at * 30), sender: { profile } });
  }
  for (const text of ['Old order 4711', 'It was delivered in 2019']) {
    await world.says('c-ada', text, { name: 'Ada Lovelace', silent: true, at: ago(3 * 1440) });
    await world.says('c-silent', text, { name: 'Imported Customer', silent: true, at: ago(3 * 1440) });
  }
  const profile = { phone: '+44 20 7946 0000', email: 'ada@example.org' };
  const sender = { profile, profile_link: 'https://messenger.example.com/ada' };
  const ada = (text, minutes, more = {}) => world.says('c-ada', text, { name: 'Ada Lovelace', at: ago(minutes), sender, ...more });
  const { conversation_id: id } = await ada('Hi, is the analytical engine in stock?', 42);
  const first = await world.replies(id, 'Good morning, Ada! Yes, three are left.');
  await ada('Wonderful. I would like one with a printer, delivered to Marylebone, please.', 20);
  const second = await world.replies(id, 'Of course. I have reserved it for you until Friday.');
  await ada('', 12, { message: { type: 'location', location: { lon: -0.1543, lat: 51.5196 } } });
  const third = await world.replies(id, 'On its way! The number of the parcel is 1843.');
  await world.receiver.until(3);
  await world.reports(first.id, 2);
  await world.reports(second.id, 1);
  await world.reports(third.id, -1, { error_code: 904, error: 'not registered in the messenger' });
  await world.api('POST', `/inbox/v1/conversations/${id}/read`);
  await ada('Where is my order?', 1);
  await ada('I cannot find it in the app.', 0);
  world.conversation = id;
  await visit.signIn(world);
  return world;
}

const PAGES = [
  ['inbox', (world) => `/conversations/${world.conversation}`, (page) => page.getByRole('log').getByText('I cannot find it').waitFor()],
  ['unsorted', () => '/unsorted', (page) => page.locator('[data-deal]').first().waitFor()],
  ['contacts', () => '/contacts', (page) => page.getByText('+44 20 7946 0000').waitFor()],
];

async function shoot(visit, suffix, { language = 'en', theme = 'light' } = {}) {
  const world = await busy(visit);
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
