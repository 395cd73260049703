//! The events of a conversation.

mod facts;

use serde::{Deserialize, Serialize};

use crate::chat::delivery::DeliveryStatus;
use crate::chat::fetch::HostMark;
use crate::chat::press::Press;
use crate::chat::reaction::Reaction;
use crate::conversation::condensed::Condensed;
use crate::conversation::customer::{Customer, Origin};
use crate::conversation::fetch::Fetched;
use crate::conversation::outgoing::{ReactionCallback, Replied};
use crate::conversation::snooze::{Snooze, Woken};
use crate::conversation::team::GroupAssigned;
use crate::conversation::team::Mentioned;
use crate::generation::Generation;
use crate::id::{ClientMessageId, MessageId, PersonId, UserId};
use crate::oauth::acting_client::ActingClient;
use crate::text::{Name, PostId, SourceId};
use crate::time::UnixMillis;

/// An event of a conversation.
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
    /// A lead was opened for the conversation, in the same group as the CRM's own record of it.
    LeadOpened,
    /// The newest lead moved, or its responsible user changed, in the same group as the CRM's own record of it.
    LeadChanged {
        /// True while the lead is neither won nor lost.
        open: bool,
        /// The new responsible user.
        responsible: Option<UserId>,
        /// The number of the last message when its talk was closed; `None` when it was not.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        talk_closed: Option<u64>,
    },
    /// An account user has read what there was.
    Read(Read),
    /// An account user marked the conversation.
    Marked(Marked),
    /// The service tried to fetch a file that a message, or its writer, names.
    Fetched(Box<Fetched>),
    /// The messages so far are not kept any more: this stands for them.
    Condensed(Box<Condensed>),
    /// An account user snoozed the conversation.
    Snoozed(Box<Snooze>),
    /// The snooze of the conversation ended.
    Woken(Woken),
    /// A note of the team mentioned account users, in the same group as the note's own record.
    Mentioned(Box<Mentioned>),
    /// An account user assigned the conversation to a group, or to none.
    GroupAssigned(Box<GroupAssigned>),
}

/// An account user has read what there was.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Read {
    /// The user.
    pub by: UserId,
    /// The OAuth client that acted for the user; `None` when the user read it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub client: Option<ActingClient>,
    /// The time of the event.
    pub at: UnixMillis,
}

/// An account user marked the conversation.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Marked {
    /// The user.
    pub by: UserId,
    /// The OAuth client that acted for the user; `None` when the user did it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub client: Option<ActingClient>,
    /// The time of the event.
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
    /// The time of the event.
    pub at: UnixMillis,
    /// The place of the conversation.
    pub origin: Origin,
    /// The customer; `None` when only an account user was named.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub customer: Option<Customer>,
    /// The entrance of the integration that the chat came through.
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
    /// The time of acceptance.
    pub at: UnixMillis,
    /// The time of writing, according to the integration.
    pub written_at: UnixMillis,
    /// True when the message notifies users.
    pub loud: bool,
    /// The sender.
    pub from: PersonId,
    /// The place of the conversation: with the first message, and when a binding adds the integration's id.
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
    /// The receiver, when the sender is not the customer.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub to: Option<Box<Customer>>,
    /// The entrance of the integration that the message came through, when it differs from the last one.
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
    /// The button of an outgoing message that the customer pressed with it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub pressed: Option<Box<Press>>,
}

impl Received {
    /// Returns whether the message was written to the customer elsewhere, and imported.
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
    /// The time of acceptance of the new version.
    pub at: UnixMillis,
    /// The time of the new version, according to the integration.
    pub written_at: UnixMillis,
    /// The integration's id of the message from now on.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub msgid: Option<ClientMessageId>,
    /// True when the raw body has the new content of the message; it may report only the delivery status.
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
    /// The time from which it counts.
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
    /// The time of the report.
    pub at: UnixMillis,
    /// The reported status.
    pub status: DeliveryStatus,
    /// The number of the message among the outgoing ones; `None` of an imported one, which never left from here.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub out: Option<u64>,
}
