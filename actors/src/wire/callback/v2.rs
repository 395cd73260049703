//! Callbacks of version 2: nested objects with the ids of both sides.
//!
//! The keys come in the order in which the counterpart of this interface sends them, since receivers exist
//! that were written against its bytes.

use serde::Serialize;

use crate::domain::chat::quote::Answered;
use crate::domain::id::{
    AccountId, ClientMessageId, ClientPersonId, ConversationId, MessageId, PersonId,
};
use crate::domain::text::email::Email;
use crate::domain::text::url::HttpUrl;
use crate::domain::text::{Name, Phone, PostId, SourceId};
use crate::domain::time::UnixMillis;
use crate::wire::callback::{Media, OutgoingCallback, to_bytes};

/// The bytes of the callback for an attempt at the moment `attempt`. Only the root's `time` depends on it.
#[must_use]
pub fn body(callback: &OutgoingCallback, attempt: UnixMillis) -> Vec<u8> {
    let receiver = &callback.receiver;
    let client_conversation = callback.client_conversation.as_ref();
    to_bytes(&Root {
        account_id: callback.account,
        time: attempt.secs(),
        message: Event {
            receiver: Receiver {
                id: receiver.id,
                name: receiver.name.as_ref(),
                phone: receiver.phone.as_ref(),
                email: receiver.email.as_ref(),
                client_id: receiver.client_id.as_ref().map_or("", |id| id.as_str()),
            },
            sender: Sender {
                id: callback.sender.id,
                name: callback.sender.name.as_str(),
            },
            conversation: Conversation {
                id: callback.conversation,
                client_id: client_conversation.map_or("", |id| id.as_str()),
            },
            source: callback
                .source
                .as_ref()
                .map(|external_id| Source { external_id }),
            timestamp: callback.written_at.secs(),
            msec_timestamp: callback.written_at.get(),
            message: Message {
                id: callback.message,
                kind: callback.content.kind(),
                text: callback.content.text(),
                markup: (),
                tag: "",
                media: Media::of(&callback.content),
                post: callback.post.as_ref().map(|id| Post { id }),
                reply_to: callback.reply_to.as_deref().map(quote),
            },
        },
    })
}

fn quote(answered: &Answered) -> Quote<'_> {
    Quote {
        message: Quoted {
            id: answered.id,
            msgid: answered.msgid.as_ref(),
            kind: answered.kind.as_str(),
            text: answered.text.as_ref().map_or("", |text| text.as_str()),
            media: answered.media.as_ref(),
            timestamp: answered.written_at.secs(),
            msec_timestamp: answered.written_at.get(),
            sender: QuotedPerson {
                id: answered.sender,
                name: answered.sender_name.as_ref(),
                client_id: answered.sender_client_id.as_ref(),
            },
        },
    }
}

#[derive(Serialize)]
struct Root<'a> {
    account_id: AccountId,
    time: u64,
    message: Event<'a>,
}

#[derive(Serialize)]
struct Event<'a> {
    receiver: Receiver<'a>,
    sender: Sender<'a>,
    conversation: Conversation<'a>,
    #[serde(skip_serializing_if = "Option::is_none")]
    source: Option<Source<'a>>,
    timestamp: u64,
    msec_timestamp: u64,
    message: Message<'a>,
}

#[derive(Serialize)]
struct Receiver<'a> {
    id: PersonId,
    #[serde(skip_serializing_if = "Option::is_none")]
    name: Option<&'a Name>,
    #[serde(skip_serializing_if = "Option::is_none")]
    phone: Option<&'a Phone>,
    #[serde(skip_serializing_if = "Option::is_none")]
    email: Option<&'a Email>,
    client_id: &'a str,
}

#[derive(Serialize)]
struct Sender<'a> {
    id: PersonId,
    name: &'a str,
}

#[derive(Serialize)]
struct Conversation<'a> {
    id: ConversationId,
    client_id: &'a str,
}

#[derive(Serialize)]
struct Source<'a> {
    external_id: &'a SourceId,
}

#[derive(Serialize)]
struct Message<'a> {
    id: MessageId,
    #[serde(rename = "type")]
    kind: &'static str,
    text: &'a str,
    /// Buttons, of which account users have none to give: `null`.
    markup: (),
    tag: &'static str,
    #[serde(flatten)]
    media: Media<'a>,
    #[serde(skip_serializing_if = "Option::is_none")]
    post: Option<Post<'a>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    reply_to: Option<Quote<'a>>,
}

#[derive(Serialize)]
struct Post<'a> {
    id: &'a PostId,
}

#[derive(Serialize)]
struct Quote<'a> {
    message: Quoted<'a>,
}

#[derive(Serialize)]
struct Quoted<'a> {
    id: MessageId,
    #[serde(skip_serializing_if = "Option::is_none")]
    msgid: Option<&'a ClientMessageId>,
    #[serde(rename = "type")]
    kind: &'static str,
    text: &'a str,
    #[serde(skip_serializing_if = "Option::is_none")]
    media: Option<&'a HttpUrl>,
    timestamp: u64,
    msec_timestamp: u64,
    sender: QuotedPerson<'a>,
}

#[derive(Serialize)]
struct QuotedPerson<'a> {
    id: PersonId,
    #[serde(skip_serializing_if = "Option::is_none")]
    name: Option<&'a Name>,
    #[serde(skip_serializing_if = "Option::is_none")]
    client_id: Option<&'a ClientPersonId>,
}
