//! The reference of a message: to one that it answers, one that it passes on, or a post that it comments.

use serde::{Deserialize, Serialize};

use crate::chat::message::ContentKind;
use crate::id::{
    ClientConversationId, ClientMessageId, ClientPersonId, ConversationId, MessageId, PersonId,
};
use crate::oauth::acting_client::ActingClient;
use crate::text::url::HttpUrl;
use crate::text::{MessageText, Name, PostId};
use crate::time::UnixMillis;

/// A message inside another one: by an id, or by what it said.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Quote {
    /// Our id of it.
    pub id: Option<MessageId>,
    /// The integration's id of it.
    pub msgid: Option<ClientMessageId>,
    /// Its kind.
    pub kind: Option<ContentKind>,
    /// The text of the message.
    pub text: Option<MessageText>,
    /// The file that it brought.
    pub media: Option<HttpUrl>,
    /// The sender of the message.
    pub sender: Option<QuotedPerson>,
}

/// The sender of a quoted message.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct QuotedPerson {
    /// The integration's id of the person.
    pub id: Option<ClientPersonId>,
    /// Our id of the person.
    pub ref_id: Option<PersonId>,
    /// The name of the person.
    pub name: Option<Name>,
}

/// The message that an account user's message answers, as it was then.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Answered {
    /// Our id of it.
    pub id: MessageId,
    /// The integration's id of it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub msgid: Option<ClientMessageId>,
    /// Its kind.
    pub kind: ContentKind,
    /// The text of the message.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub text: Option<MessageText>,
    /// The file that it brought.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub media: Option<HttpUrl>,
    /// The time of writing.
    pub written_at: UnixMillis,
    /// The sender.
    pub sender: PersonId,
    /// The integration's id of who wrote it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub sender_client_id: Option<ClientPersonId>,
    /// The name of the sender.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub sender_name: Option<Name>,
    /// The OAuth client that acted for the account user who wrote it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub acting_client: Option<ActingClient>,
}

/// Messages that are passed on. The interface knows one at most.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Forwards {
    /// The messages.
    pub messages: Vec<Quote>,
    /// The integration's id of the conversation that they come from.
    pub conversation_id: Option<ClientConversationId>,
    /// Our id of the conversation that they come from.
    pub conversation_ref_id: Option<ConversationId>,
}

/// A post in a public network that a message comments.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Post {
    /// The integration's id of it.
    pub id: PostId,
    /// The address of the post.
    pub url: HttpUrl,
    /// The address of a small picture of it.
    pub preview_url: Option<HttpUrl>,
    /// The lasting address of that picture.
    pub preview_permalink: Option<HttpUrl>,
    /// The user name of the author.
    pub username: Option<Name>,
    /// The text of the post.
    pub caption: Option<MessageText>,
}
