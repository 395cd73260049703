// Drives @shevernitskiy/amo, which uses `fetch`.
'use strict';
const { equal, given, library, run } = require('./operations.js');
const { Amo } = library('@shevernitskiy/amo');

const host = `${given.subdomain}.amocrm.ru`;
const hour = 3_600_000;
const amo = new Amo(
  host,
  {
    token_type: 'Bearer',
    expires_in: 86_400,
    access_token: given.token,
    refresh_token: '-',
    expires_at: Date.now() + hour,
    client_id: '-',
    client_secret: '-',
    redirect_uri: '-',
  },
  { request_delay: 1 },
);
const of = (answer, name) => answer._embedded[name].map((entry) => entry.id);
const named = (name) => ({ name });

run({
  'exchange code': async () => {
    const { client_id, client_secret, redirect_uri, codes } = given.install;
    const auth = { client_id, client_secret, redirect_uri, grant_type: 'authorization_code', code: codes.pop() };
    const account = await new Amo(host, auth).account.getAccount();
    equal(account.subdomain, given.own_subdomain);
  },
  'get account': async () => {
    const account = await amo.account.getAccount({ with: ['amojo_id'] });
    equal([account.subdomain, account.amojo_id], [given.own_subdomain, given.account]);
  },
  'list leads': async () => equal(of(await amo.lead.getLeads(), 'leads').includes(given.lead), true),
  'get lead': async () => equal((await amo.lead.getLeadById(given.lead)).id, given.lead),
  'change lead': async () => {
    await amo.lead.updateLeadById(given.lead, named('amo'));
    equal((await amo.lead.getLeadById(given.lead)).name, 'amo');
  },
  'change leads': async () => {
    await amo.lead.updateLeads([{ id: given.lead, name: 'amo, of many' }]);
    equal((await amo.lead.getLeadById(given.lead)).name, 'amo, of many');
  },
  'create leads': async () => {
    const [made] = of(await amo.lead.addLeads([named('made by amo')]), 'leads');
    equal((await amo.lead.getLeadById(made)).name, 'made by amo');
  },
  'notes of lead': async () => {
    const note = { entity_id: given.lead, note_type: 'common', params: { text: 'noted' } };
    await amo.note.addNotes('leads', [note]);
    const notes = await amo.note.getNotesByEntityId(given.lead, 'leads');
    equal(notes._embedded.notes.some((it) => it.params.text === 'noted'), true);
  },
  'notes of contact': async () => {
    const note = { entity_id: given.contact, note_type: 'common', params: { text: 'noted' } };
    const [made] = of(await amo.note.addNotes('contacts', [note]), 'notes');
    const change = { entity_id: given.contact, note_type: 'common', params: { text: 'noted again' } };
    await amo.note.updateNoteById(made, 'contacts', change);
    equal((await amo.note.getNotesById(made, 'contacts')).params.text, 'noted again');
    equal(of(await amo.note.getNotesByEntityType('contacts'), 'notes').includes(made), true);
  },
  'find leads': async () => {
    equal(of(await amo.lead.getLeads({ query: 'nothing has this name' }), 'leads'), []);
    const wanted = { filter: (filter) => filter.single('id', given.lead), order: { param: 'id', type: 'desc' } };
    equal(of(await amo.lead.getLeads(wanted), 'leads'), [given.lead]);
  },
  'tag lead': async () => {
    const tags = { id: given.lead, _embedded: { tags: [named('vip')] } };
    await amo.tag.addTagsToEntitiesById(given.lead, 'leads', tags);
    const found = await amo.lead.getLeadById(given.lead);
    equal(found._embedded.tags.map((tag) => tag.name), ['vip']);
    await amo.tag.deleteTagsToEntitiesById(given.lead, 'leads', { id: given.lead, _embedded: { tags: null } });
    equal((await amo.lead.getLeadById(given.lead))._embedded.tags, []);
  },
  'tag leads': async () => {
    await amo.tag.addTagsToEntities('leads', [{ id: given.lead, _embedded: { tags: [named('vip')] } }]);
    await amo.tag.deleteTagsFromEntities('leads', [{ id: given.lead, _embedded: { tags: null } }]);
    equal((await amo.lead.getLeadById(given.lead))._embedded.tags, []);
  },
  'tags of leads': async () => {
    await amo.tag.addTags('leads', [named('vip')]);
    const tags = await amo.tag.getTags('leads');
    equal(tags._embedded.tags.some((tag) => tag.name === 'vip'), true);
  },
  'list contacts': async () => equal(of(await amo.contact.getContacts(), 'contacts').includes(given.contact), true),
  'get contact': async () => equal((await amo.contact.getContactById(given.contact)).id, given.contact),
  'change contact': async () => {
    await amo.contact.updateContactById(given.contact, named('amo'));
    equal((await amo.contact.getContactById(given.contact)).name, 'amo');
  },
  'create contacts': async () => {
    const [made] = of(await amo.contact.addContacts([named('made by amo')]), 'contacts');
    equal((await amo.contact.getContactById(made)).name, 'made by amo');
  },
  'change contacts': async () => {
    await amo.contact.updateContacts([{ id: given.contact, name: 'amo, of many' }]);
    equal((await amo.contact.getContactById(given.contact)).name, 'amo, of many');
  },
  'find contacts': async () => {
    equal(of(await amo.contact.getContacts({ query: 'nothing has this name' }), 'contacts'), []);
    const wanted = { filter: (filter) => filter.multi('id', [given.contact]) };
    equal(of(await amo.contact.getContacts(wanted), 'contacts'), [given.contact]);
  },
  'leads of contact': async () => {
    const contact = await amo.contact.getContactById(given.contact, { with: ['leads'] });
    equal(of(contact, 'leads'), [given.lead]);
  },
  'link chat': async () => {
    const [link] = (await amo.contact.getContactToChat({ contact_id: [given.contact] }))._embedded.chats;
    const again = [{ contact_id: given.contact, chat_id: link.chat_id }];
    equal((await amo.contact.linkContactToChat(again))._embedded.chats[0].id, link.id);
  },
  'chats of contact': async () => {
    const links = await amo.contact.getContactToChat({ contact_id: [given.contact] });
    equal(links._embedded.chats.length > 0, true);
  },
  'fields of contacts': async () => {
    const fields = await amo.custom_fields.getCustomFields('contacts');
    equal(fields._embedded.custom_fields.map((it) => it.code).sort(), ['EMAIL', 'PHONE']);
  },
  'field of contacts': async () => equal((await amo.custom_fields.getCustomFieldById(1, 'contacts')).code, 'PHONE'),
  'list unsorted': async () => equal((await amo.unsorted.getUnsorted())._embedded.unsorted.length > 0, true),
  'get unsorted': async () => {
    const [first] = (await amo.unsorted.getUnsorted())._embedded.unsorted;
    equal((await amo.unsorted.getUnsortedByUid(first.uid)).uid, first.uid);
  },
  'accept unsorted': async () => {
    const [first] = (await amo.unsorted.getUnsorted())._embedded.unsorted;
    await amo.unsorted.acceptUnsortedByUid(first.uid, { status_id: 2, user_id: 1 });
  },
  'decline unsorted': async () => {
    const [first] = (await amo.unsorted.getUnsorted())._embedded.unsorted;
    equal((await amo.unsorted.declineUnsortedByUid(first.uid, { user_id: 1 })).uid, first.uid);
  },
  'get talk': async () => equal((await amo.talk.getTalkById(given.lead)).talk_id, given.lead),
  'close talk': async () => amo.talk.closeTalkById(given.lead, { force_close: true }),
  'list pipelines': async () => equal(of(await amo.pipeline.getPipelines(), 'pipelines'), [1]),
  'get pipeline': async () => equal((await amo.pipeline.getPipelineById(1)).id, 1),
  'statuses of pipeline': async () =>
    equal(of(await amo.pipeline.getStatusesByPipelineId(1), 'statuses').includes(142), true),
  'get status': async () => equal((await amo.pipeline.getStatusesById(142, 1)).id, 142),
  'several sources': async () => {
    const source = (name) => ({ name, external_id: name });
    const made = of(await amo.source.addSources([source('one'), source('two')]), 'sources');
    await amo.source.updateSources(made.map((id) => ({ id, name: `number ${id}` })));
    const wanted = { filter: (filter) => filter.single('external_id', 'two') };
    equal((await amo.source.getSources(wanted))._embedded.sources[0].name, `number ${made[1]}`);
    await amo.source.deleteSources(made.map((id) => ({ id })));
    equal(of(await amo.source.getSources(), 'sources').includes(made[0]), false);
  },
  'sources': async () => {
    const [made] = of(await amo.source.addSources([{ name: 'Shop', external_id: 'amo' }]), 'sources');
    await amo.source.updateSourceById(made, named('Shop 2'));
    equal((await amo.source.getSourceById(made)).name, 'Shop 2');
    await amo.source.deleteSourceById(made);
  },
  'webhooks': async () => {
    const destination = 'https://hooks.example.org/amo?k=7d1f';
    const made = await amo.webhook.addWebhook({ destination, settings: ['add_message', 'update_talk'], sort: 3 });
    equal([made.destination, made.settings, made.sort], [destination, ['add_message', 'update_talk'], 3]);
    const list = await amo.webhook.getWebhooks({ filter: (filter) => filter.single('destination', destination) });
    equal(list._embedded.webhooks.map((webhook) => webhook.id), [made.id]);
  },
  'delete webhook': async () => {
    const destination = 'https://hooks.example.org/amo?k=7d1f';
    await amo.webhook.deleteWebhook({ destination });
  },
  'list users': async () => equal(of(await amo.user.getUsers(), 'users').includes(1), true),
  'get user': async () => equal((await amo.user.getUserById(1)).name, 'Ada'),
  'create users': async () => {
    const user = { name: 'Made by amo', email: 'amo@example.com', password: 'aBcde1@345' };
    const [made] = of(await amo.user.addUsers([user]), 'users');
    equal((await amo.user.getUserById(made, { with: ['role', 'group'] })).email, 'amo@example.com');
  },
  'roles': async () => {
    const all = { view: 'A', edit: 'A', add: 'A', delete: 'A', export: 'A' };
    const tasks = { edit: 'A', delete: 'A' };
    const rights = { leads: all, contacts: all, companies: all, tasks, mail_access: true, catalog_access: true };
    const [made] = of(await amo.user.addRoles([{ name: 'Sellers', rights }]), 'roles');
    await amo.user.updateRoleById(made, { name: 'Buyers', rights });
    equal((await amo.user.getRoleById(made)).name, 'Buyers');
    equal(of(await amo.user.getRoles(), 'roles').includes(made), true);
    await amo.user.deleteRoleById(made);
  },
});
