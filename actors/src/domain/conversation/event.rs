//! What can happen to a conversation.

use std::sync::Arc;

use serde::{Deserialize, Serialize};

use crate::domain::chat::delivery::DeliveryStatus;
use crate::domain::chat::fetch::HostMark;
use crate::domain::chat::outgoing::{OutgoingContent, ReactionChange};
use crate::domain::chat::quote::Answered;
use crate::domain::chat::reaction::Reaction;
use crate::domain::conversation::fetch::Fetched;
use crate::domain::conversation::{Customer, Origin};
use crate::domain::dispatch::delivery_queue::OutNumber;
use crate::domain::generation::Generation;
use crate::domain::id::{
    ClientConversationId, ClientMessageId, DealId, IdempotencyKey, MessageId, PersonId, ScopeId,
    UserId,
};
use crate::domain::text::{Name, PostId, SourceId};
use crate::domain::time::UnixMillis;

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
    /// The service tried to fetch a file that a message, or its writer, names.
    Fetched(Box<Fetched>),
}

/// An account user has read what there was.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Read {
    /// Who.
    pub by: UserId,
    /// When.
    pub at: UnixMillis,
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

/// The callback about a reaction that an account user left on a message, or took back. It is not a message, but has its
/// place among the messages in the delivery queue.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct ReactionCallback {
    /// Its number among the outgoing ones, from 1.
    pub out: u64,
    /// The service's id of it.
    pub id: MessageId,
    /// When it was written.
    pub at: UnixMillis,
    /// The account user as the chat knows them.
    pub by: PersonId,
    /// What they did.
    pub reaction: ReactionChange,
    /// The scope it leaves through.
    pub scope: ScopeId,
    /// The integration's id of the conversation, fixed now.
    pub conversation_client_id: Option<ClientConversationId>,
}

/// What goes to the integration, in its place of the queue of callbacks. Cheap to clone.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Outgoing {
    /// An account user's message.
    Message(Arc<Replied>),
    /// What an account user did with a reaction.
    Reaction(Arc<ReactionCallback>),
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
    /// Which entrance of the integration the conversation came through, fixed now.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub source: Option<SourceId>,
    /// The message that it answers.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub reply_to: Option<Box<Answered>>,
    /// The post whose comments the conversation holds, fixed now.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub post: Option<PostId>,
    /// The newest deal of the conversation at the time.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub deal: Option<DealId>,
    /// The outgoing message that failed and is sent again by this one, by its number.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub resends: Option<u64>,
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
    /// The number of the message among the outgoing ones; `None` of an imported one, which never left from here.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub out: Option<u64>,
}

impl ConversationEvent {
    /// The part that goes to the integration: a message, or what an account user did with a reaction.
    #[must_use]
    pub fn into_outgoing(self) -> Option<Outgoing> {
        match self {
            Self::Replied(replied) => Some(Outgoing::Message(Arc::from(replied))),
            Self::Reacted(reacted) => {
                let callback = reacted.callback;
                callback.map(|callback| Outgoing::Reaction(Arc::from(callback)))
            }
            Self::Opened(_)
            | Self::Received(_)
            | Self::Edited(_)
            | Self::Reported(_)
            | Self::DealOpened
            | Self::DealChanged { .. }
            | Self::Read(_)
            | Self::Fetched(_) => None,
        }
    }
}

impl Outgoing {
    /// Its number among the outgoing ones of its conversation.
    #[must_use]
    pub fn number(&self) -> OutNumber {
        OutNumber(match self {
            Self::Message(replied) => replied.out,
            Self::Reaction(reaction) => reaction.out,
        })
    }

    /// The service's id of it.
    #[must_use]
    pub fn id(&self) -> MessageId {
        match self {
            Self::Message(replied) => replied.id,
            Self::Reaction(reaction) => reaction.id,
        }
    }

    /// When it was written.
    #[must_use]
    pub fn written_at(&self) -> UnixMillis {
        match self {
            Self::Message(replied) => replied.at,
            Self::Reaction(reaction) => reaction.at,
        }
    }

    /// The scope it leaves through.
    #[must_use]
    pub fn scope(&self) -> &ScopeId {
        match self {
            Self::Message(replied) => &replied.scope,
            Self::Reaction(reaction) => &reaction.scope,
        }
    }

    /// About how much memory it takes.
    #[must_use]
    pub fn bytes(&self) -> usize {
        const PERSONS_AND_ADDRESSES: usize = 1_024;
        let text =
            |answered: &Answered| answered.text.as_ref().map_or(0, |text| text.as_str().len());
        let texts = match self {
            Self::Message(replied) => {
                let quoted = replied.reply_to.as_deref().map_or(0, text);
                replied.content.text().len().saturating_add(quoted)
            }
            Self::Reaction(_) => 0,
        };
        PERSONS_AND_ADDRESSES.saturating_add(texts)
    }

    /// What it is called on the wire.
    #[must_use]
    pub fn kind(&self) -> &'static str {
        match self {
            Self::Message(replied) => replied.content.kind(),
            Self::Reaction(_) => "reaction",
        }
    }
}

impl Replied {
    /// Where the conversation belongs that this message goes out from.
    pub(super) fn origin(&self) -> Origin {
        Origin {
            scope: self.scope.clone(),
            client_id: self.conversation_client_id.clone(),
        }
    }
}
