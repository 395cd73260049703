//! What an account's part of the journal says of who belongs to what, without what was said.

use std::collections::{BTreeMap, BTreeSet};
use std::hash::{DefaultHasher, Hash as _, Hasher as _};
use std::sync::Arc;

use crate::domain::conversation::{ConversationEvent, Customer, Origin};
use crate::domain::crm::CrmEvent;
use crate::domain::crm::entity::NoteSubject;
use crate::domain::id::{AccountId, ContactId, ConversationId, DealId, NoteId, PersonId, ScopeId};
use crate::domain::text::Name;
use crate::system::erasures::reading::{Reading, Undecodable};

/// The accounts that erasures are about: several erasures may be about one.
#[derive(Clone, Debug)]
pub(super) struct Surveys(BTreeMap<AccountId, Result<Survey, Undecodable>>);

impl Surveys {
    /// Of these accounts, before the first record.
    pub(super) fn new(accounts: impl Iterator<Item = AccountId>) -> Self {
        Self(accounts.map(|it| (it, Ok(Survey::of(it)))).collect())
    }

    /// Takes in what a record says. A survey that cannot understand it is none any more.
    pub(super) fn look(&mut self, record: &Reading<'_>) {
        for survey in self.0.values_mut() {
            if let Ok(looking) = survey
                && let Err(undecodable) = looking.look(record)
            {
                *survey = Err(undecodable);
            }
        }
    }

    /// Of this account, if there is one and every record was understood.
    pub(super) fn get(&self, account: AccountId) -> Option<&Survey> {
        self.0.get(&account)?.as_ref().ok()
    }

    /// Why there is none of this account.
    pub(super) fn failure(&self, account: AccountId) -> Option<&Undecodable> {
        self.0.get(&account)?.as_ref().err()
    }
}

/// Who belongs to what in an account.
#[derive(Clone, Debug)]
pub(super) struct Survey {
    account: AccountId,
    pub(super) talks: BTreeMap<ConversationId, Talk>,
    /// The contacts, each with the person of its chat.
    pub(super) contacts: BTreeMap<ContactId, Option<PersonId>>,
    /// The contact that each chat belongs to.
    pub(super) links: BTreeMap<ConversationId, ContactId>,
    /// The deals, each with the chat it came from.
    pub(super) deals: BTreeMap<DealId, Option<ConversationId>>,
    pub(super) notes: BTreeMap<NoteId, NoteSubject>,
    pub(super) own_names: Arc<OwnNames>,
}

/// The names that people gave themselves, as hashes: what an account user calls them is another thing.
#[derive(Clone, Debug, Default)]
pub(super) struct OwnNames(BTreeSet<(PersonId, u64)>);

impl OwnNames {
    /// Whether the person gave this name.
    pub(super) fn has(&self, person: PersonId, name: &Name) -> bool {
        self.0.contains(&(person, fingerprint(name)))
    }
}

fn fingerprint(name: &Name) -> u64 {
    let mut hasher = DefaultHasher::new();
    name.as_str().hash(&mut hasher);
    hasher.finish()
}

/// A conversation: where it belongs, and who ever was its customer.
#[derive(Clone, Debug)]
pub(super) struct Talk {
    pub(super) scope: ScopeId,
    pub(super) people: BTreeSet<PersonId>,
}

impl Survey {
    /// Of this account, before the first record.
    pub(super) fn of(account: AccountId) -> Self {
        Self {
            account,
            talks: BTreeMap::new(),
            contacts: BTreeMap::new(),
            links: BTreeMap::new(),
            deals: BTreeMap::new(),
            notes: BTreeMap::new(),
            own_names: Arc::default(),
        }
    }

    /// Takes in what a record says.
    pub(super) fn look(&mut self, record: &Reading<'_>) -> Result<(), Undecodable> {
        if let Some(conversation) = record.conversation() {
            self.talk(conversation, record.talk()?);
        } else if record.crm_of() == Some(self.account) {
            self.crm(record.crm()?);
        }
        Ok(())
    }

    fn talk(&mut self, id: ConversationId, event: &ConversationEvent) {
        let person = |customer: &Customer| customer.person;
        match event {
            ConversationEvent::Opened(opened) => {
                self.enter(id, &opened.origin);
                self.join(id, opened.customer.iter().map(person));
                self.name(id, &opened.customer);
            }
            ConversationEvent::Received(received) => {
                if let Some(origin) = &received.origin {
                    self.enter(id, origin);
                }
                let written = (!received.is_imported()).then_some(received.from);
                let named = received.customer.iter().map(person);
                let named = named.chain(received.to.as_deref().map(person));
                self.join(id, named.chain(written));
                self.name(id, received.customer.iter().chain(received.to.as_deref()));
                if let Some(name) = &received.name {
                    self.take_name(id, received.from, name);
                }
            }
            ConversationEvent::Replied(replied) => {
                let origin = Origin {
                    scope: replied.scope.clone(),
                    client_id: None,
                };
                self.enter(id, &origin);
                self.join(id, std::iter::once(replied.to.person));
                self.name(id, [&replied.to]);
            }
            ConversationEvent::Condensed(condensed) => {
                let state = &condensed.state;
                if let Some(origin) = &state.origin {
                    self.enter(id, origin);
                }
                self.join(id, condensed.people.iter().map(person));
                self.name(id, &condensed.people);
            }
            ConversationEvent::Edited(_)
            | ConversationEvent::Reacted(_)
            | ConversationEvent::Reported(_)
            | ConversationEvent::DealOpened
            | ConversationEvent::DealChanged { .. }
            | ConversationEvent::Read(_)
            | ConversationEvent::Marked(_)
            | ConversationEvent::Fetched(_) => {}
        }
    }

    /// A conversation of the account is known from its first event that says where it belongs.
    fn enter(&mut self, id: ConversationId, origin: &Origin) {
        if origin.scope.account() == self.account {
            self.talks.entry(id).or_insert_with(|| Talk {
                scope: origin.scope.clone(),
                people: BTreeSet::new(),
            });
        }
    }

    fn join(&mut self, id: ConversationId, people: impl Iterator<Item = PersonId>) {
        if let Some(talk) = self.talks.get_mut(&id) {
            talk.people.extend(people);
        }
    }

    /// Takes in how people of a conversation call themselves.
    fn name<'c>(&mut self, id: ConversationId, people: impl IntoIterator<Item = &'c Customer>) {
        for customer in people {
            self.take_name(id, customer.person, &customer.name);
        }
    }

    fn take_name(&mut self, id: ConversationId, person: PersonId, name: &Name) {
        if self.talks.contains_key(&id) && !self.own_names.has(person, name) {
            let own = Arc::make_mut(&mut self.own_names);
            own.0.insert((person, fingerprint(name)));
        }
    }

    fn crm(&mut self, event: &CrmEvent) {
        match event {
            CrmEvent::Deal(changed) => {
                let deal = &changed.deal;
                self.deals.insert(deal.id, deal.conversation());
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
            CrmEvent::Begun(_)
            | CrmEvent::Tag(_)
            | CrmEvent::Source(_)
            | CrmEvent::Audited(_)
            | CrmEvent::Erased(_) => {}
        }
    }
}
