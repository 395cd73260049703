//! Callbacks of version 2: nested objects with the ids of both sides.
//!
//! The keys come in the order in which the counterpart of this interface sends them, since receivers exist
//! that were written against its bytes.

mod markup;

use schemars::JsonSchema;
use serde::Serialize;

use crate::callback::v2::markup::{Markup, TemplatePart};
use crate::callback::{Media, OutgoingCallback, to_bytes};
use crate::domain::chat::message::ContentKind;
use crate::domain::chat::outgoing::OutgoingContent;
use crate::domain::chat::quote::Answered;
use crate::domain::id::{
    AccountId, ClientMessageId, ClientPersonId, ConversationId, MessageId, PersonId,
};
use crate::domain::text::email::Email;
use crate::domain::text::url::HttpUrl;
use crate::domain::text::{Name, Phone, PostId, SourceId};
use crate::domain::time::UnixMillis;

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
                markup: Markup::new(callback.template.as_deref(), callback.list.as_deref()),
                tag: "",
                media: Media::from_content(&callback.content),
                template: callback.template.as_deref().map(TemplatePart::new),
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

/// The body: what does not apply to a message is empty or 0.
#[derive(Serialize, JsonSchema)]
#[schemars(rename = "CallbackV2")]
pub struct Root<'a> {
    account_id: AccountId,
    /// The time of the attempt: Unix time, in seconds.
    time: u64,
    message: Event<'a>,
}

#[derive(Serialize, JsonSchema)]
#[schemars(inline)]
struct Event<'a> {
    receiver: Receiver<'a>,
    sender: Sender<'a>,
    conversation: Conversation<'a>,
    /// The entrance of the integration that the conversation came through.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schemars(required)]
    source: Option<Source<'a>>,
    /// Unix time, in seconds.
    timestamp: u64,
    /// Unix time, in milliseconds.
    msec_timestamp: u64,
    message: Message<'a>,
}

#[derive(Serialize, JsonSchema)]
#[schemars(inline)]
struct Receiver<'a> {
    /// Our id of the customer.
    id: PersonId,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schemars(required)]
    name: Option<&'a Name>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schemars(required)]
    phone: Option<&'a Phone>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schemars(required)]
    email: Option<&'a Email>,
    /// The integration's id of the customer; empty until it is bound.
    client_id: &'a str,
}

#[derive(Serialize, JsonSchema)]
#[schemars(inline)]
struct Sender<'a> {
    /// Our id of the account user.
    id: PersonId,
    name: &'a str,
}

#[derive(Serialize, JsonSchema)]
#[schemars(inline)]
struct Conversation<'a> {
    /// Our id of the conversation.
    id: ConversationId,
    /// The integration's id of the conversation; empty until it is bound.
    client_id: &'a str,
}

#[derive(Serialize, JsonSchema)]
#[schemars(inline)]
struct Source<'a> {
    #[schemars(length(min = 1, max = 40))]
    external_id: &'a SourceId,
}

#[derive(Serialize, JsonSchema)]
#[schemars(inline)]
struct Message<'a> {
    /// Our id of the message.
    id: MessageId,
    #[schemars(extend("enum" = OutgoingContent::KINDS))]
    #[serde(rename = "type")]
    kind: &'static str,
    text: &'a str,
    /// The buttons or the list below the message; `null` without them.
    markup: Option<Markup<'a>>,
    #[schemars(extend("const" = ""))]
    tag: &'static str,
    #[serde(flatten)]
    media: Media<'a>,
    /// The template that the message was made of.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schemars(required)]
    template: Option<TemplatePart<'a>>,
    /// The post whose comments the conversation holds.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schemars(required)]
    post: Option<Post<'a>>,
    /// The message that this one answers.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schemars(required)]
    reply_to: Option<Quote<'a>>,
}

#[derive(Serialize, JsonSchema)]
#[schemars(inline)]
struct Post<'a> {
    id: &'a PostId,
}

#[derive(Serialize, JsonSchema)]
#[schemars(inline)]
struct Quote<'a> {
    message: Quoted<'a>,
}

#[derive(Serialize, JsonSchema)]
#[schemars(inline)]
struct Quoted<'a> {
    /// Our id of the message.
    id: MessageId,
    /// The integration's id of it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schemars(required)]
    msgid: Option<&'a ClientMessageId>,
    #[schemars(extend("enum" = ContentKind::WORDS))]
    #[serde(rename = "type")]
    kind: &'static str,
    text: &'a str,
    #[schemars(extend("format" = "uri"), length(max = 2_048))]
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schemars(required)]
    media: Option<&'a HttpUrl>,
    /// Unix time, in seconds.
    timestamp: u64,
    /// Unix time, in milliseconds.
    msec_timestamp: u64,
    sender: QuotedPerson<'a>,
}

#[derive(Serialize, JsonSchema)]
#[schemars(inline)]
struct QuotedPerson<'a> {
    id: PersonId,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schemars(required)]
    name: Option<&'a Name>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schemars(required)]
    client_id: Option<&'a ClientPersonId>,
}
