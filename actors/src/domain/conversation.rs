//! A conversation: what customers wrote, what account users answered, and what became of the answers.
//!
//! The state is small whatever the length of the conversation. Messages are records of the journal, found by
//! their keys ([`crate::domain::keys`]); the state only counts them.

mod customer;
pub mod edit;
mod lists;
pub mod note_deal;
pub mod open;
pub mod react;
pub mod receive;
pub mod reply;
pub mod report;

pub use self::customer::Customer;

use std::collections::BTreeSet;

use serde::{Deserialize, Serialize};

use crate::domain::State;
use crate::domain::chat::delivery::DeliveryStatus;
use crate::domain::chat::outgoing::OutgoingContent;
use crate::domain::chat::reaction::Reaction;
use crate::domain::generation::Generation;
use crate::domain::id::{
    ClientConversationId, ClientMessageId, ConversationId, DealId, MessageId, PersonId, ScopeId,
    UserId,
};
use crate::domain::index::{IndexEntries, StreamKey, StreamKind, Table};
use crate::domain::keys;
use crate::domain::text::{Name, SourceId};
use crate::domain::time::UnixMillis;

/// What a conversation remembers of itself.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Conversation {
    /// The service's id.
    pub id: ConversationId,
    /// Where it belongs; `None` before the first event.
    pub origin: Option<Origin>,
    /// Who last wrote, or was written to first: whom answers go to.
    pub customer: Option<Customer>,
    /// How many messages there are, in both directions.
    pub messages: u64,
    /// How many of them account users wrote.
    pub outgoing: u64,
    /// How many loud messages came in since an account user last answered or read.
    pub unread: u64,
    /// When something last happened.
    pub active_at: UnixMillis,
    /// Whether a deal that came from here is open.
    pub deal: bool,
    /// Which entrance of the integration it last came through.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub source: Option<SourceId>,
    /// Who answers for the newest deal.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub responsible: Option<UserId>,
    /// The subscribers of the chat: the users who answered here, the first [`FOLLOWERS_MAX`] of them.
    #[serde(default, skip_serializing_if = "BTreeSet::is_empty")]
    pub followers: BTreeSet<UserId>,
}

/// How many users can follow a conversation: each of them has it in a list, which moves with every message.
pub const FOLLOWERS_MAX: usize = 32;

/// Where a conversation belongs.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Origin {
    /// The scope.
    pub scope: ScopeId,
    /// The integration's id; `None` while only the service knows the conversation.
    pub client_id: Option<ClientConversationId>,
}

/// What can happen to a conversation.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum ConversationEvent {
    /// The integration asked for the conversation before its first message.
    Opened(Box<Opened>),
    /// A message came in; its raw body is the record's blob.
    Received(Box<Received>),
    /// A message has a new version; its raw body is the record's blob.
    Edited(Box<Edited>),
    /// The signs on a message are others.
    Reacted(Box<Reacted>),
    /// An account user answered.
    Replied(Box<Replied>),
    /// The integration reported on an account user's message.
    Reported(Reported),
    /// A deal was opened for the conversation, in the same group as the book's own record of it.
    DealOpened,
    /// The newest deal moved, or somebody else answers for it, in the same group as the book's own record of it.
    DealChanged {
        /// Whether it is still worked on.
        open: bool,
        /// Who answers for it now.
        responsible: Option<UserId>,
    },
}

/// The integration asked for the conversation before its first message.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Opened {
    /// When.
    pub at: UnixMillis,
    /// Where the conversation belongs.
    pub origin: Origin,
    /// The customer; `None` when only an account user was named.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub customer: Option<Customer>,
    /// Which entrance of the integration it came through.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub source: Option<SourceId>,
}

/// A message came in: a customer's, or one that was written to a customer elsewhere.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Received {
    /// Its number in the conversation, from 1.
    pub number: u64,
    /// The service's id of it.
    pub id: MessageId,
    /// The integration's id of it.
    pub msgid: ClientMessageId,
    /// When it was accepted.
    pub at: UnixMillis,
    /// When the integration says it was written.
    pub written_at: UnixMillis,
    /// Whether people are to be told.
    pub loud: bool,
    /// Who wrote it.
    pub from: PersonId,
    /// Where the conversation belongs, with the first message and when a binding adds the integration's id.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub origin: Option<Origin>,
    /// The customer, when they are new or changed.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub customer: Option<Customer>,
    /// The generation by whose rules the raw body was read.
    #[serde(default, skip_serializing_if = "Generation::is_default")]
    pub generation: Generation,
    /// How the writer is called, when the body does not tell it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub name: Option<Name>,
    /// To whom it was written, when it was not the customer who wrote it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub to: Option<Box<Customer>>,
    /// Which entrance of the integration it came through, when that is news.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub source: Option<SourceId>,
}

impl Received {
    /// Whether it was written to the customer, elsewhere, and imported.
    #[must_use]
    pub fn is_imported(&self) -> bool {
        self.to.is_some()
    }
}

/// A message has a new version.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Edited {
    /// The message.
    pub id: MessageId,
    /// When the new version was accepted.
    pub at: UnixMillis,
    /// When the integration says it was made.
    pub written_at: UnixMillis,
    /// The integration's id of the message from now on.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub msgid: Option<ClientMessageId>,
    /// Whether the raw body tells what the message says now; it may only report what became of it.
    pub content: bool,
}

/// The signs on a message are others.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Reacted {
    /// The message.
    pub id: MessageId,
    /// Since when.
    pub at: UnixMillis,
    /// All of them now, oldest first.
    pub reactions: Vec<Reaction>,
}

/// An account user answered.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Replied {
    /// Its number in the conversation, from 1.
    pub number: u64,
    /// Its number among the outgoing ones, from 1: its place in the queue of callbacks.
    pub out: u64,
    /// The service's id of it.
    pub id: MessageId,
    /// When it was written.
    pub at: UnixMillis,
    /// The account user.
    pub by: Author,
    /// What was written.
    pub content: OutgoingContent,
    /// The scope it leaves through.
    pub scope: ScopeId,
    /// The receiver, fixed now.
    pub to: Customer,
    /// The integration's id of the conversation, fixed now.
    pub conversation_client_id: Option<ClientConversationId>,
    /// Which entrance of the integration the conversation came through, fixed now.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub source: Option<SourceId>,
    /// The newest deal of the conversation at the time.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub deal: Option<DealId>,
}

/// The account user who wrote something.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Author {
    /// The user's number in the account.
    pub user: UserId,
    /// The user as the chat knows them.
    pub person: PersonId,
    /// The name at the time.
    pub name: Name,
}

/// The integration reported on an account user's message.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Reported {
    /// The message.
    pub id: MessageId,
    /// When the report came.
    pub at: UnixMillis,
    /// What it says.
    pub status: DeliveryStatus,
}

impl State for Conversation {
    type Id = ConversationId;
    type Event = ConversationEvent;

    fn stream(id: &ConversationId) -> StreamKey {
        StreamKey::new(StreamKind::Conversation, &id.bytes())
    }

    fn id_of(stream: &StreamKey) -> Option<ConversationId> {
        let bytes = <[u8; 16]>::try_from(stream.id.as_ref()).ok()?;
        (stream.kind == StreamKind::Conversation).then(|| ConversationId::from_bytes(bytes))
    }

    fn blank(id: &ConversationId) -> Self {
        Self {
            id: *id,
            origin: None,
            customer: None,
            messages: 0,
            outgoing: 0,
            unread: 0,
            active_at: UnixMillis::ZERO,
            deal: false,
            source: None,
            responsible: None,
            followers: BTreeSet::new(),
        }
    }

    fn apply(&mut self, event: &ConversationEvent) {
        match event {
            ConversationEvent::Opened(opened) => {
                self.origin = Some(opened.origin.clone());
                self.customer.clone_from(&opened.customer);
                self.source.clone_from(&opened.source);
            }
            ConversationEvent::Received(received) => {
                self.messages = received.number;
                self.unread = match (received.loud, received.is_imported()) {
                    // Somebody has answered elsewhere, just now.
                    (true, true) => 0,
                    (true, false) => self.unread.saturating_add(1),
                    (false, _) => self.unread,
                };
                self.active_at = received.at;
                if let Some(source) = &received.source {
                    self.source = Some(source.clone());
                }
                if let Some(origin) = &received.origin {
                    self.origin = Some(origin.clone());
                }
                if let Some(customer) = &received.customer {
                    self.customer = Some(customer.clone());
                }
            }
            ConversationEvent::Replied(replied) => {
                self.messages = replied.number;
                self.outgoing = replied.out;
                self.unread = 0;
                self.active_at = replied.at;
                if self.can_be_followed_by(replied.by.user) {
                    self.followers.insert(replied.by.user);
                }
            }
            ConversationEvent::Edited(_)
            | ConversationEvent::Reacted(_)
            | ConversationEvent::Reported(_) => {}
            ConversationEvent::DealOpened => {
                self.deal = true;
                self.responsible = None;
            }
            ConversationEvent::DealChanged { open, responsible } => {
                self.deal = *open;
                self.responsible = *responsible;
            }
        }
    }

    fn index(&self, event: &ConversationEvent, entries: &mut IndexEntries) {
        match event {
            ConversationEvent::Opened(opened) => {
                if let Some(customer) = &opened.customer {
                    let account = opened.origin.scope.account();
                    entries.key(keys::person(account, customer.person));
                }
            }
            ConversationEvent::Edited(edited) => {
                if edited.content {
                    entries.key(keys::edit(edited.id));
                }
                if let Some(msgid) = &edited.msgid {
                    entries.key(keys::msgid(self.id, msgid));
                    entries.key(keys::named(edited.id));
                }
            }
            ConversationEvent::Reacted(reacted) => entries.key(keys::reactions(reacted.id)),
            ConversationEvent::Received(received) => {
                entries.key(keys::msgid(self.id, &received.msgid));
                entries.key(keys::message(received.id));
                entries.key(keys::numbered(self.id, received.number));
                let Some(origin) = received.origin.as_ref().or(self.origin.as_ref()) else {
                    return;
                };
                if let Some(named) = received.customer.as_ref().or(received.to.as_deref()) {
                    entries.key(keys::person(origin.scope.account(), named.person));
                }
                self.move_in_list(origin, received.at, &self.readers(), entries);
            }
            ConversationEvent::Replied(replied) => {
                entries.key(keys::message(replied.id));
                entries.key(keys::numbered(self.id, replied.number));
                entries.key(keys::outgoing(self.id, replied.out));
                let Some(origin) = &self.origin else { return };
                entries.put(
                    Table::Queued,
                    keys::queue_row(&replied.scope, self.id, replied.out),
                    replied.at.get().to_be_bytes().to_vec(),
                );
                entries.put(
                    Table::Written,
                    keys::written_row(replied.scope.account(), replied.by.user, replied.id),
                    Vec::new(),
                );
                let mut readers = self.readers();
                if self.can_be_followed_by(replied.by.user) {
                    let account = origin.scope.account();
                    readers.insert(replied.by.user);
                    if let Some(deal) = replied.deal {
                        let row = keys::lead_of_row(account, replied.by.user, deal, true);
                        entries.put(Table::LeadsOf, row, Vec::new());
                    }
                }
                self.move_in_list(origin, replied.at, &readers, entries);
            }
            ConversationEvent::Reported(reported) => entries.key(keys::report(reported.id)),
            ConversationEvent::DealOpened => self.change_responsible(None, entries),
            ConversationEvent::DealChanged { responsible, .. } => {
                self.change_responsible(*responsible, entries);
            }
        }
    }
}

impl Conversation {
    /// Whether it came through this scope.
    #[must_use]
    pub fn is_of(&self, scope: &ScopeId) -> bool {
        let origin = self.origin.as_ref();
        origin.is_some_and(|origin| &origin.scope == scope)
    }

    /// The number of the next message.
    #[must_use]
    pub fn next_number(&self) -> u64 {
        self.messages.saturating_add(1)
    }
}
