//! A conversation: what customers wrote, what account users answered, and what became of the answers.
//!
//! The state is small whatever the length of the conversation. Messages are records of the journal, found by
//! their keys ([`crate::domain::keys`]); the state only counts them.

pub mod receive;
pub mod reply;
pub mod report;
pub mod see;
pub mod start;

use serde::{Deserialize, Serialize};

use crate::domain::State;
use crate::domain::chat::delivery::DeliveryStatus;
use crate::domain::chat::outgoing::OutgoingContent;
use crate::domain::id::{
    ClientConversationId, ClientMessageId, ClientPersonId, ConversationId, IdempotencyKey,
    MessageId, PersonId, ScopeId, UserId,
};
use crate::domain::index::{IndexEntries, StreamKey, StreamKind, Table};
use crate::domain::keys;
use crate::domain::text::email::Email;
use crate::domain::text::url::HttpUrl;
use crate::domain::text::{Name, Phone};
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
}

/// Where a conversation belongs.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Origin {
    /// The scope.
    pub scope: ScopeId,
    /// The integration's id; `None` while only the service knows the conversation.
    pub client_id: Option<ClientConversationId>,
}

/// The customer's side of a conversation.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Customer {
    /// The service's id of the person.
    pub person: PersonId,
    /// The integration's id; `None` while only the service knows the person.
    pub client_id: Option<ClientPersonId>,
    /// The name.
    pub name: Name,
    /// The address of a picture.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub avatar: Option<HttpUrl>,
    /// The phone number.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub phone: Option<Phone>,
    /// The e-mail address.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub email: Option<Email>,
    /// The address of a public profile.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub profile_link: Option<HttpUrl>,
}

impl Customer {
    /// Keeps what an earlier message of the same person told and this one leaves out.
    pub(crate) fn remember(&mut self, earlier: &Self) {
        if self.person != earlier.person {
            return;
        }
        self.phone = self.phone.take().or_else(|| earlier.phone.clone());
        self.email = self.email.take().or_else(|| earlier.email.clone());
        self.profile_link = self
            .profile_link
            .take()
            .or_else(|| earlier.profile_link.clone());
    }
}

/// What can happen to a conversation.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum ConversationEvent {
    /// A customer's message came in; its raw body is the record's blob.
    Received(Box<Received>),
    /// An account user answered.
    Replied(Box<Replied>),
    /// The integration reported on an account user's message.
    Reported(Reported),
    /// A deal was opened for the conversation, in the same group as the book's own record of it.
    DealOpened,
    /// An account user has read what there was.
    Read(Read),
}

/// An account user has read what there was.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Read {
    /// Who.
    pub by: UserId,
    /// When.
    pub at: UnixMillis,
}

/// A customer's message came in.
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
    /// What the account user's program called this request, to repeat it safely.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub request: Option<IdempotencyKey>,
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
        }
    }

    fn apply(&mut self, event: &ConversationEvent) {
        match event {
            ConversationEvent::Received(received) => {
                self.messages = received.number;
                self.unread = self.unread.saturating_add(u64::from(received.loud));
                self.active_at = received.at;
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
                if self.origin.is_none() {
                    self.origin = Some(replied.origin());
                    self.customer = Some(replied.to.clone());
                }
            }
            ConversationEvent::Reported(_) => {}
            ConversationEvent::DealOpened => self.deal = true,
            ConversationEvent::Read(_) => self.unread = 0,
        }
    }

    fn index(&self, event: &ConversationEvent, entries: &mut IndexEntries) {
        match event {
            ConversationEvent::Received(received) => {
                entries.key(keys::msgid(self.id, &received.msgid));
                entries.key(keys::message(received.id));
                entries.key(keys::numbered(self.id, received.number));
                let Some(origin) = received.origin.as_ref().or(self.origin.as_ref()) else {
                    return;
                };
                if let Some(customer) = &received.customer {
                    entries.key(keys::person(origin.scope.account(), customer.person));
                }
                self.move_in_list(origin, received.at, entries);
            }
            ConversationEvent::Replied(replied) => {
                entries.key(keys::message(replied.id));
                entries.key(keys::numbered(self.id, replied.number));
                entries.key(keys::outgoing(self.id, replied.out));
                if let Some(request) = &replied.request {
                    entries.key(keys::request(self.id, replied.by.user, request));
                }
                let origin = match &self.origin {
                    Some(origin) => origin.clone(),
                    None => {
                        // The service knows this person from now on: the integration may bind an id to them.
                        let account = replied.scope.account();
                        entries.key(keys::person(account, replied.to.person));
                        replied.origin()
                    }
                };
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
                self.move_in_list(&origin, replied.at, entries);
            }
            ConversationEvent::Reported(reported) => entries.key(keys::report(reported.id)),
            ConversationEvent::DealOpened | ConversationEvent::Read(_) => {}
        }
    }
}

impl Replied {
    /// Where the conversation belongs that this message goes out from.
    fn origin(&self) -> Origin {
        Origin {
            scope: self.scope.clone(),
            client_id: self.conversation_client_id.clone(),
        }
    }
}

impl Conversation {
    /// The row of the account's list moves to the new time of activity.
    fn move_in_list(&self, origin: &Origin, at: UnixMillis, entries: &mut IndexEntries) {
        let account = origin.scope.account();
        if self.messages > 0 && self.active_at != at {
            entries.delete(
                Table::Conversations,
                keys::activity_row(account, self.active_at, self.id),
            );
        }
        if self.messages == 0 || self.active_at != at {
            entries.put(
                Table::Conversations,
                keys::activity_row(account, at, self.id),
                Vec::new(),
            );
        }
    }

    /// The number of the next message.
    #[must_use]
    pub fn next_number(&self) -> u64 {
        self.messages.saturating_add(1)
    }
}
