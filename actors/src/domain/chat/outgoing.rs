//! Messages of account users.

use serde::{Deserialize, Serialize};

use crate::domain::chat::message::Attachment;
use crate::domain::text::MessageText;
use crate::domain::text::url::HttpUrl;

/// What account users can send.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum OutgoingContent {
    /// Text alone.
    Text {
        /// What was written.
        text: MessageText,
    },
    /// A picture.
    Picture {
        /// The picture.
        file: Attachment,
        /// Where a small version of it is.
        thumbnail: HttpUrl,
        /// What was written along with it.
        text: Option<MessageText>,
    },
    /// A file.
    File {
        /// The file.
        file: Attachment,
        /// What was written along with it.
        text: Option<MessageText>,
    },
}

impl OutgoingContent {
    /// The name of the kind on the wire.
    #[must_use]
    pub fn kind(&self) -> &'static str {
        match self {
            Self::Text { .. } => "text",
            Self::Picture { .. } => "picture",
            Self::File { .. } => "file",
        }
    }

    /// What was written, empty when nothing was.
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

    /// Where a small version of a picture is.
    #[must_use]
    pub fn thumbnail(&self) -> Option<&HttpUrl> {
        match self {
            Self::Picture { thumbnail, .. } => Some(thumbnail),
            Self::Text { .. } | Self::File { .. } => None,
        }
    }
}
