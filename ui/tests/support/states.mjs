// The states to which the main actions of pages lead: an answer, a refusal, an opened dialog, a created thing, a long value.
// Their boxes are measured as those of the page at rest: see `pages.mjs`.

const LONG = 'Donaudampfschifffahrtselektrizitätenhauptbetriebswerkbauunterbeamtengesellschaft'.repeat(3);

/** Answers a request of the page with a refusal of the service, whose texts are long. */
async function refuse(page, pattern, status = 400) {
  const errors = ['name', 'email', 'password', 'rights.role_id'].map((path) => ({ code: 'InvalidValue', path, detail: `expected something else than «${LONG}»` }));
  const json = { title: 'Refused', type: 'about:blank', status, detail: `Refused: ${LONG}`, 'validation-errors': [{ request_id: '0', errors }] };
  await page.route(pattern, (route) => (route.request().method() === 'GET' ? route.fallback() : route.fulfill({ status, json })));
}

/** Answers a change of the responsible user as if another user had changed it first. */
async function overtake(page) {
  const json = { title: 'Conflict', type: 'about:blank', status: 409, detail: 'Another user changed it.', responsible_user_id: 4_294_967_295 };
  await page.route('**/responsible', (route) => route.fulfill({ status: 409, json }));
}

const dialog = (page) => page.locator('dialog .content').waitFor();
const refused = (page) => page.locator(':is(.problem, .wrong)').first().waitFor();

/** Sends the request of the form of the API's page, and waits for its answer. */
async function tried(page) {
  await page.locator('.try [type=submit]').click();
  await page.locator('.try .note h3').first().waitFor();
  // The answer lies below the form.
  await page.locator('.try [type=submit]').evaluate((it) => it.scrollIntoView({ block: 'start' }));
}

/** Writes a note for the team, and leads to it. */
async function noted(page) {
  await page.keyboard.press('KeyT');
  await page.locator('.note-form textarea').fill(`${LONG}\n`.repeat(3));
  await page.locator('.note-form [type=submit]').click();
  await page.waitForFunction(() => document.querySelector('.note-form textarea').value === '');
  return page.locator('.team-note').last();
}

/** Writes a reply where the page shows the draft that the service has. What is typed earlier is another version of that draft. */
async function write(page, text) {
  const isShown = async () => {
    const answer = await fetch(`/inbox/v1${location.pathname}/drafts/reply`);
    return document.querySelector('.reply-form textarea').value === (await answer.json()).text;
  };
  await page.waitForFunction(isShown);
  await page.locator('.reply-form textarea').fill(text);
}

/** Has a scheduled reply with a long text: the one that is there already, or a new one. */
async function scheduled(page) {
  const isThere = await page.evaluate(async () => {
    const answer = await fetch(`/inbox/v1${location.pathname}/scheduled-replies`);
    return (await answer.json()).scheduled_replies.length > 0;
  });
  if (!isThere) {
    await write(page, `${LONG}\n`.repeat(3));
    await page.locator('.reply-form .below .button').nth(2).click();
    await page.locator('dialog .snooze-choice').last().click();
  }
  await page.locator('.scheduled-reply').first().waitFor();
}

/** Shows templates whose names, texts, markers and buttons are long. */
async function templates(page) {
  const buttons = [{ text: LONG }, { text: 'Yes' }, { text: 'Shop', url: 'https://shop.example.com/' }];
  const all = Array.from({ length: 12 }, (_, at) => ({
    id: at + 1,
    name: `${at} ${LONG}`,
    content: LONG,
    text: `${LONG}\n`.repeat(at + 1),
    empty: at === 0 ? [`{{${LONG}}}`, '{{lead.cf.3}}'] : [],
    buttons,
    file_name: `${LONG}.png`,
  }));
  await page.route('**/templates', (route) => route.fulfill({ json: { templates: all } }));
  await page.locator('.reply-form .below .button').nth(1).click();
  await page.locator('dialog [role=option]').first().waitFor();
}

/** Shows canned replies whose names, texts, markers and files are long. */
async function cannedReplies(page) {
  const all = Array.from({ length: 12 }, (_, at) => ({
    id: at + 1,
    name: `${at} ${LONG}`,
    text: at === 0 ? null : `${LONG} {{${'x'.repeat(100)}}}\n`.repeat(at),
    empty: [],
    is_shared: at % 2 === 0,
    user_id: 1,
    file: { id: 'f', type: 'file', file_name: `${LONG}.png`, file_size: 7 },
  }));
  await page.route('**/canned-replies?*', (route) => route.fulfill({ json: { canned_replies: all, next: null } }));
  // What is written here is no draft of the next state.
  const saved = { number: 1_000_000, updated_at: 1, text: '', file: null };
  await page.route('**/drafts/reply', (route) => (route.request().method() === 'GET' ? route.fallback() : route.fulfill({ json: saved })));
  await page.locator('.reply-form textarea').fill('');
  await page.locator('.reply-form textarea').focus();
  await page.keyboard.type('/');
  await page.locator('.canned-option').first().waitFor();
}

/** Leads from the list of canned replies to the dialog that changes them. */
async function managed(page) {
  await cannedReplies(page);
  await page.locator('.canned-suggestions .button').click();
  await page.locator('dialog .canned-entries li').first().waitFor();
}

/** Leads to the filters, with views and tags whose names are long, and to the status of a view that is saved. */
async function managedViews(page, status) {
  const views = Array.from({ length: 12 }, (_, at) => ({
    id: at + 1,
    name: `${at} ${LONG}`.slice(0, 100),
    is_shared: at % 2 === 0,
    user_id: 1,
    filters: {},
    missing: at < 4 ? ['group'] : [],
    version: 1,
  }));
  await page.route('**/inbox/v1/views*', (route) => {
    if (route.request().method() === 'GET') return route.fulfill({ json: { views, next: null } });
    return route.fulfill({ status, json: { title: 'Refused', status, detail: LONG } });
  });
  await page.route('**/leads/tags*', (route) => route.fulfill({ json: { _links: {}, _embedded: { tags: [{ id: 1, name: LONG }] } } }));
  await page.route('**/inbox/v1/conversations?*view=*', (route) => route.fulfill({ json: { conversations: [], next: null } }));
  await page.reload();
  await page.locator('.narrow-more .bare[aria-haspopup]').click();
  await page.locator('dialog .views-entries li').first().waitFor();
}

/** Shows conversations of a channel with a kind, whose customers have blocked it. */
async function blocked(page) {
  const marked = (it) => ({
    ...it,
    channel: it.channel && { ...it.channel, kind: 'telegram' },
    lead: it.lead && { ...it.lead, tags: [{ id: 1, name: 'blocked' }] },
  });
  await page.route(/\/inbox\/v1\/conversations(\?|\/[0-9a-f-]{36}$)/, async (route) => {
    const response = await route.fetch();
    const json = await response.json();
    await route.fulfill({ response, json: json.conversations === undefined ? marked(json) : { ...json, conversations: json.conversations.map(marked) } });
  });
  await page.reload();
  await page.locator('.thread-head .blocked').waitFor();
  await page.locator('.blocked-note').waitFor();
}

export const STATES = {
  thread: {
    'a customer who has blocked the channel': blocked,
    'a note being changed': async (page) => {
      await (await noted(page)).locator('.ways .link').first().click();
      await page.locator('.note-editor').waitFor();
    },
    'a note to delete': async (page) => {
      await (await noted(page)).locator('.ways .link').last().click();
      await dialog(page);
    },
    'a note that is refused': async (page) => {
      await refuse(page, '**/notes');
      await page.keyboard.press('KeyT');
      await page.locator('.note-form textarea').fill(`${LONG}\n`.repeat(12));
      await page.keyboard.press('Control+Enter');
      await refused(page);
    },
    'users to mention': async (page) => {
      const users = Array.from({ length: 8 }, (_, at) => ({ id: at + 1, name: `${at} ${LONG}`, may_view: at > 3 }));
      await page.route('**/mentionable-users*', (route) => route.fulfill({ json: { users, next: null } }));
      await page.keyboard.press('KeyT');
      await page.locator('.note-form textarea').fill(`@${users[0].name} @${users[1].name} @`);
      await page.locator('.suggested li').last().waitFor();
    },
    'a long text being written': async (page) => {
      await write(page, `${LONG}\n`.repeat(12));
    },
    'the responsible user': async (page) => {
      await page.locator('.handling .button').first().click();
      await dialog(page);
    },
    'a responsible user whom another user changed first': async (page) => {
      await overtake(page);
      await page.locator('.handling .button').first().click();
      await dialog(page);
      await page.locator('dialog .ways .button').first().click();
      await page.locator('.responsible-overtaken').waitFor();
    },
    'a snooze being chosen': async (page) => {
      await page.locator('.handling .button').nth(1).click();
      await dialog(page);
    },
    'a snooze that is refused': async (page) => {
      await refuse(page, '**/snooze');
      await page.locator('.handling .button').nth(1).click();
      await dialog(page);
      await page.locator('dialog .snooze-choice').first().click();
      await refused(page);
    },
    'a snoozed conversation': async (page) => {
      // It stays snoozed until it is closed.
      if ((await page.locator('.handling .snoozed .badge').count()) === 0) {
        await page.locator('.handling .button').nth(1).click();
        await page.locator('dialog .snooze-choice').last().click();
      }
      await page.locator('.handling .snoozed .badge').waitFor();
    },
    'a reply to send later': async (page) => {
      await write(page, LONG);
      await page.locator('.reply-form .below .button').nth(2).click();
      await dialog(page);
    },
    'a scheduled reply': async (page) => {
      await scheduled(page);
    },
    'a scheduled reply being changed': async (page) => {
      await scheduled(page);
      await page.locator('.scheduled-reply .ways .button').first().click();
      await dialog(page);
    },
    'a scheduled reply to cancel': async (page) => {
      await scheduled(page);
      await page.locator('.scheduled-reply .ways .button').last().click();
      await dialog(page);
    },
    'a scheduled reply that was held': async (page) => {
      await scheduled(page);
      await page.route('**/scheduled-replies/*', async (route) => {
        const reply = await (await route.fetch()).json();
        await route.fulfill({ json: { ...reply, version: reply.version + 1, status: 'held', held: { code: 'customer_wrote', detail: LONG } } });
      });
      await page.locator('.scheduled-reply .ways .button').first().click();
      await dialog(page);
      await page.locator('dialog [type=submit]').click();
      await page.locator('.scheduled-reply.held').first().waitFor();
    },
    'templates to choose from': async (page) => {
      await templates(page);
    },
    'no templates': async (page) => {
      await page.route('**/templates', (route) => route.fulfill({ json: { templates: [] } }));
      await page.locator('.reply-form .below .button').nth(1).click();
      await page.locator('dialog .empty').waitFor();
    },
    'a template to send without values': async (page) => {
      await templates(page);
      await page.locator('dialog [role=option]').first().click();
      await page.locator('dialog .actions .primary').click();
      await page.locator('dialog .content > [role=status]:not(.unseen)').waitFor();
    },
    'a template that is refused': async (page) => {
      await refuse(page, '**/messages');
      await templates(page);
      await page.locator('dialog [role=option]').last().click();
      await page.locator('dialog .actions .primary').click();
      await page.locator('.pending .message-buttons').waitFor();
      await refused(page);
    },
    'canned replies to choose from': async (page) => {
      await cannedReplies(page);
    },
    'a canned reply with gaps': async (page) => {
      await cannedReplies(page);
      await page.keyboard.press('ArrowDown');
      await page.keyboard.press('Enter');
      await page.keyboard.press('Control+Enter');
      await page.locator('p.canned-gaps').waitFor();
    },
    'canned replies to manage': async (page) => {
      await managed(page);
    },
    'a canned reply that is refused': async (page) => {
      await refuse(page, '**/canned-replies');
      await managed(page);
      await page.locator('dialog .content .button').first().click();
      await page.locator('dialog input:not([type])').fill(LONG);
      await page.locator('dialog textarea').fill(`${LONG}\n`.repeat(12));
      await page.locator('dialog [type=submit]').click();
      await refused(page);
    },
    'a close that is refused': async (page) => {
      await refuse(page, '**/close', 403);
      await page.locator('.handling .button').last().click();
      await refused(page);
    },
    'a closed conversation': async (page) => {
      // It stays closed in this world.
      if ((await page.locator('.handling .closed .badge').count()) === 0) await page.locator('.handling .button').last().click();
      await page.locator('.handling .closed .badge').waitFor();
    },
    'a file that is too large': async (page) => {
      await page.locator('.composer input[type=file]').evaluate((input) => {
        const file = new File(['x'], 'a.bin');
        Object.defineProperty(file, 'size', { value: 4_000_000_000 });
        Object.defineProperty(input, 'files', { value: [file] });
        input.dispatchEvent(new Event('change', { bubbles: true }));
      });
      await page.locator('.too-large').waitFor();
    },
  },
  inbox: {
    'conversations being chosen': async (page) => {
      await page.locator('.narrow-more .bare:not([aria-haspopup])').click();
      await page.locator('.choosing').waitFor();
      await page.locator('.choosing .button').first().click();
    },
    'conversations that were not changed': async (page) => {
      const outcomes = [1, 2].map((number) => ({ id: `${LONG}${number}`, status: 409, detail: LONG }));
      await page.route('**/inbox/v1/conversations', (route) =>
        route.request().method() === 'PATCH' ? route.fulfill({ json: { outcomes, undo: '00000000-0000-4000-8000-000000000000' } }) : route.fallback(),
      );
      await page.locator('.narrow-more .bare:not([aria-haspopup])').click();
      await page.locator('.choosing .button').first().click();
      await page.locator('.choosing .button').nth(1).click();
      await page.locator('.outcome li').first().waitFor();
    },
    'views to choose from': async (page) => {
      await managedViews(page);
      await page.locator('.views-entries .button').first().click();
      await page.locator('.view-now .badge').waitFor();
    },
    'filters and views': async (page) => {
      await managedViews(page);
    },
    'a view that is refused': async (page) => {
      await managedViews(page, 409);
      await page.locator('dialog input[maxlength]').fill(LONG.slice(0, 100));
      await page.locator('dialog form [type=submit]').click();
      await refused(page);
    },
  },
  'write first': {
    'a refusal': async (page) => {
      await dialog(page);
      await refuse(page, '**/inbox/v1/conversations');
      for (const input of await page.locator('dialog input:not([type=hidden])').all()) await input.fill('+49 30 1234567');
      await page.locator('dialog textarea').fill(LONG);
      await page.locator('dialog [type=submit]').click();
      await refused(page);
    },
  },
  unsorted: {
    'several chosen': async (page) => {
      for (const box of (await page.locator('[data-lead] [type=checkbox]').all()).slice(0, 3)) await box.check();
      await page.locator('.picked').waitFor();
    },
    'accept as': async (page) => {
      await page.locator('[data-lead] .lead-actions .button').nth(1).click();
      await dialog(page);
    },
    decline: async (page) => {
      await page.locator('[data-lead] .lead-actions .button').nth(2).click();
      await dialog(page);
    },
    'a refusal': async (page) => {
      await refuse(page, '**/accept', 403);
      await page.locator('[data-lead] .lead-actions .button').first().click();
      await refused(page);
    },
  },
  'a contact': {
    'a refusal': async (page) => {
      await refuse(page, '**/api/v4/contacts/*', 403);
      await page.locator('dialog [name=name]').fill(LONG.slice(0, 240));
      await page.locator('dialog [type=submit]').click();
      await refused(page);
    },
  },
  users: {
    'several to change': async (page) => {
      await page.locator('.users tbody [type=checkbox]:enabled').first().check();
      await page.locator('.switching .button').first().click();
      await dialog(page);
    },
  },
  'add users': {
    'a refusal': async (page) => {
      await refuse(page, '**/api/v4/users');
      await page.locator('.new-user input').first().fill(LONG);
      await page.locator('main [type=submit]').click();
      await refused(page);
    },
  },
  'a user': {
    'a refusal': async (page) => {
      await refuse(page, '**/api/v4/users/*');
      await page.locator('.edit-user input').first().fill(LONG.slice(0, 50));
      await page.locator('.edit-user [type=submit]').click();
      await refused(page);
    },
  },
  'a role': {
    'users to give it to': async (page) => {
      await page.locator('.holders .button').first().click();
      await page.locator('.candidates li').first().waitFor();
    },
    'to be deleted': async (page) => {
      await page.locator('.page-actions .danger').click();
      await dialog(page);
    },
    'a refusal': async (page) => {
      await refuse(page, '**/api/v4/roles/*');
      await page.locator('.role-editor .name input').fill(LONG);
      await page.locator('.role-editor [type=submit]').click();
      await refused(page);
    },
  },
  'user menu': {
    'profile and notifications': async (page) => {
      await page.locator('.user-menu .sheet .button').first().click();
      await dialog(page);
    },
    'a wrong password': async (page) => {
      await page.locator('.user-menu .sheet .button').first().click();
      await dialog(page);
      await refuse(page, '**/inbox/v1/me/password', 429);
      for (const input of await page.locator('dialog input[type=password]').all()) await input.fill(LONG);
      await page.locator('dialog form:has([type=password]) [type=submit]').click();
      await refused(page);
    },
    'refused notifications': async (page) => {
      await page.locator('.user-menu .sheet .button').first().click();
      await dialog(page);
      await refuse(page, '**/inbox/v1/me', 429);
      await page.locator('dialog .notifications input[name=quiet]').check();
      await page.locator('dialog .notifications [type=submit]').click();
      await refused(page);
    },
  },
  requests: {
    'a request': async (page) => {
      await page.locator('.split-list .line').first().click();
      await page.locator('.split-detail article').waitFor();
    },
  },
  'a request': {
    'another body': async (page) => {
      await page.locator('.part .button').first().click();
      await page.locator('form.note textarea').first().fill(LONG.repeat(4));
      await page.locator('form.note [type=submit]').click();
      await page.locator('form.note .badge').waitFor();
    },
  },
  'a callback': {
    'to be discarded or sent again': async (page) => {
      await page.locator('.head .button').first().click();
    },
  },
  channels: {
    'a new one': async (page) => {
      await page.locator('.page-actions .button').click();
      await dialog(page);
      await page.locator('dialog input').first().fill(LONG);
    },
  },
  'a new oauth client': {
    'a refusal': async (page) => {
      await refuse(page, '**/admin/v1/oauth-clients');
      for (const input of await page.locator('dialog input:is([type=text], [type=url], :not([type]))').all()) await input.fill(`https://example.com/${LONG}`);
      await page.locator('dialog [type=submit]').click();
      await refused(page);
    },
  },
  'a webhook': {
    'to delete': async (page) => {
      await page.locator('article .head .button').last().click();
      await dialog(page);
    },
    'a refusal': async (page) => {
      await refuse(page, '**/api/v4/webhooks', 403);
      await page.locator('article .head .button').last().click();
      await dialog(page);
      await page.locator('dialog .button').last().click();
      await refused(page);
    },
  },
  'a new webhook': {
    'a refusal': async (page) => {
      await dialog(page);
      await refuse(page, '**/api/v4/webhooks');
      await page.locator('dialog input').first().fill(`https://example.com/${LONG}`);
      await page.locator('dialog [type=submit]').click();
      await refused(page);
    },
  },
  'a hook': {
    'a refusal': async (page) => {
      await refuse(page, '**/replay', 409);
      await page.locator('article .head .button').click();
      await refused(page);
    },
  },
  'a relay': {
    'to pause or resume': async (page) => {
      await page.locator('article > .head .button').last().click();
      await dialog(page);
    },
    'a hook to send again': async (page) => {
      await page.locator('.relay-hooks .button').first().click();
      await dialog(page);
    },
    'a refusal': async (page) => {
      await refuse(page, '**/replay', 409);
      await page.locator('article > .head .button').first().click();
      await dialog(page);
      for (const input of await page.locator('dialog input').all()) await input.fill('2026-11-30T12:00:00');
      await page.locator('dialog [type=submit]').click();
      await refused(page);
    },
  },
  'an operation': {
    'an answer': async (page, world) => {
      await page.locator('.try input[type=password]').first().fill(world.channel.secret);
      await page.locator('.try input.mono').first().fill(world.scope);
      await tried(page);
    },
    'a refusal': async (page, world) => {
      await page.locator('.try input[type=password]').first().fill('another');
      await page.locator('.try input.mono').first().fill(world.scope);
      await tried(page);
    },
    'a long value': async (page) => {
      await page.locator('.try input[type=password]').first().fill('another');
      await page.locator('.try input.mono').first().fill(LONG);
      await page.locator('.try textarea').fill(JSON.stringify({ text: LONG.repeat(8) }));
      await tried(page);
    },
  },
  'operator gate': {
    'a refusal': async (page) => {
      await page.locator('.operator-gate input').fill(LONG);
      await page.locator('.operator-gate [type=submit]').click();
      await page.locator('.operator-gate [aria-invalid]').waitFor();
    },
  },
};

/** Pages that have no action of their own, or are a state of another page themselves. */
export const STILL = Object.fromEntries(
  [
    ['lists', ['contacts', 'roles', 'integrations', 'webhooks', 'hooks', 'relays', 'callbacks', 'oauth clients', 'api', 'health']],
    ['states of another page', [
      'awkward thread', 'search without a hit', 'without a lead', 'a long-lived token', 'an integration to uninstall', 'paused', 'all entries',
      'details', 'not sent', 'shortcuts', 'callbacks of nobody', 'a delivered callback', 'an edited callback', 'replays of callbacks',
      'a channel to disconnect', 'health of a node of a shared log', 'health of relays', 'sign-in refused', 'setup', 'relays to choose from', 'consent refused', 'a callback of the api',
    ]],
    ['refusals', [
      'no such conversation', 'no such page', 'inbox by rights', 'unsorted by rights', 'contacts by rights', 'roles by rights',
      'integrations by rights', 'webhooks by rights', 'consent by rights',
    ]],
    ['other pages measure their actions', ['rights', 'consent', 'an integration', 'a channel', 'an oauth client', 'sign-in']],
  ].flatMap(([why, names]) => names.map((name) => [name, why])),
);
