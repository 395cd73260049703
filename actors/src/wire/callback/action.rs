//! Callbacks of version 2 about what is no message: an account user is typing, or leaves a sign on a message.

use serde::Serialize;

use crate::domain::chat::outgoing::Party;
use crate::domain::chat::reaction::ReactionKind;
use crate::domain::conversation::SignCallback;
use crate::domain::id::{
    AccountId, ClientMessageId, ClientPersonId, ConversationId, MessageId, PersonId,
};
use crate::domain::text::{Emoji, Name};
use crate::domain::time::UnixMillis;
use crate::wire::callback::to_bytes;

/// For how many seconds somebody is shown as typing.
const TYPING_SECONDS: u64 = 5;

/// Somebody is typing.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TypingCallback<'a> {
    /// The account in which it happens.
    pub account: AccountId,
    /// Who.
    pub user: PersonId,
    /// Our id of the conversation.
    pub conversation: ConversationId,
    /// The integration's id of it, empty until it is bound.
    pub client_conversation: &'a str,
    /// Since when.
    pub at: UnixMillis,
}

/// The bytes of a callback about somebody who is typing.
#[must_use]
pub fn typing(typing: &TypingCallback<'_>) -> Vec<u8> {
    to_bytes(&Root {
        account_id: typing.account,
        time: typing.at.secs(),
        action: Action::Typing(Typing {
            user: User { id: typing.user },
            conversation: Conversation {
                id: typing.conversation,
                client_id: typing.client_conversation,
            },
            expired_at: typing.at.secs().saturating_add(TYPING_SECONDS),
        }),
    })
}

/// The bytes of a callback about a sign, for an attempt at this moment.
#[must_use]
pub fn reaction(
    account: AccountId,
    conversation: ConversationId,
    callback: &SignCallback,
    attempt: UnixMillis,
) -> Vec<u8> {
    let sign = &callback.sign;
    let ours = sign.on.to_string();
    let theirs = sign.msgid.as_ref();
    let client = callback.conversation_client_id.as_ref();
    to_bytes(&Root {
        account_id: account,
        time: attempt.secs(),
        action: Action::Reaction(Reaction {
            msgid: theirs.map_or(ours.as_str(), ClientMessageId::as_str),
            message: Message {
                id: sign.on,
                msgid: theirs,
                client_id: theirs,
                receiver: Person::of(&sign.message.receiver),
                sender: Person::of(&sign.message.sender),
                timestamp: sign.message.written_at.secs(),
                msec_timestamp: sign.message.written_at.get(),
            },
            user: User { id: callback.by },
            conversation: Conversation {
                id: conversation,
                client_id: client.map_or("", |id| id.as_str()),
            },
            kind: match sign.kind {
                ReactionKind::React => "react",
                ReactionKind::Unreact => "unreact",
            },
            emoji: match sign.kind {
                ReactionKind::React => sign.emoji.as_ref(),
                ReactionKind::Unreact => None,
            },
        }),
    })
}

#[derive(Serialize)]
struct Root<'a> {
    account_id: AccountId,
    time: u64,
    action: Action<'a>,
}

#[derive(Serialize)]
#[serde(rename_all = "lowercase")]
enum Action<'a> {
    Typing(Typing<'a>),
    Reaction(Reaction<'a>),
}

#[derive(Serialize)]
struct Typing<'a> {
    user: User,
    conversation: Conversation<'a>,
    expired_at: u64,
}

#[derive(Serialize)]
struct Reaction<'a> {
    /// The integration's id of the message; ours when it has none.
    msgid: &'a str,
    message: Message<'a>,
    user: User,
    conversation: Conversation<'a>,
    #[serde(rename = "type")]
    kind: &'static str,
    #[serde(skip_serializing_if = "Option::is_none")]
    emoji: Option<&'a Emoji>,
}

#[derive(Serialize)]
struct Message<'a> {
    id: MessageId,
    #[serde(skip_serializing_if = "Option::is_none")]
    msgid: Option<&'a ClientMessageId>,
    /// The same, by the name that the published table has.
    #[serde(skip_serializing_if = "Option::is_none")]
    client_id: Option<&'a ClientMessageId>,
    receiver: Person<'a>,
    sender: Person<'a>,
    timestamp: u64,
    msec_timestamp: u64,
}

#[derive(Serialize)]
struct Person<'a> {
    id: PersonId,
    #[serde(skip_serializing_if = "Option::is_none")]
    name: Option<&'a Name>,
    #[serde(skip_serializing_if = "Option::is_none")]
    client_id: Option<&'a ClientPersonId>,
}

impl<'a> Person<'a> {
    fn of(party: &'a Party) -> Self {
        Self {
            id: party.id,
            name: party.name.as_ref(),
            client_id: party.client_id.as_ref(),
        }
    }
}

#[derive(Serialize)]
struct User {
    id: PersonId,
}

#[derive(Serialize)]
struct Conversation<'a> {
    id: ConversationId,
    client_id: &'a str,
}
