//! What a message refers to: one that it answers, one that it passes on, a post that it comments.

use serde::{Deserialize, Serialize};

use crate::domain::chat::message::ContentKind;
use crate::domain::id::{
    ClientConversationId, ClientMessageId, ClientPersonId, ConversationId, MessageId, PersonId,
};
use crate::domain::text::url::HttpUrl;
use crate::domain::text::{MessageText, Name, PostId};

/// A message inside another one: by an id, or by what it said.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Quote {
    /// Our id of it.
    pub id: Option<MessageId>,
    /// The integration's id of it.
    pub msgid: Option<ClientMessageId>,
    /// Its kind.
    pub kind: Option<ContentKind>,
    /// What it said.
    pub text: Option<MessageText>,
    /// The file that it brought.
    pub media: Option<HttpUrl>,
    /// Who wrote it.
    pub sender: Option<QuotedPerson>,
}

/// Who wrote a message that is quoted.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct QuotedPerson {
    /// The integration's id of the person.
    pub id: Option<ClientPersonId>,
    /// Our id of the person.
    pub ref_id: Option<PersonId>,
    /// How the person is called.
    pub name: Option<Name>,
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
    /// Where it is.
    pub url: HttpUrl,
    /// Where a small picture of it is.
    pub preview_url: Option<HttpUrl>,
    /// Where that picture stays.
    pub preview_permalink: Option<HttpUrl>,
    /// Who wrote it.
    pub username: Option<Name>,
    /// What it says.
    pub caption: Option<MessageText>,
}
