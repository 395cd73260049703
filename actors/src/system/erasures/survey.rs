//! What an account's part of the journal says of who belongs to what, without what was said.

use std::collections::{BTreeMap, BTreeSet};

use crate::domain::conversation::{Conversation, ConversationEvent, Customer, Origin};
use crate::domain::crm::entity::NoteSubject;
use crate::domain::crm::{Crm, CrmEvent};
use crate::domain::id::{AccountId, ContactId, ConversationId, DealId, NoteId, PersonId, ScopeId};
use crate::system::erasures::ErasureFailure;
use crate::system::erasures::judge::{Scan, event};
use switchboard_engine::state::State;
use switchboard_engine::store::Record;

/// Who belongs to what in this account, by what all records say.
pub(super) fn survey(account: AccountId, scan: Scan<'_>) -> Result<Survey, ErasureFailure> {
    let mut survey = Survey::of(account);
    for record in scan() {
        survey.look(&record?)?;
    }
    Ok(survey)
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
        }
    }

    /// The account.
    pub(super) fn account(&self) -> AccountId {
        self.account
    }

    /// Takes in what a record says.
    pub(super) fn look(&mut self, record: &Record) -> Result<(), ErasureFailure> {
        if let Some(conversation) = Conversation::id_of(&record.stream) {
            self.talk(conversation, &event(record)?);
        } else if Crm::id_of(&record.stream) == Some(self.account) {
            self.crm(&event(record)?);
        }
        Ok(())
    }

    fn talk(&mut self, id: ConversationId, event: &ConversationEvent) {
        let person = |customer: &Customer| customer.person;
        match event {
            ConversationEvent::Opened(opened) => {
                self.enter(id, &opened.origin);
                self.join(id, opened.customer.iter().map(person));
            }
            ConversationEvent::Received(received) => {
                if let Some(origin) = &received.origin {
                    self.enter(id, origin);
                }
                let written = (!received.is_imported()).then_some(received.from);
                let named = received.customer.iter().map(person);
                let named = named.chain(received.to.as_deref().map(person));
                self.join(id, named.chain(written));
            }
            ConversationEvent::Replied(replied) => {
                let origin = Origin {
                    scope: replied.scope.clone(),
                    client_id: None,
                };
                self.enter(id, &origin);
                self.join(id, std::iter::once(replied.to.person));
            }
            ConversationEvent::Condensed(condensed) => {
                let state = &condensed.state;
                if let Some(origin) = &state.origin {
                    self.enter(id, origin);
                }
                self.join(id, condensed.people.iter().map(person));
            }
            ConversationEvent::Edited(_)
            | ConversationEvent::Reacted(_)
            | ConversationEvent::Reported(_)
            | ConversationEvent::DealOpened
            | ConversationEvent::DealChanged { .. }
            | ConversationEvent::Read(_)
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
            CrmEvent::Note(note) => {
                self.notes.insert(note.id, note.about);
            }
            CrmEvent::Begun(_)
            | CrmEvent::Tag(_)
            | CrmEvent::Source(_)
            | CrmEvent::Audited(_)
            | CrmEvent::Erased(_) => {}
        }
    }
}
