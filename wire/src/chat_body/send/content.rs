//! The content of a message.

use crate::chat_body::Rules;
use crate::chat_body::message_fields::either_missing;
use crate::chat_body::send::person::name_of;
use crate::domain::chat::message::{
    Attachment, Content, ContentKind, Coordinates, FileSize, Sticker,
};
use crate::domain::text::url::HttpUrl;
use crate::domain::text::{FileName, MessageText, Name, Phone};
use crate::json::object::{JsonType, ObjectReader};

/// The fields of a message that belong to some kinds only. With the other kinds they must have their type,
/// and what they say is ignored.
const OF_SOME_KINDS: [(&str, JsonType, &[ContentKind]); 6] = [
    (
        "media",
        JsonType::Text,
        &[
            ContentKind::Sticker,
            ContentKind::Picture,
            ContentKind::Video,
            ContentKind::File,
            ContentKind::Voice,
            ContentKind::Audio,
        ],
    ),
    ("file_name", JsonType::Text, FILES),
    ("file_size", JsonType::Integer, FILES),
    ("contact", JsonType::Object, &[ContentKind::Contact]),
    ("location", JsonType::Object, &[ContentKind::Location]),
    ("sticker_id", JsonType::Text, &[ContentKind::Sticker]),
];
const FILES: &[ContentKind] = &[ContentKind::Picture, ContentKind::Video, ContentKind::File];

/// The kinds that a generation knows, by the names that the wire gives them.
pub(in crate::chat_body) fn kinds(rules: Rules) -> &'static [(&'static str, ContentKind)] {
    match rules {
        Rules::V2019 => &ContentKind::NAMES_2019,
        Rules::Current => &ContentKind::NAMES,
    }
}

pub(super) fn content(message: &ObjectReader<'_, '_>, rules: Rules) -> Option<Content> {
    let kind = message.required_choice("type", kinds(rules));
    for (field, shape, kinds) in OF_SOME_KINDS {
        // The 2019 generation does not know stickers by their ids, so it ignores what it does not know.
        let unknown = rules == Rules::V2019 && field == "sticker_id";
        if !unknown && !kind.is_some_and(|kind| kinds.contains(&kind)) {
            message.check_shape(field, shape);
        }
    }
    if kind == Some(ContentKind::Text) {
        let text = message.required_parsed("text")?;
        return Some(Content::Text { text });
    }
    let text: Option<MessageText> = message.optional_unless_empty("text");
    let file = || attachment(message, rules);
    match kind? {
        ContentKind::Text => None,
        ContentKind::Picture => file().map(|file| Content::Picture { file, text }),
        ContentKind::Video => file().map(|file| Content::Video { file, text }),
        ContentKind::File => file().map(|file| Content::File { file, text }),
        ContentKind::Voice => {
            let media = message.required_parsed("media")?;
            Some(Content::Voice { media, text })
        }
        ContentKind::Audio => {
            let media = message.required_parsed("media")?;
            Some(Content::Audio { media, text })
        }
        ContentKind::Sticker => {
            let sticker = sticker(message, rules)?;
            Some(Content::Sticker { sticker, text })
        }
        ContentKind::Contact => contact(&message.required_object("contact")?, text),
        ContentKind::Location => {
            let place = place(&message.required_object("location")?)?;
            Some(Content::Location { place, text })
        }
    }
}

/// A sticker is a picture; in the current generation an id of the messenger may stand for it.
fn sticker(message: &ObjectReader<'_, '_>, rules: Rules) -> Option<Sticker> {
    if rules == Rules::V2019 {
        let media = message.required_parsed("media")?;
        return Some(Sticker {
            media: Some(media),
            id: None,
        });
    }
    let sticker = Sticker {
        media: message.optional_unless_empty("media"),
        id: message.optional_unless_empty("sticker_id"),
    };
    if sticker == Sticker::default() {
        either_missing(message, "media", "sticker_id");
        return None;
    }
    Some(sticker)
}

fn attachment(message: &ObjectReader<'_, '_>, rules: Rules) -> Option<Attachment> {
    let largest = i64::try_from(FileSize::MAX.bytes()).unwrap_or(i64::MAX);
    let media: Option<HttpUrl> = message.required_parsed("media");
    let (name, size) = match rules {
        Rules::V2019 => (
            message
                .required_string("file_name")
                .and_then(|text| file_name(message, text)),
            message.required_integer("file_size", 0..=largest),
        ),
        Rules::Current => (
            message
                .optional_string("file_name")
                .filter(|text| !text.trim().is_empty())
                .and_then(|text| file_name(message, text))
                .or_else(|| media.as_ref().map(FileName::of_address)),
            Some(
                message
                    .optional_integer("file_size", 0..=largest)
                    .unwrap_or(0),
            ),
        ),
    };
    let size = size.and_then(|size| FileSize::try_from(u64::try_from(size).ok()?).ok());
    Some(Attachment {
        media: media?,
        name: name?,
        size: size?,
    })
}

/// The name of a file; a longer one is shortened before its ending, so that the file is not lost for its name.
fn file_name(message: &ObjectReader<'_, '_>, text: &str) -> Option<FileName> {
    match text.parse() {
        Ok(name) => Some(name),
        Err(_) if text.trim().is_empty() => message.required_parsed("file_name"),
        Err(_) => {
            let shortened = FileName::shortened(text)?;
            let detail = "shortened to one line of 255 characters".to_owned();
            message.note_left_out("file_name", detail);
            Some(shortened)
        }
    }
}

/// A contact card has a name, a number or both: messengers send cards of people whose number they do not know. The number
/// stands for the name that is not there.
fn contact(contact: &ObjectReader<'_, '_>, text: Option<MessageText>) -> Option<Content> {
    let phone: Option<Phone> = contact.optional_or_left_out("phone");
    let name_text = contact.optional_string("name");
    let name = match (name_text.filter(|text| !text.is_empty()), &phone) {
        (Some(text), _) => name_of(contact, text),
        (None, Some(phone)) => Name::shortened(phone.as_str()),
        (None, None) if contact.has("name") => contact.required_parsed("name"),
        (None, None) => {
            either_missing(contact, "name", "phone");
            None
        }
    };
    Some(Content::Contact {
        name: name?,
        phone,
        text,
    })
}

fn place(location: &ObjectReader<'_, '_>) -> Option<Coordinates> {
    let latitude = location.required_number("lat", -90.0..=90.0);
    let longitude = location.required_number("lon", -180.0..=180.0);
    Coordinates::new(latitude?, longitude?).ok()
}
