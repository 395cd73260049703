//! The bodies of callbacks: an account user's message on its way to the integration, in exact bytes.
//!
//! A body is made once per attempt, signed as bytes and sent as these bytes. It has no trailing newline:
//! some receivers trim the body before they verify the signature and some do not.

pub mod action;
pub mod v1;
pub mod v2;

use std::borrow::Cow;

use schemars::JsonSchema;
use serde::Serialize;

use crate::domain::chat::outgoing::OutgoingContent;
use crate::domain::chat::quote::Answered;
use crate::domain::conversation::Replied;
use crate::domain::id::{
    AccountId, ClientConversationId, ClientPersonId, ConversationId, MessageId, PersonId,
};
use crate::domain::text::email::Email;
use crate::domain::text::{Name, Phone, PostId, SourceId};
use crate::domain::time::UnixMillis;

/// An account user's message and all persons whom it concerns, borrowed from where it is stored.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct OutgoingCallback<'a> {
    /// The account in which it was written.
    pub account: AccountId,
    /// Our id of the message.
    pub message: MessageId,
    /// When it was written.
    pub written_at: UnixMillis,
    /// What it says.
    pub content: Cow<'a, OutgoingContent>,
    /// The account user who wrote it.
    pub sender: CallbackSender<'a>,
    /// The customer for whom it is.
    pub receiver: Receiver<'a>,
    /// Our id of the conversation.
    pub conversation: ConversationId,
    /// The integration's id of the conversation; none while a conversation begun here is not bound.
    pub client_conversation: Option<Cow<'a, ClientConversationId>>,
    /// Which entrance of the integration the conversation came through.
    pub source: Option<Cow<'a, SourceId>>,
    /// The message that it answers; version 1 has no field for it.
    pub reply_to: Option<Cow<'a, Answered>>,
    /// The post whose comments the conversation holds; version 1 has no field for it.
    pub post: Option<Cow<'a, PostId>>,
}

/// The account user who wrote a message, as the integration sees them.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct CallbackSender<'a> {
    /// Our id of the person.
    pub id: PersonId,
    /// How the person is called.
    pub name: Cow<'a, Name>,
}

/// The customer for whom a message is.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Receiver<'a> {
    /// Our id of the person.
    pub id: PersonId,
    /// The integration's id of the person; none until it is bound.
    pub client_id: Option<Cow<'a, ClientPersonId>>,
    /// How the person is called.
    pub name: Option<Cow<'a, Name>>,
    /// The person's phone number.
    pub phone: Option<Cow<'a, Phone>>,
    /// The person's e-mail address.
    pub email: Option<Cow<'a, Email>>,
}

/// The content of the message, with the same keys in both versions. All keys are always present, `""` and `0` where
/// they do not apply.
#[derive(Serialize, JsonSchema)]
#[schemars(inline)]
struct Media<'a> {
    #[schemars(length(max = 2_048))]
    media: &'a str,
    #[schemars(length(max = 2_048))]
    thumbnail: &'a str,
    file_name: &'a str,
    /// In bytes.
    file_size: u64,
}

impl<'a> Media<'a> {
    fn of(content: &'a OutgoingContent) -> Self {
        let file = content.file();
        Self {
            media: file.map_or("", |file| file.media.as_str()),
            thumbnail: content
                .thumbnail()
                .map_or("", |thumbnail| thumbnail.as_str()),
            file_name: file.map_or("", |file| file.name.as_str()),
            file_size: file.map_or(0, |file| file.size.bytes()),
        }
    }
}

impl<'a> OutgoingCallback<'a> {
    /// The callback of a stored message. What it says was fixed when the message was written.
    #[must_use]
    pub fn of(account: AccountId, conversation: ConversationId, replied: &'a Replied) -> Self {
        Self {
            account,
            message: replied.id,
            written_at: replied.at,
            content: Cow::Borrowed(&replied.content),
            sender: CallbackSender {
                id: replied.by.person,
                name: Cow::Borrowed(&replied.by.name),
            },
            receiver: Receiver {
                id: replied.to.person,
                client_id: replied.to.client_id.as_ref().map(Cow::Borrowed),
                name: Some(Cow::Borrowed(&replied.to.name)),
                phone: replied.to.phone.as_ref().map(Cow::Borrowed),
                email: replied.to.email.as_ref().map(Cow::Borrowed),
            },
            conversation,
            client_conversation: replied.conversation_client_id.as_ref().map(Cow::Borrowed),
            source: replied.source.as_ref().map(Cow::Borrowed),
            reply_to: replied.reply_to.as_deref().map(Cow::Borrowed),
            post: replied.post.as_ref().map(Cow::Borrowed),
        }
    }
}

/// A body of ordinary length fits into this many bytes, so that its buffer does not grow.
const BODY_BYTES: usize = 1_024;

/// The bytes of a body.
fn to_bytes(body: &impl Serialize) -> Vec<u8> {
    let mut bytes = Vec::with_capacity(BODY_BYTES);
    #[expect(
        clippy::expect_used,
        reason = "structs of text, numbers and structs always have a JSON form"
    )]
    serde_json::to_writer(&mut bytes, body).expect("a body of text and numbers");
    bytes
}

#[cfg(test)]
mod tests;
