//! The events of a conversation.

mod facts;

use serde::{Deserialize, Serialize};

use crate::chat::delivery::DeliveryStatus;
use crate::chat::fetch::HostMark;
use crate::chat::reaction::Reaction;
use crate::conversation::condensed::Condensed;
use crate::conversation::customer::{Customer, Origin};
use crate::conversation::fetch::Fetched;
use crate::conversation::outgoing::{ReactionCallback, Replied};
use crate::generation::Generation;
use crate::id::{ClientMessageId, MessageId, PersonId, UserId};
use crate::oauth::acting_client::ActingClient;
use crate::text::{Name, PostId, SourceId};
use crate::time::UnixMillis;

/// What can happen to a conversation.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum ConversationEvent {
    /// The integration asked for the conversation before its first message.
    Opened(Box<Opened>),
    /// A message came in; its raw body is the record's blob.
    Received(Box<Received>),
    /// A message has a new version; its raw body is the record's blob.
    Edited(Box<Edited>),
    /// The reactions on a message are others.
    Reacted(Box<Reacted>),
    /// An account user answered.
    Replied(Box<Replied>),
    /// The integration reported on an account user's message.
    Reported(Reported),
    /// A deal was opened for the conversation, in the same group as the CRM's own record of it.
    DealOpened,
    /// The newest deal moved, or its responsible user changed, in the same group as the CRM's own record of it.
    DealChanged {
        /// Whether it is still worked on.
        open: bool,
        /// Who answers for it now.
        responsible: Option<UserId>,
    },
    /// An account user has read what there was.
    Read(Read),
    /// An account user marked the conversation.
    Marked(Marked),
    /// The service tried to fetch a file that a message, or its writer, names.
    Fetched(Box<Fetched>),
    /// The messages so far are not kept any more: this stands for them.
    Condensed(Box<Condensed>),
}

/// An account user has read what there was.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Read {
    /// Who.
    pub by: UserId,
    /// The OAuth client that acted for the user; `None` when the user read it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub client: Option<ActingClient>,
    /// When.
    pub at: UnixMillis,
}

/// An account user marked the conversation.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Marked {
    /// Who.
    pub by: UserId,
    /// The OAuth client that acted for the user; `None` when the user did it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub client: Option<ActingClient>,
    /// When.
    pub at: UnixMillis,
    /// The mark.
    pub mark: Mark,
}

/// A mark on a conversation.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Mark {
    /// Unread, though a user has read it.
    Unread,
    /// These outgoing messages failed, and no user needs to act on that.
    FailuresDismissed(Vec<u64>),
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
    /// Whether the message notifies users.
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
    /// The name of the writer, when the body does not have it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub name: Option<Name>,
    /// To whom it was written, when it was not the customer who wrote it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub to: Option<Box<Customer>>,
    /// Which entrance of the integration it came through, when that is news.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub source: Option<SourceId>,
    /// The post that it comments, when it is another than before.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub post: Option<PostId>,
    /// The server of its file, when that is to be fetched.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub media_from: Option<HostMark>,
    /// The server of the customer's new picture, when that is to be fetched.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub avatar_from: Option<HostMark>,
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
    /// Whether the raw body has the new content of the message; it may report only the delivery status.
    pub content: bool,
    /// The server of the new version's file, when that is to be fetched.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub media_from: Option<HostMark>,
}

/// The reactions on a message are others.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Reacted {
    /// The message.
    pub id: MessageId,
    /// Since when.
    pub at: UnixMillis,
    /// All of them now, oldest first.
    pub reactions: Vec<Reaction>,
    /// The callback about it, when an account user reacted and the channel wants such callbacks.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub callback: Option<Box<ReactionCallback>>,
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
    /// The number of the message among the outgoing ones; `None` of an imported one, which never left from here.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub out: Option<u64>,
}
