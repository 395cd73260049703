//! Callbacks of version 2 about what is no message: an account user is typing, or leaves a reaction on a message.

use schemars::JsonSchema;
use serde::Serialize;

use crate::callback::to_bytes;
use crate::domain::chat::outgoing::Party;
use crate::domain::chat::reaction::ReactionKind;
use crate::domain::conversation::ReactionCallback;
use crate::domain::id::{
    AccountId, ClientMessageId, ClientPersonId, ConversationId, MessageId, PersonId,
};
use crate::domain::text::{Emoji, Name};
use crate::domain::time::UnixMillis;

/// The time for which a person is shown as typing, in seconds.
const TYPING_SECONDS: u64 = 5;

/// A person is typing.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TypingCallback<'a> {
    /// The account in which it happens.
    pub account: AccountId,
    /// The person.
    pub user: PersonId,
    /// Our id of the conversation.
    pub conversation: ConversationId,
    /// The integration's id of it, empty until it is bound.
    pub client_conversation: &'a str,
    /// Since when.
    pub at: UnixMillis,
}

/// The bytes of a callback about a person who is typing.
#[must_use]
pub fn typing(typing: &TypingCallback<'_>) -> Vec<u8> {
    to_bytes(&TypingBody(Root {
        account_id: typing.account,
        time: typing.at.secs(),
        action: TypingAction {
            typing: Typing {
                user: User { id: typing.user },
                conversation: Conversation {
                    id: typing.conversation,
                    client_id: typing.client_conversation,
                },
                expired_at: typing.at.secs().saturating_add(TYPING_SECONDS),
            },
        },
    }))
}

/// The bytes of a callback about a reaction, for an attempt at this moment.
#[must_use]
pub fn reaction(
    account: AccountId,
    conversation: ConversationId,
    callback: &ReactionCallback,
    attempt: UnixMillis,
) -> Vec<u8> {
    let reaction = &callback.reaction;
    let ours = reaction.on.to_string();
    let theirs = reaction.msgid.as_ref();
    let client = callback.conversation_client_id.as_ref();
    to_bytes(&ReactionBody(Root {
        account_id: account,
        time: attempt.secs(),
        action: ReactionAction {
            reaction: Reaction {
                msgid: theirs.map_or(ours.as_str(), ClientMessageId::as_str),
                message: Message {
                    id: reaction.on,
                    msgid: theirs,
                    client_id: theirs,
                    receiver: Person::from_party(&reaction.message.receiver),
                    sender: Person::from_party(&reaction.message.sender),
                    timestamp: reaction.message.written_at.secs(),
                    msec_timestamp: reaction.message.written_at.get(),
                },
                user: User { id: callback.by },
                conversation: Conversation {
                    id: conversation,
                    client_id: client.map_or("", |id| id.as_str()),
                },
                kind: match reaction.kind {
                    ReactionKind::React => "react",
                    ReactionKind::Unreact => "unreact",
                },
                emoji: match reaction.kind {
                    ReactionKind::React => reaction.emoji.as_ref(),
                    ReactionKind::Unreact => None,
                },
            },
        },
    }))
}

/// The body of a callback about something that an account user does.
#[derive(Serialize, JsonSchema)]
#[schemars(inline)]
struct Root<A> {
    account_id: AccountId,
    /// The time of the attempt: Unix time, in seconds.
    time: u64,
    action: A,
}

/// A person is typing.
#[derive(Serialize, JsonSchema)]
#[schemars(rename = "CallbackTyping")]
pub struct TypingBody<'a>(Root<TypingAction<'a>>);

/// A person sets or removes a reaction.
#[derive(Serialize, JsonSchema)]
#[schemars(rename = "CallbackReaction")]
pub struct ReactionBody<'a>(Root<ReactionAction<'a>>);

#[derive(Serialize, JsonSchema)]
#[schemars(inline)]
struct TypingAction<'a> {
    typing: Typing<'a>,
}

#[derive(Serialize, JsonSchema)]
#[schemars(inline)]
struct ReactionAction<'a> {
    reaction: Reaction<'a>,
}

#[derive(Serialize, JsonSchema)]
#[schemars(inline)]
struct Typing<'a> {
    user: User,
    conversation: Conversation<'a>,
    /// Until when to show it: Unix time, in seconds.
    expired_at: u64,
}

#[derive(Serialize, JsonSchema)]
#[schemars(inline)]
struct Reaction<'a> {
    /// The integration's id of the message; ours when it has none.
    msgid: &'a str,
    message: Message<'a>,
    user: User,
    conversation: Conversation<'a>,
    #[schemars(extend("enum" = ReactionKind::WORDS))]
    #[serde(rename = "type")]
    kind: &'static str,
    /// Absent when the action removes a reaction.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schemars(required)]
    emoji: Option<&'a Emoji>,
}

#[derive(Serialize, JsonSchema)]
#[schemars(inline)]
struct Message<'a> {
    /// Our id of the message.
    id: MessageId,
    /// The integration's id of it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schemars(required)]
    msgid: Option<&'a ClientMessageId>,
    /// The same as msgid.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schemars(required)]
    client_id: Option<&'a ClientMessageId>,
    /// The receiver: the channel's bot if a customer wrote the message.
    receiver: Person<'a>,
    /// The writer.
    sender: Person<'a>,
    /// Unix time, in seconds.
    timestamp: u64,
    /// Unix time, in milliseconds.
    msec_timestamp: u64,
}

#[derive(Serialize, JsonSchema)]
#[schemars(inline)]
struct Person<'a> {
    id: PersonId,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schemars(required)]
    name: Option<&'a Name>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schemars(required)]
    client_id: Option<&'a ClientPersonId>,
}

impl<'a> Person<'a> {
    fn from_party(party: &'a Party) -> Self {
        Self {
            id: party.id,
            name: party.name.as_ref(),
            client_id: party.client_id.as_ref(),
        }
    }
}

#[derive(Serialize, JsonSchema)]
#[schemars(inline)]
struct User {
    /// Our id of the account user.
    id: PersonId,
}

#[derive(Serialize, JsonSchema)]
#[schemars(inline)]
struct Conversation<'a> {
    /// Our id of the conversation.
    id: ConversationId,
    /// The integration's id of the conversation; empty until it is bound.
    client_id: &'a str,
}
