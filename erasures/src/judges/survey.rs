//! A survey of an account's part of the journal: which chats, contacts, leads, notes and tasks belong together.

use std::collections::{BTreeMap, BTreeSet};
use std::hash::{DefaultHasher, Hash as _, Hasher as _};
use std::sync::Arc;

use crate::judges::record::{DecodeError, Reading};
use switchboard_domain::conversation::ConversationEvent;
use switchboard_domain::crm::CrmEvent;
use switchboard_domain::crm::entity::NoteSubject;
use switchboard_domain::id::{
    AccountId, ContactId, ConversationId, LeadId, NoteId, PersonId, ScopeId, TaskId,
};
use switchboard_domain::text::Name;

/// The surveys of the accounts that erasures are about. Several erasures may be about one account.
#[derive(Clone, Debug)]
pub(super) struct Surveys(BTreeMap<AccountId, Result<Survey, DecodeError>>);

impl Surveys {
    /// Begins a survey for each of these accounts.
    pub(super) fn new(accounts: impl Iterator<Item = AccountId>) -> Self {
        Self(accounts.map(|it| (it, Ok(Survey::new(it)))).collect())
    }

    /// Takes in a record. A survey that cannot decode it ends.
    pub(super) fn look(&mut self, record: &Reading<'_>) {
        for survey in self.0.values_mut() {
            if let Ok(looking) = survey
                && let Err(undecodable) = looking.look(record)
            {
                *survey = Err(undecodable);
            }
        }
    }

    /// The survey of this account, unless it ended.
    pub(super) fn get(&self, account: AccountId) -> Option<&Survey> {
        self.0.get(&account)?.as_ref().ok()
    }

    /// The record that ended the survey of this account.
    pub(super) fn failure(&self, account: AccountId) -> Option<&DecodeError> {
        self.0.get(&account)?.as_ref().err()
    }
}

/// The relations of chats, contacts, leads, notes and tasks in an account.
#[derive(Clone, Debug)]
pub(super) struct Survey {
    account: AccountId,
    pub(super) talks: BTreeMap<ConversationId, Talk>,
    /// The contacts, each with the person of its chat.
    pub(super) contacts: BTreeMap<ContactId, Option<PersonId>>,
    /// The contact that each chat belongs to.
    pub(super) links: BTreeMap<ConversationId, ContactId>,
    /// The leads, each with the chat it came from.
    pub(super) leads: BTreeMap<LeadId, Option<ConversationId>>,
    /// The leads that forms and calls opened, each with the contact who sent the form or called.
    pub(super) submissions: BTreeMap<LeadId, ContactId>,
    pub(super) notes: BTreeMap<NoteId, NoteSubject>,
    /// The tasks, each with all leads and contacts that it ever was about.
    pub(super) tasks: BTreeMap<TaskId, BTreeSet<NoteSubject>>,
    pub(super) own_names: Arc<OwnNames>,
}

/// The names that people gave themselves, as hashes: what an account user calls them is another thing.
#[derive(Clone, Debug, Default)]
pub(super) struct OwnNames(BTreeSet<(PersonId, u64)>);

impl OwnNames {
    /// Returns whether the person gave this name.
    pub(super) fn has(&self, person: PersonId, name: &Name) -> bool {
        self.0.contains(&(person, fingerprint(name)))
    }
}

fn fingerprint(name: &Name) -> u64 {
    let mut hasher = DefaultHasher::new();
    name.as_str().hash(&mut hasher);
    hasher.finish()
}

/// A conversation: its scope, and all customers it ever had.
#[derive(Clone, Debug)]
pub(super) struct Talk {
    pub(super) scope: ScopeId,
    pub(super) people: BTreeSet<PersonId>,
}

impl Survey {
    /// Begins the survey of this account.
    pub(super) fn new(account: AccountId) -> Self {
        Self {
            account,
            talks: BTreeMap::new(),
            contacts: BTreeMap::new(),
            links: BTreeMap::new(),
            leads: BTreeMap::new(),
            submissions: BTreeMap::new(),
            notes: BTreeMap::new(),
            tasks: BTreeMap::new(),
            own_names: Arc::default(),
        }
    }

    /// Takes in a record.
    pub(super) fn look(&mut self, record: &Reading<'_>) -> Result<(), DecodeError> {
        if let Some(conversation) = record.conversation() {
            self.talk(conversation, record.talk()?);
        } else if record.crm_of() == Some(self.account) {
            self.crm(record.crm()?);
        }
        Ok(())
    }

    fn talk(&mut self, id: ConversationId, event: &ConversationEvent) {
        if let Some(scope) = event.scope() {
            self.enter(id, scope);
        }
        if let Some(talk) = self.talks.get_mut(&id) {
            let customers = event.customers().map(|customer| customer.person);
            let writer = event.as_received().filter(|it| !it.is_imported());
            talk.people
                .extend(customers.chain(writer.map(|it| it.from)));
        }
        for customer in event.customers() {
            self.add_name(id, customer.person, &customer.name);
        }
        if let Some(incoming) = event.as_received()
            && let Some(name) = &incoming.name
        {
            self.add_name(id, incoming.from, name);
        }
    }

    /// Adds a conversation at its first event that has a scope of the account.
    fn enter(&mut self, id: ConversationId, scope: &ScopeId) {
        if scope.account() == self.account {
            self.talks.entry(id).or_insert_with(|| Talk {
                scope: scope.clone(),
                people: BTreeSet::new(),
            });
        }
    }

    /// Adds the name that a person of a conversation of the account gave.
    fn add_name(&mut self, id: ConversationId, person: PersonId, name: &Name) {
        if self.talks.contains_key(&id) && !self.own_names.has(person, name) {
            let own = Arc::make_mut(&mut self.own_names);
            own.0.insert((person, fingerprint(name)));
        }
    }

    fn crm(&mut self, event: &CrmEvent) {
        match event {
            CrmEvent::Lead(changed) => {
                let lead = &changed.lead;
                self.leads.insert(lead.id, lead.conversation());
                if let Some(contact) = lead.contact.filter(|_| lead.submission.is_some()) {
                    self.submissions.entry(lead.id).or_insert(contact);
                }
            }
            CrmEvent::Contact(changed) => {
                let contact = &changed.contact;
                self.contacts.insert(contact.id, contact.person);
            }
            CrmEvent::Chat(linked) => {
                self.links
                    .insert(linked.link.conversation, linked.link.contact);
            }
            CrmEvent::Note(changed) => {
                self.notes.insert(changed.note.id, changed.note.about);
            }
            CrmEvent::Task(changed) => {
                let task = &changed.task;
                let subjects = self.tasks.entry(task.id).or_default();
                subjects.extend(task.content.about);
            }
            CrmEvent::Begun(_)
            | CrmEvent::Tag(_)
            | CrmEvent::Source(_)
            | CrmEvent::CustomField(_)
            | CrmEvent::Pipeline(_)
            | CrmEvent::Audited(_)
            | CrmEvent::Erased(_) => {}
        }
    }
}
