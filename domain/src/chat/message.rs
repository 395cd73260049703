//! Messages that integrations post.

use serde::{Deserialize, Serialize};

use crate::chat::quote::{Forwards, Post, Quote};
use crate::generation::Generation;
use crate::id::{ClientConversationId, ClientMessageId, ConversationId};
use crate::person::Sender;
use crate::text::url::HttpUrl;
use crate::text::{CallbackData, FileName, MessageText, Name, Phone, SourceId, StickerId};
use crate::time::UnixMillis;
use crate::words;

/// A message as an integration hands it over: a customer's, or, with a receiver, one that was written to a customer
/// elsewhere and is imported.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct PostedMessage {
    /// The generation by whose rules it was read.
    pub generation: Generation,
    /// The time of writing, according to the integration.
    pub timestamp: UnixMillis,
    /// The integration's id of the message.
    pub msgid: ClientMessageId,
    /// The integration's id of the conversation; `None` when ours is enough.
    pub conversation_id: Option<ClientConversationId>,
    /// Our id of the conversation, when the integration ties its own to one that we began.
    pub conversation_ref_id: Option<ConversationId>,
    /// The sender.
    pub sender: Sender,
    /// The customer to whom it was written; `None` when the customer wrote it.
    pub receiver: Option<Sender>,
    /// The content.
    pub content: Content,
    /// The setting that makes the message notify users, or not.
    pub announce: Announce,
    /// The entrance of the integration that the message came through.
    pub source: Option<SourceId>,
    /// The message that it answers.
    pub reply_to: Option<Quote>,
    /// The message that it passes on.
    pub forwards: Option<Forwards>,
    /// The post that it comments.
    pub post: Option<Post>,
    /// The value of the row of a list that the customer chose.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub callback_data: Option<CallbackData>,
}

/// The distinction between news and imported history.
#[derive(
    Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize,
)]
pub enum Announce {
    /// News: the message notifies users, and opens a lead if none is active.
    #[default]
    Aloud,
    /// Imported history: the message notifies no user and opens no lead.
    Silently,
}

/// The content of a posted message. Text may accompany everything.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub enum Content {
    /// Text alone.
    Text {
        /// The text.
        text: MessageText,
    },
    /// A picture.
    Picture {
        /// The picture.
        file: Attachment,
        /// The text that accompanies it.
        text: Option<MessageText>,
    },
    /// A film.
    Video {
        /// The film.
        file: Attachment,
        /// The text that accompanies it.
        text: Option<MessageText>,
    },
    /// A file of any kind.
    File {
        /// The file.
        file: Attachment,
        /// The text that accompanies it.
        text: Option<MessageText>,
    },
    /// Something that was spoken into the messenger.
    Voice {
        /// The address of the file.
        media: HttpUrl,
        /// The text that accompanies it.
        text: Option<MessageText>,
    },
    /// A recording.
    Audio {
        /// The address of the file.
        media: HttpUrl,
        /// The text that accompanies it.
        text: Option<MessageText>,
    },
    /// A sticker: a picture without a name.
    Sticker {
        /// The sticker.
        sticker: Sticker,
        /// The text that accompanies it.
        text: Option<MessageText>,
    },
    /// The contact card of a person.
    Contact {
        /// The name of the contact.
        name: Name,
        /// That person's phone number, if the card has one.
        phone: Option<Phone>,
        /// The text that accompanies it.
        text: Option<MessageText>,
    },
    /// A place.
    Location {
        /// The coordinates.
        place: Coordinates,
        /// The text that accompanies it.
        text: Option<MessageText>,
    },
}

impl Content {
    /// Returns the text of the message, or the text that accompanies its file.
    #[must_use]
    pub fn text(&self) -> Option<&MessageText> {
        match self {
            Self::Text { text } => Some(text),
            Self::Picture { text, .. }
            | Self::Video { text, .. }
            | Self::File { text, .. }
            | Self::Voice { text, .. }
            | Self::Audio { text, .. }
            | Self::Sticker { text, .. }
            | Self::Contact { text, .. }
            | Self::Location { text, .. } => text.as_ref(),
        }
    }

    /// Returns the address of the file, as the integration gave it.
    #[must_use]
    pub fn media(&self) -> Option<&HttpUrl> {
        match self {
            Self::Picture { file, .. } | Self::Video { file, .. } | Self::File { file, .. } => {
                Some(&file.media)
            }
            Self::Voice { media, .. } | Self::Audio { media, .. } => Some(media),
            Self::Sticker { sticker, .. } => sticker.media.as_ref(),
            Self::Text { .. } | Self::Contact { .. } | Self::Location { .. } => None,
        }
    }

    /// The kind of the message.
    #[must_use]
    pub fn kind(&self) -> ContentKind {
        match self {
            Self::Text { .. } => ContentKind::Text,
            Self::Picture { .. } => ContentKind::Picture,
            Self::Video { .. } => ContentKind::Video,
            Self::File { .. } => ContentKind::File,
            Self::Voice { .. } => ContentKind::Voice,
            Self::Audio { .. } => ContentKind::Audio,
            Self::Sticker { .. } => ContentKind::Sticker,
            Self::Contact { .. } => ContentKind::Contact,
            Self::Location { .. } => ContentKind::Location,
        }
    }
}

words! {
    /// The kinds of messages that integrations post.
    pub enum ContentKind {
        /// Text alone.
        Text = "text",
        /// A picture.
        Picture = "picture",
        /// A film.
        Video = "video",
        /// A file of any kind.
        File = "file",
        /// Something spoken.
        Voice = "voice",
        /// A recording.
        Audio = "audio",
        /// A sticker.
        Sticker = "sticker",
        /// The contact card of a person.
        Contact = "contact",
        /// A place.
        Location = "location",
    }
}

impl ContentKind {
    /// The kinds that the 2019 generation knows, by their words.
    pub const NAMES_2019: [(&str, Self); 7] = [
        ("text", Self::Text),
        ("picture", Self::Picture),
        ("video", Self::Video),
        ("file", Self::File),
        ("sticker", Self::Sticker),
        ("contact", Self::Contact),
        ("location", Self::Location),
    ];
}

/// A sticker: where it is, or how the messenger calls it, or both.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Sticker {
    /// The address of the picture.
    pub media: Option<HttpUrl>,
    /// The messenger's id of it.
    pub id: Option<StickerId>,
}

/// A file that is fetched from somewhere.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Attachment {
    /// The address of the file.
    pub media: HttpUrl,
    /// The file name.
    pub name: FileName,
    /// The size according to the integration; 0 also when the integration gave none.
    pub size: FileSize,
}

/// The size of a file in bytes: 0 to 2^53, which every reader of JSON can represent exactly.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(try_from = "u64", into = "u64")]
pub struct FileSize(u64);

/// The number is no size of a file.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("expected a size of at most {max} bytes", max = FileSize::MAX.0)]
pub struct FileSizeError;

impl FileSize {
    /// The largest size.
    pub const MAX: Self = Self(1 << 53);

    /// The number of bytes.
    #[must_use]
    pub fn bytes(self) -> u64 {
        self.0
    }
}

impl TryFrom<u64> for FileSize {
    type Error = FileSizeError;
    fn try_from(bytes: u64) -> Result<Self, FileSizeError> {
        if bytes <= Self::MAX.0 {
            Ok(Self(bytes))
        } else {
            Err(FileSizeError)
        }
    }
}

impl From<FileSize> for u64 {
    fn from(size: FileSize) -> Self {
        size.0
    }
}

/// A place on the globe.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[serde(try_from = "Degrees", into = "Degrees")]
pub struct Coordinates {
    latitude: f64,
    longitude: f64,
}

/// The numbers are no place on the globe.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("expected a latitude from -90 to 90 and a longitude from -180 to 180")]
pub struct CoordinatesError;

/// Two numbers that may be a place.
#[derive(Serialize, Deserialize)]
struct Degrees {
    lat: f64,
    lon: f64,
}

impl Coordinates {
    /// The place at these degrees.
    ///
    /// # Errors
    /// When a number is outside the globe or is none.
    pub fn new(latitude: f64, longitude: f64) -> Result<Self, CoordinatesError> {
        if (-90.0..=90.0).contains(&latitude) && (-180.0..=180.0).contains(&longitude) {
            Ok(Self {
                latitude,
                longitude,
            })
        } else {
            Err(CoordinatesError)
        }
    }

    /// Degrees north, −90 to 90.
    #[must_use]
    pub fn latitude(self) -> f64 {
        self.latitude
    }

    /// Degrees east, −180 to 180.
    #[must_use]
    pub fn longitude(self) -> f64 {
        self.longitude
    }
}

impl TryFrom<Degrees> for Coordinates {
    type Error = CoordinatesError;
    fn try_from(degrees: Degrees) -> Result<Self, CoordinatesError> {
        Self::new(degrees.lat, degrees.lon)
    }
}

impl From<Coordinates> for Degrees {
    fn from(place: Coordinates) -> Self {
        Self {
            lat: place.latitude,
            lon: place.longitude,
        }
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    #[test]
    fn a_location_has_valid_coordinates() {
        for (lat, lon) in [(90.0, 180.0), (-90.0, -180.0), (-0.0, 0.0)] {
            assert!(Coordinates::new(lat, lon).is_ok());
        }
        for (lat, lon) in [
            (90.1, 0.0),
            (0.0, -180.1),
            (f64::NAN, 0.0),
            (0.0, f64::INFINITY),
        ] {
            assert_eq!(Coordinates::new(lat, lon), Err(CoordinatesError));
        }
        assert!(serde_json::from_str::<Coordinates>(r#"{"lat":91.0,"lon":0.0}"#).is_err());
    }

    #[test]
    fn a_location_keeps_both_degrees() {
        let place = Coordinates::new(12.5, -7.25).unwrap();
        assert_eq!((place.latitude(), place.longitude()), (12.5, -7.25));
    }

    #[test]
    fn a_size_is_exact_for_every_reader() {
        assert_eq!(FileSize::try_from(1 << 53), Ok(FileSize::MAX));
        let error = FileSize::try_from((1 << 53) + 1).unwrap_err();
        assert_eq!(
            error.to_string(),
            "expected a size of at most 9007199254740992 bytes"
        );
    }

    proptest! {
        /// Otherwise a repeated message would not equal the stored one after a restart.
        #[test]
        fn a_location_survives_storage(lat in -90.0..=90.0, lon in -180.0..=180.0) {
            let place = Coordinates::new(lat, lon).unwrap();
            let json = serde_json::to_string(&place).unwrap();
            prop_assert_eq!(serde_json::from_str::<Coordinates>(&json).unwrap(), place);
        }
    }
}
