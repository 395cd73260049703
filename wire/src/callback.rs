//! The bodies of callbacks: an account user's message on its way to the integration, in exact bytes.
//!
//! A body is made once per attempt, signed as bytes and sent as these bytes. It has no trailing newline:
//! some receivers trim the body before they verify the signature and some do not.

pub mod action;
pub mod v1;
pub mod v2;

use schemars::JsonSchema;
use serde::Serialize;

use crate::domain::chat::outgoing::OutgoingContent;
use crate::domain::chat::quote::Answered;
use crate::domain::conversation::Replied;
use crate::domain::id::{
    AccountId, ClientConversationId, ClientPersonId, ConversationId, MessageId, PersonId,
};
use crate::domain::list_message::SentList;
use crate::domain::templates::sent::SentTemplate;
use crate::domain::text::email::Email;
use crate::domain::text::{Name, Phone, PostId, SourceId};
use crate::domain::time::UnixMillis;

/// An account user's message and all persons whom it concerns.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct OutgoingCallback {
    /// The account in which it was written.
    pub account: AccountId,
    /// Our id of the message.
    pub message: MessageId,
    /// The time of writing.
    pub written_at: UnixMillis,
    /// The content of the message.
    pub content: OutgoingContent,
    /// The account user who wrote it.
    pub sender: CallbackSender,
    /// The customer for whom it is.
    pub receiver: Receiver,
    /// Our id of the conversation.
    pub conversation: ConversationId,
    /// The integration's id of the conversation; none while a conversation begun here is not bound.
    pub client_conversation: Option<ClientConversationId>,
    /// The entrance of the integration that the conversation came through.
    pub source: Option<SourceId>,
    /// The message that it answers; version 1 has no field for it.
    pub reply_to: Option<Box<Answered>>,
    /// The post whose comments the conversation holds; version 1 has no field for it.
    pub post: Option<PostId>,
    /// The template that it was made of; version 1 has no field for it.
    pub template: Option<Box<SentTemplate>>,
    /// The list below its text; version 1 has no field for it.
    pub list: Option<Box<SentList>>,
}

/// The account user who wrote a message, as the integration sees them.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct CallbackSender {
    /// Our id of the person.
    pub id: PersonId,
    /// The name of the person.
    pub name: Name,
}

/// The customer for whom a message is.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Receiver {
    /// Our id of the person.
    pub id: PersonId,
    /// The integration's id of the person; none until it is bound.
    pub client_id: Option<ClientPersonId>,
    /// The name of the person.
    pub name: Option<Name>,
    /// The person's phone number.
    pub phone: Option<Phone>,
    /// The person's e-mail address.
    pub email: Option<Email>,
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
    fn from_content(content: &'a OutgoingContent) -> Self {
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

impl OutgoingCallback {
    /// The callback of a stored message. What it says was fixed when the message was written.
    #[must_use]
    pub fn from_replied(
        account: AccountId,
        conversation: ConversationId,
        replied: &Replied,
    ) -> Self {
        Self {
            account,
            message: replied.id,
            written_at: replied.at,
            content: replied.content.clone(),
            sender: CallbackSender {
                id: replied.by.person,
                name: replied.by.name.clone(),
            },
            receiver: Receiver {
                id: replied.to.person,
                client_id: replied.to.client_id.clone(),
                name: Some(replied.to.name.clone()),
                phone: replied.to.phone.clone(),
                email: replied.to.email.clone(),
            },
            conversation,
            client_conversation: replied.conversation_client_id.clone(),
            source: replied.source.clone(),
            reply_to: replied.reply_to.clone(),
            post: replied.post.clone(),
            template: replied.template.clone(),
            list: replied.list.clone(),
        }
    }
}

/// The bytes of a body.
fn to_bytes(body: &impl Serialize) -> Vec<u8> {
    #[expect(
        clippy::expect_used,
        reason = "structs of text, numbers and structs always have a JSON form"
    )]
    serde_json::to_vec(body).expect("a body of text and numbers")
}

#[cfg(test)]
mod tests;
