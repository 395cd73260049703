// Drives amocrm-js, which uses `https`.
'use strict';
const { equal, given, library, run } = require('./operations.js');
const { Client } = library('amocrm-js');

const auth = { client_id: '-', client_secret: '-', redirect_uri: '-', bearer: given.token };
const client = new Client({ domain: given.subdomain, auth });

const ids = (page) => page.getData().map((entry) => entry.id);

async function tag(resource, id) {
  const entity = await resource.getById(id);
  entity.embeddedTags.set([{ name: 'vip' }]);
  await entity.save();
  equal((await resource.getById(id)).embeddedTags.get().map((tag) => tag.name), ['vip']);
}

run({
  'exchange code': async () => {
    const { client_id, client_secret, redirect_uri, codes } = given.install;
    const auth = { client_id, client_secret, redirect_uri, code: codes.pop() };
    const installed = new Client({ domain: given.subdomain, auth });
    const { data } = await installed.request.get('/api/v4/account');
    equal(data.subdomain, given.own_subdomain);
  },
  'refresh token': async () => {
    const { client_id, client_secret, redirect_uri, refresh_tokens } = given.install;
    const installed = new Client({ domain: given.subdomain, auth: { client_id, client_secret, redirect_uri } });
    installed.token.setValue({ token_type: 'Bearer', access_token: 'old', expires_at: 1, refresh_token: refresh_tokens.pop() });
    const { data } = await installed.request.get('/api/v4/account');
    equal(data.subdomain, given.own_subdomain);
  },
  'get account': async () => {
    const { data } = await client.request.get('/api/v4/account', { with: 'amojo_id' });
    equal([data.subdomain, data.amojo_id], [given.own_subdomain, given.account]);
  },
  'list leads': async () => equal(ids(await client.leads.get()).includes(given.lead), true),
  'find leads': async () => equal(ids(await client.leads.get({ query: 'nothing has this name' })), []),
  'get lead': async () => equal((await client.leads.getById(given.lead)).id, given.lead),
  'change leads': async () => {
    const lead = await client.leads.getById(given.lead);
    lead.name = 'amocrm-js';
    await lead.save();
    equal((await client.leads.getById(given.lead)).name, 'amocrm-js');
  },
  'pages of leads': async () => {
    const page = await client.leads.get({ limit: 1 });
    const seen = ids(page);
    while (await page.next()) seen.push(...ids(page));
    equal(seen.includes(given.lead) && seen.length > 1, true);
  },
  'filter leads': async () => {
    equal(ids(await client.leads.get({ filter: { id: [given.lead] } })), [given.lead]);
    equal(ids(await client.leads.get({ filter: { pipeline_id: 999 } })), []);
  },
  'tag leads': () => tag(client.leads, given.lead),
  'tags of leads': async () => {
    await client.leads.tags.create([{ name: 'regular' }]);
    const tags = await client.leads.tags.get();
    equal(tags.getData().some((tag) => tag.name === 'regular'), true);
  },
  'create leads': async () => {
    const [made] = await client.leads.create([{ name: 'made by amocrm-js' }]);
    equal((await client.leads.getById(made.id)).name, 'made by amocrm-js');
  },
  'list contacts': async () => equal(ids(await client.contacts.get()).includes(given.contact), true),
  'get contact': async () => equal((await client.contacts.getById(given.contact)).id, given.contact),
  'change contacts': async () => {
    const contact = await client.contacts.getById(given.contact);
    contact.name = 'amocrm-js';
    await contact.save();
    equal((await client.contacts.getById(given.contact)).name, 'amocrm-js');
  },
  'find contacts': async () => {
    equal(ids(await client.contacts.get({ query: 'nothing has this name' })), []);
    equal(ids(await client.contacts.get({ filter: { id: given.contact } })), [given.contact]);
  },
  'tag contacts': () => tag(client.contacts, given.contact),
  'create contacts': async () => {
    const [made] = await client.contacts.create([{ name: 'made by amocrm-js' }]);
    equal((await client.contacts.getById(made.id)).name, 'made by amocrm-js');
  },
  'list pipelines': async () => {
    const { data } = await client.request.get('/api/v4/leads/pipelines');
    equal(data._embedded.pipelines.map((pipeline) => pipeline.id), [1]);
  },
  'list users': async () => {
    const { data } = await client.request.get('/api/v4/users');
    equal(data._embedded.users[0].name, 'Ada');
  },
});
