//! The content that leaves for the integration: the messages of account users and their changes of reactions.

use std::sync::Arc;

use serde::{Deserialize, Serialize};

use crate::chat::outgoing::{OutgoingContent, ReactionChange};
use crate::chat::quote::Answered;
use crate::conversation::customer::{Customer, Origin};
use crate::dispatch::delivery_queue::OutNumber;
use crate::id::{
    ClientConversationId, IdempotencyKey, LeadId, MessageId, PersonId, ScopeId, UserId,
};
use crate::list_message::{ListMessage, SentList};
use crate::oauth::acting_client::ActingClient;
use crate::templates::sent::SentTemplate;
use crate::templates::template::Button;
use crate::text::{Name, PostId, SourceId};
use crate::time::UnixMillis;

/// The subject of a callback, in its place of the delivery queue. Cheap to clone.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Outgoing {
    /// An account user's message.
    Message(Arc<Replied>),
    /// An account user's change of a reaction.
    Reaction(Arc<ReactionCallback>),
}

/// The callback about a reaction that an account user left on a message, or took back. It is not a message, but has its
/// place among the messages in the delivery queue.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct ReactionCallback {
    /// Its number among the outgoing ones, from 1.
    pub out: u64,
    /// The service's id of it.
    pub id: MessageId,
    /// The time of the change.
    pub at: UnixMillis,
    /// The account user as the chat knows them.
    pub by: PersonId,
    /// The change.
    pub reaction: ReactionChange,
    /// The scope it leaves through.
    pub scope: ScopeId,
    /// The integration's id of the conversation, fixed now.
    pub conversation_client_id: Option<ClientConversationId>,
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
    /// The time of writing.
    pub at: UnixMillis,
    /// The account user.
    pub by: Author,
    /// The content.
    pub content: OutgoingContent,
    /// The scope it leaves through.
    pub scope: ScopeId,
    /// The receiver, fixed now.
    pub to: Customer,
    /// The integration's id of the conversation, fixed now.
    pub conversation_client_id: Option<ClientConversationId>,
    /// The idempotency key of the request, with which the account user's program can repeat it safely.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub request: Option<IdempotencyKey>,
    /// The entrance of the integration that the conversation came through at the time of writing.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub source: Option<SourceId>,
    /// The message that it answers.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub reply_to: Option<Box<Answered>>,
    /// The post whose comments the conversation holds, fixed now.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub post: Option<PostId>,
    /// The newest lead of the conversation at the time.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub lead: Option<LeadId>,
    /// The outgoing message that failed and is sent again by this one, by its number.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub resends: Option<u64>,
    /// The template that it was made of.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub template: Option<Box<SentTemplate>>,
    /// The list below its text.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub list: Option<Box<SentList>>,
}

/// The account user who wrote something, or the bot that wrote with a token of theirs.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Author {
    /// The user's number in the account.
    pub user: UserId,
    /// The user as the chat knows them.
    pub person: PersonId,
    /// The name at the time.
    pub name: Name,
    /// The OAuth client that acted for the user; `None` when the user wrote it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub client: Option<ActingClient>,
    /// True for a bot: a program wrote this in its own name, and the user did not. The person is the bot of the channel.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub is_bot: bool,
}

impl Author {
    /// The user, when they wrote it in person; `None` when a program did in their name.
    #[must_use]
    pub fn person_user(&self) -> Option<UserId> {
        let is_program = self.is_bot || self.client.is_some();
        (!is_program).then_some(self.user)
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

    /// The customer who receives a message; `None` for a reaction, which does not name one.
    #[must_use]
    pub fn customer(&self) -> Option<&Customer> {
        match self {
            Self::Message(replied) => Some(&replied.to),
            Self::Reaction(_) => None,
        }
    }

    /// Returns the time of writing.
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

    /// Returns its approximate size in memory, in bytes.
    #[must_use]
    pub fn bytes(&self) -> usize {
        const PERSONS_AND_ADDRESSES: usize = 1_024;
        let text =
            |answered: &Answered| answered.text.as_ref().map_or(0, |text| text.as_str().len());
        let texts = match self {
            Self::Message(replied) => {
                let quoted = replied.reply_to.as_deref().map_or(0, text);
                let template = replied.template.as_deref().map_or(0, SentTemplate::bytes);
                let list = replied.list.as_deref().map_or(0, SentList::bytes);
                let texts = quoted.saturating_add(template).saturating_add(list);
                replied.content.text().len().saturating_add(texts)
            }
            Self::Reaction(_) => 0,
        };
        PERSONS_AND_ADDRESSES.saturating_add(texts)
    }

    /// Returns the name of the kind in callbacks.
    #[must_use]
    pub fn kind(&self) -> &'static str {
        match self {
            Self::Message(replied) => replied.content.kind(),
            Self::Reaction(_) => "reaction",
        }
    }
}

impl Replied {
    /// The buttons that the channel gets.
    #[must_use]
    pub fn buttons(&self) -> &[Button] {
        let template = self.template.as_deref();
        template.map_or(&[], SentTemplate::shown_buttons)
    }

    /// The list that the channel gets.
    #[must_use]
    pub fn shown_list(&self) -> Option<&ListMessage> {
        self.list.as_deref().and_then(SentList::shown)
    }

    /// Returns whether the channel gets buttons or a list.
    #[must_use]
    pub fn has_markup(&self) -> bool {
        !self.buttons().is_empty() || self.shown_list().is_some()
    }

    /// Returns the place of the conversation that the message belongs to.
    pub(super) fn origin(&self) -> Origin {
        Origin {
            scope: self.scope.clone(),
            client_id: self.conversation_client_id.clone(),
        }
    }
}
