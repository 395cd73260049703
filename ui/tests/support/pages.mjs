// Every page of the console whose boxes are measured: see `layout.mjs`. Who adds a page to the console adds it here, and to
// `states.mjs` the states to which its main actions lead.
//
// `at` is the address in a world, `shown` what is there once the page is; `open` brings something of it to light first,
// such as a dialog; `empty: false` leaves it out of the world in which nothing has happened, `full: false` out of the busy
// one. `who` names whose page it is when it is not the administrator's: `operator`, `stranger`, or a user of the world. `isAlone` says
// that it has no frame around it.

import { RELAY, showRelays } from './relays.mjs';
import { STATES, STILL } from './states.mjs';

const AT_REST = [
  { name: 'inbox', at: () => '/conversations', shown: '.conversation-list :is(.empty, .conversation)' },
  { name: 'thread', at: (world) => `/conversations/${world.conversation}`, shown: '[data-message]', empty: false },
  { name: 'awkward thread', at: (world) => `/conversations/${world.awkward}`, shown: '[data-message]', empty: false },
  { name: 'no such conversation', at: () => '/conversations/00000000-0000-4000-8000-000000000000', shown: '.thread .empty' },
  {
    name: 'search without a hit',
    at: () => '/conversations',
    shown: '.conversation',
    open: async (page) => {
      await page.locator('.conversation-list input[type=search]').fill('nobody has said this');
      await page.locator('.conversation-list .empty').waitFor();
    },
    empty: false,
  },
  {
    name: 'write first',
    at: () => '/conversations',
    shown: '.conversation-list :is(.empty, .conversation)',
    open: (page) => page.locator('.page-actions .button').click(),
  },
  { name: 'unsorted', at: () => '/unsorted', shown: ':is(.empty, [data-lead])' },
  {
    name: 'without a lead',
    at: () => '/unsorted',
    shown: ':is(.empty, [data-lead])',
    open: async (page) => {
      await page.locator('.without summary').click();
      await page.locator('.without td').first().waitFor();
    },
    empty: false,
  },
  { name: 'contacts', at: () => '/contacts', shown: ':is(.empty, .contacts)' },
  { name: 'a contact', at: () => '/contacts/1', shown: 'dialog input', empty: false },
  { name: 'users', at: () => '/users', shown: 'main td' },
  { name: 'add users', at: () => '/users/add', shown: 'main input' },
  { name: 'a user', at: (world) => `/users/${world.admin.id}`, shown: 'main h2' },
  { name: 'roles', at: () => '/roles', shown: 'main :is(.empty, td)' },
  { name: 'a role', at: (world) => `/roles/${world.role}`, shown: 'main td', empty: false },
  { name: 'rights', at: () => '/rights', shown: 'main select' },
  {
    name: 'consent',
    at: (world) => `/oauth?client_id=${world.client.id}`,
    shown: '.consent .buttons',
    isAlone: true,
    empty: false,
  },
  { name: 'consent refused', at: () => '/oauth?client_id=none', shown: '.consent .problem', isAlone: true, full: false },
  { name: 'consent by rights', at: (world) => `/oauth?client_id=${world.client.id}`, shown: '.consent h1', who: 'nobody', isAlone: true, empty: false },
  { name: 'integrations', at: () => '/integrations', shown: '.split-list :is(.empty, .line)' },
  { name: 'an integration', at: (world) => `/integrations/${world.client.id}`, shown: '.token-history', empty: false },
  {
    name: 'a long-lived token',
    at: (world) => `/integrations/${world.client.id}`,
    shown: '.token-history',
    open: (page) => page.locator('.part header .button').first().click(),
    empty: false,
  },
  {
    name: 'an integration to uninstall',
    at: (world) => `/integrations/${world.client.id}`,
    shown: '.token-history',
    open: (page) => page.locator('.head .button').click(),
    empty: false,
  },
  { name: 'integrations by rights', at: () => '/integrations', shown: 'main .empty', who: 'nobody', empty: false },
  { name: 'webhooks', at: () => '/webhooks', shown: '.split-list :is(.empty, .line)' },
  { name: 'a webhook', at: (world) => `/webhooks/${world.webhook}`, shown: 'article .facts', empty: false },
  { name: 'a new webhook', at: () => '/webhooks', shown: '.split-list :is(.empty, .line)', open: (page) => page.locator('.page-actions .button').click() },
  { name: 'webhooks by rights', at: () => '/webhooks', shown: 'main .empty', who: 'nobody', empty: false },
  { name: 'hooks', at: (world) => `/hooks/${world.account}`, shown: 'main :is(.empty, .line)', who: 'operator' },
  { name: 'a hook', at: (world) => `/hooks/${world.account}/${world.webhook}/${world.hook}`, shown: '.form-values', who: 'operator', empty: false },
  { name: 'relays', at: () => '/relays', shown: 'main .empty', who: 'operator' },
  {
    name: 'relays to choose from',
    at: () => '/relays',
    shown: 'main .empty',
    open: async (page) => {
      await showRelays(page);
      await page.locator('.split-list .line').first().waitFor();
    },
    who: 'operator',
    empty: false,
  },
  {
    name: 'a relay',
    at: () => RELAY,
    shown: '.split-detail .problem',
    open: async (page) => {
      await showRelays(page);
      await page.locator('.relay-hooks').waitFor();
    },
    who: 'operator',
    empty: false,
  },
  { name: 'no such page', at: () => '/users/1/2/3', shown: 'main .empty' },
  { name: 'user menu', at: () => '/contacts', shown: ':is(.empty, .contacts)', open: (page) => page.locator('.user-menu .user').click() },
  {
    name: 'paused',
    at: () => '/contacts',
    shown: ':is(.empty, .contacts)',
    open: async (page) => {
      await page.keyboard.press('Period');
      await page.locator('.connection.paused').waitFor();
    },
  },
  {
    name: 'all entries',
    at: () => '/contacts',
    shown: ':is(.empty, .contacts)',
    // A telephone shows the first ones only.
    open: async (page) => {
      const more = page.locator('.navigation .more button');
      if (await more.isVisible()) await more.click();
    },
  },
  {
    name: 'details',
    at: (world) => `/conversations/${world.conversation}`,
    shown: '[data-message]',
    open: async (page) => {
      if (!(await page.locator('.details').isVisible())) await page.keyboard.press('KeyI');
      await page.locator('.details .lead-actions').waitFor();
    },
    empty: false,
  },
  {
    name: 'not sent',
    at: (world) => `/conversations/${world.conversation}`,
    shown: '[data-message]',
    open: async (page) => {
      await page.route('**/messages', (route) => (route.request().method() === 'POST' ? route.fulfill({ status: 503, json: {} }) : route.fallback()));
      await page.locator('.reply-form textarea').fill('Are you there?');
      await page.keyboard.press('Control+Enter');
      await page.locator('.problem-of-message').first().waitFor();
    },
    empty: false,
  },
  { name: 'shortcuts', at: () => '/conversations', shown: '.conversation-list :is(.empty, .conversation)', open: (page) => page.keyboard.press('Shift+Slash') },
  { name: 'inbox by rights', at: () => '/conversations', shown: '.conversation-list .empty', who: 'nobody', empty: false },
  { name: 'unsorted by rights', at: () => '/unsorted', shown: '.empty', who: 'nobody', empty: false },
  { name: 'contacts by rights', at: () => '/contacts', shown: '.empty', who: 'nobody', empty: false },
  { name: 'roles by rights', at: () => '/roles', shown: 'main p', who: 'nobody', empty: false },
  {
    name: 'callbacks',
    at: (world) => `/callbacks?channel=${world.channel.id}`,
    shown: '.split-list :is(.empty, .line)',
    who: 'operator',
  },
  {
    name: 'callbacks of nobody',
    at: () => '/callbacks',
    shown: '.split-list :is(.empty, .line)',
    // Other worlds of the same service have some.
    open: async (page) => {
      await page.route('**/admin/v1/deliveries?*', (route) => route.fulfill({ json: { deliveries: [], next: null } }));
      await page.locator('.split-list .empty .command').waitFor();
      await page.keyboard.press('Period');
      await page.locator('.connection.paused').waitFor();
      await page.unroute('**/admin/v1/deliveries?*');
    },
    who: 'operator',
    full: false,
  },
  { name: 'a callback', at: (world) => `/callbacks/${world.dead}?channel=${world.channel.id}`, shown: '.attempts', who: 'operator', empty: false },
  {
    name: 'a delivered callback',
    at: (world) => `/callbacks/${world.delivered}?channel=${world.channel.id}&group=delivered`,
    shown: '.attempts',
    open: async (page) => {
      await page.locator('.split-detail .head .button').click();
      await page.locator('.body').waitFor();
    },
    who: 'operator',
    empty: false,
  },
  {
    name: 'an edited callback',
    at: (world) => `/callbacks/${world.dead}?channel=${world.channel.id}`,
    shown: '.body',
    open: async (page) => {
      await page.locator('.part:last-of-type header .button').last().click();
      await page.locator('dialog [type=checkbox]').uncheck();
    },
    who: 'operator',
    empty: false,
  },
  {
    name: 'replays of callbacks',
    at: (world) => `/callbacks?channel=${world.channel.id}`,
    shown: '.split-list :is(.empty, .line)',
    open: async (page) => {
      await page.locator('.page-actions .button').last().click();
      await page.locator('dialog form').waitFor();
    },
    who: 'operator',
  },
  { name: 'requests', at: () => '/requests', shown: 'main :is(.empty, td, li)', who: 'operator' },
  { name: 'a request', at: (world) => `/requests/${world.forged}?channel=${world.channel.id}`, shown: '.note.bad .badge', who: 'operator', empty: false },
  { name: 'channels', at: () => '/channels', shown: 'main :is(td, li)', who: 'operator' },
  { name: 'a channel', at: (world) => `/channels/${world.channel.id}`, shown: '.command', who: 'operator' },
  {
    name: 'a channel to disconnect',
    at: (world) => `/channels/${world.channel.id}`,
    shown: '.connections',
    open: async (page) => {
      await page.locator('.connections .button').last().click();
      await page.locator('.connections .danger').waitFor();
    },
    who: 'operator',
  },
  { name: 'oauth clients', at: () => '/oauth-clients', shown: '.split-list :is(.empty, .line)', who: 'operator' },
  { name: 'an oauth client', at: (world) => `/oauth-clients/${world.client.id}`, shown: '.token-requests', who: 'operator', empty: false },
  {
    name: 'a new oauth client',
    at: () => '/oauth-clients',
    shown: '.split-list :is(.empty, .line)',
    open: (page) => page.locator('.page-actions .button').click(),
    who: 'operator',
  },
  { name: 'health', at: () => '/health', shown: '.endpoints', who: 'operator' },
  {
    name: 'health of a node of a shared log',
    at: () => '/health',
    shown: '.endpoints',
    open: async (page) => {
      const checks = { store: 'the node is a standby', index: 'ok', draining: false };
      const names = { name: 'london-1', owner: 'frankfurt-2', owner_url: 'https://switchboard-frankfurt-2.internal.example.com:8443' };
      const trouble = 'the primary at postgres-1.internal.example.com:5432 waits for a standby that does not answer';
      const numbers = { epoch: 1204, entry: 98_765_432_101, behind_entries: 54_321, behind_seconds: 7205 };
      const json = { ready: false, writable: false, checks, node: { role: 'standby', ...names, ...numbers, trouble } };
      // Not 503, which the browser would report as an error.
      await page.route('**/readyz', (route) => route.fulfill({ json }));
      await page.locator('.health > .note + .part').waitFor();
    },
    who: 'operator',
  },
  {
    name: 'health of relays',
    at: () => '/health',
    shown: '.endpoints',
    open: async (page) => {
      await showRelays(page);
      await page.locator('.relay-health').waitFor();
    },
    who: 'operator',
    empty: false,
  },
  { name: 'api', at: () => '/reference/overview', shown: '.schemes' },
  { name: 'an operation', at: () => '/reference/sendMessage', shown: '.try' },
  { name: 'a callback of the api', at: () => '/reference/callbackV2', shown: '.body' },
  { name: 'sign-in', at: () => '/', shown: '.sign-in form', who: 'stranger', full: false },
  {
    name: 'sign-in refused',
    at: () => '/',
    shown: '.sign-in form',
    open: async (page) => {
      await page.locator('.sign-in summary').click();
      await page.locator('[name=email]').fill('nobody@example.com');
      await page.locator('[name=password]').fill('wrong');
      await page.locator('.sign-in [type=submit]').click();
      await page.locator('.notice.bad').waitFor();
    },
    who: 'stranger',
    full: false,
  },
  {
    name: 'setup',
    at: () => '/',
    shown: '.sign-in form',
    // The service of the other pages has users.
    open: async (page) => {
      await page.route('**/inbox/v1/setup', (route) => route.fulfill({ json: { is_needed: true } }));
      await page.reload();
      await page.locator('[name=token]').fill('wrong');
      for (const name of ['account', 'name', 'password']) await page.locator(`[name=${name}]`).fill('x');
      await page.locator('[name=email]').fill('nobody@example.com');
      await page.locator('.sign-in [type=submit]').click();
      await page.locator('.field .wrong').waitFor();
      await page.unroute('**/inbox/v1/setup');
    },
    who: 'stranger',
    full: false,
  },
  { name: 'operator gate', at: () => '/channels', shown: '.operator-gate' },
];

/** The pages at rest, and in each of their states. */
export const PAGES = AT_REST.flatMap((page) => [
  page,
  ...Object.entries(STATES[page.name] ?? {}).map(([state, act]) => ({
    ...page,
    name: `${page.name}, ${state}`,
    // A state is one of a page with something on it.
    empty: false,
    full: true,
    open: async (browser, world) => {
      await page.open?.(browser, world);
      await act(browser, world);
    },
  })),
]);

/** The pages that are measured at rest alone, though `states.mjs` does not say why. */
export const UNEXPLAINED = AT_REST.map(({ name }) => name).filter((name) => STATES[name] === undefined && STILL[name] === undefined);
