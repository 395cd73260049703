//! Callbacks of version 2 about what is no message: an account user is typing, or leaves a sign on a message.

use serde::Serialize;

use crate::domain::chat::outgoing::SignLeft;
use crate::domain::chat::reaction::ReactionKind;
use crate::domain::id::{AccountId, ClientMessageId, ConversationId, MessageId, PersonId};
use crate::domain::text::Emoji;
use crate::domain::time::UnixMillis;
use crate::wire::callback::{OutgoingCallback, to_bytes};

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
pub(super) fn reaction(
    callback: &OutgoingCallback,
    sign: &SignLeft,
    attempt: UnixMillis,
) -> Vec<u8> {
    let ours = sign.on.to_string();
    let theirs = sign.msgid.as_ref();
    let client = callback.client_conversation.as_ref();
    to_bytes(&Root {
        account_id: callback.account,
        time: attempt.secs(),
        action: Action::Reaction(Reaction {
            msgid: theirs.map_or(ours.as_str(), ClientMessageId::as_str),
            message: Message {
                id: sign.on,
                msgid: theirs,
            },
            user: User {
                id: callback.sender.id,
            },
            conversation: Conversation {
                id: callback.conversation,
                client_id: client.map_or("", |id| id.as_str()),
            },
            kind: match sign.kind {
                ReactionKind::React => "react",
                ReactionKind::Unreact => "unreact",
            },
            emoji: sign.emoji.as_ref(),
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
