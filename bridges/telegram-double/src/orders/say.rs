//! Orders about what people send.

use serde::{Deserialize, Serialize};
use serde_json::Value;

/// A file of a person: its content is one of `text`, `base64` and `size`.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct Attachment {
    /// The content as a text.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub text: Option<String>,
    /// The content in Base64.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub base64: Option<String>,
    /// The number of bytes, all of them zero. They take no memory.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub size: Option<u64>,
    /// The name.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub name: Option<String>,
    /// The type.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub mime_type: Option<String>,
    /// The width of a picture or a video.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub width: Option<i64>,
    /// The height of a picture or a video.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub height: Option<i64>,
    /// The duration in seconds.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub duration: Option<i64>,
    /// The performer of an audio.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub performer: Option<String>,
    /// The title of an audio.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub title: Option<String>,
    /// The emoji of a sticker.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub emoji: Option<String>,
}

impl Attachment {
    /// A file of so many zeros.
    pub fn sized(size: u64) -> Self {
        Self {
            size: Some(size),
            ..Self::default()
        }
    }

    /// A file with a text and a name.
    pub fn text(name: &str, text: &str) -> Self {
        Self {
            text: Some(text.to_owned()),
            name: Some(name.to_owned()),
            ..Self::default()
        }
    }
}

/// A place.
#[derive(Debug, Clone, Copy, Default, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Place {
    /// The latitude in degrees.
    pub latitude: f64,
    /// The longitude in degrees.
    pub longitude: f64,
}

/// A place with a name.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Venue {
    /// The place.
    pub location: Place,
    /// The name.
    pub title: String,
    /// The address.
    pub address: String,
}

/// A contact card.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Contact {
    /// The phone number.
    pub phone_number: String,
    /// The first name.
    pub first_name: String,
    /// The last name.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub last_name: Option<String>,
    /// The id of the person, if the card is of one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub user_id: Option<i64>,
}

/// A message of a person. Exactly one kind of content is given.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct Say {
    /// The bot; without it the only one.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub bot: Option<i64>,
    /// The person.
    pub from: i64,
    /// The group; without it the chat with the bot.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub chat: Option<i64>,
    /// The person to whose business account it goes, with which the bot is connected.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub business: Option<i64>,
    /// The text.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub text: Option<String>,
    /// The entities of the text or of the caption.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub entities: Option<Value>,
    /// A picture.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub photo: Option<Attachment>,
    /// A file.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub document: Option<Attachment>,
    /// A video.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub video: Option<Attachment>,
    /// An audio.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub audio: Option<Attachment>,
    /// A voice message.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub voice: Option<Attachment>,
    /// A round video.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub video_note: Option<Attachment>,
    /// A sticker.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub sticker: Option<Attachment>,
    /// An animation, which also sets `document`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub animation: Option<Attachment>,
    /// A place.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub location: Option<Place>,
    /// A place with a name, which also sets `location`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub venue: Option<Venue>,
    /// A contact.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub contact: Option<Contact>,
    /// The caption of a file.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub caption: Option<String>,
    /// The message that it answers.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub reply_to: Option<i64>,
    /// The part of that message that it quotes.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub quote: Option<String>,
}

/// The kinds of files.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Kind {
    /// A picture.
    Photo,
    /// A file.
    Document,
    /// A video.
    Video,
    /// An audio.
    Audio,
    /// A voice message.
    Voice,
    /// A round video.
    VideoNote,
    /// A sticker.
    Sticker,
    /// An animation.
    Animation,
}

impl Say {
    /// A text of a person.
    pub fn text(from: i64, text: &str) -> Self {
        Self {
            from,
            text: Some(text.to_owned()),
            ..Self::default()
        }
    }

    /// A file of a person.
    pub fn file(from: i64, kind: Kind, file: Attachment) -> Self {
        let mut say = Self {
            from,
            ..Self::default()
        };
        let place = match kind {
            Kind::Photo => &mut say.photo,
            Kind::Document => &mut say.document,
            Kind::Video => &mut say.video,
            Kind::Audio => &mut say.audio,
            Kind::Voice => &mut say.voice,
            Kind::VideoNote => &mut say.video_note,
            Kind::Sticker => &mut say.sticker,
            Kind::Animation => &mut say.animation,
        };
        *place = Some(file);
        say
    }

    /// The same message in a group.
    #[must_use]
    pub fn in_chat(mut self, chat: i64) -> Self {
        self.chat = Some(chat);
        self
    }

    /// The same message as an answer.
    #[must_use]
    pub fn reply_to(mut self, message_id: i64) -> Self {
        self.reply_to = Some(message_id);
        self
    }

    /// The same message with a caption.
    #[must_use]
    pub fn caption(mut self, caption: &str) -> Self {
        self.caption = Some(caption.to_owned());
        self
    }
}

/// A message that a person has sent.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub struct Said {
    /// The chat.
    pub chat: i64,
    /// The number of the message.
    pub message_id: i64,
    /// The number of the update. None when the bot gets none: its kind is not allowed, or a group's message is not for the bot.
    pub update_id: Option<i64>,
}

/// A part of an album: one of its fields is given.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct Item {
    /// A picture.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub photo: Option<Attachment>,
    /// A video.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub video: Option<Attachment>,
    /// A file.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub document: Option<Attachment>,
    /// An audio.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub audio: Option<Attachment>,
    /// The caption.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub caption: Option<String>,
}

impl Item {
    /// A picture of so many bytes.
    pub fn photo(size: u64) -> Self {
        Self {
            photo: Some(Attachment::sized(size)),
            ..Self::default()
        }
    }
}

/// An album of a person.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Album {
    /// The bot; without it the only one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub bot: Option<i64>,
    /// The person.
    pub from: i64,
    /// The group; without it the chat with the bot.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub chat: Option<i64>,
    /// The parts, 2 to 10.
    pub items: Vec<Item>,
    /// True when the updates come in another order than the messages.
    #[serde(default)]
    pub shuffled: bool,
}

/// An album that was sent.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct AlbumSaid {
    /// The id that all parts have.
    pub media_group_id: String,
    /// The parts, by the numbers of their messages.
    pub messages: Vec<Said>,
}
