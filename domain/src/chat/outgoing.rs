//! Messages of account users.

use serde::{Deserialize, Serialize};

use crate::chat::message::Attachment;
use crate::chat::reaction::ReactionKind;
use crate::id::{ClientMessageId, ClientPersonId, MessageId, PersonId};
use crate::text::url::HttpUrl;
use crate::text::{Emoji, MessageText, Name};
use crate::time::UnixMillis;

/// The content that account users can send.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum OutgoingContent {
    /// Text alone.
    Text {
        /// The text.
        text: MessageText,
    },
    /// A picture.
    Picture {
        /// The picture.
        file: Attachment,
        /// The address of a small version of it.
        thumbnail: HttpUrl,
        /// The text that accompanies it.
        text: Option<MessageText>,
    },
    /// A file.
    File {
        /// The file.
        file: Attachment,
        /// The text that accompanies it.
        text: Option<MessageText>,
    },
}

/// An account user's change of a reaction.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct ReactionChange {
    /// The message.
    pub on: MessageId,
    /// The integration's id of the message.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub msgid: Option<ClientMessageId>,
    /// The message that the reaction is on.
    pub message: Box<ReactedMessage>,
    /// Leaves it, or takes it back.
    pub kind: ReactionKind,
    /// The reaction; `None` takes all of theirs back.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub emoji: Option<Emoji>,
}

/// The message that a reaction is on, with the fields that the integration receives.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct ReactedMessage {
    /// The time of writing.
    pub written_at: UnixMillis,
    /// The sender.
    pub sender: Party,
    /// The receiver; the bot of the channel stands for the account that received a customer's message.
    pub receiver: Party,
}

/// A side of a message.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Party {
    /// The service's id of the person.
    pub id: PersonId,
    /// The integration's id of the person.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub client_id: Option<ClientPersonId>,
    /// The name of the person.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub name: Option<Name>,
}

impl OutgoingContent {
    /// The kinds, by the names that the wire gives them.
    pub const KINDS: [&'static str; 3] = ["text", "picture", "file"];

    /// The name of the kind on the wire.
    #[must_use]
    pub fn kind(&self) -> &'static str {
        match self {
            Self::Text { .. } => "text",
            Self::Picture { .. } => "picture",
            Self::File { .. } => "file",
        }
    }

    /// Returns the text, empty when there is none.
    #[must_use]
    pub fn text(&self) -> &str {
        match self {
            Self::Text { text } => text.as_str(),
            Self::Picture { text, .. } | Self::File { text, .. } => {
                text.as_ref().map_or("", MessageText::as_str)
            }
        }
    }

    /// The file that goes with it.
    #[must_use]
    pub fn file(&self) -> Option<&Attachment> {
        match self {
            Self::Text { .. } => None,
            Self::Picture { file, .. } | Self::File { file, .. } => Some(file),
        }
    }

    /// Returns the address of a small version of a picture.
    #[must_use]
    pub fn thumbnail(&self) -> Option<&HttpUrl> {
        match self {
            Self::Picture { thumbnail, .. } => Some(thumbnail),
            Self::Text { .. } | Self::File { .. } => None,
        }
    }
}
