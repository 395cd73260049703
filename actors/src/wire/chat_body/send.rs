//! The body of `POST /v2/origin/custom/<scope_id>`: a customer's message.

use std::time::Duration;

use crate::domain::chat::message::{
    Announce, Attachment, Content, ContentKind, CustomerMessage, FileSize, Place,
};
use crate::domain::chat::person::{Profile, Sender};
use crate::domain::text::{FileName, MessageText};
use crate::domain::time::UnixMillis;
use crate::wire::chat_body::Rules;
use crate::wire::json::object::{ObjectReader, Shape};
use crate::wire::json::{self, BodyError};

/// How far ahead of our clock a message may be dated: clocks differ, and so do notions of local time.
const AHEAD_MAX: Duration = Duration::from_secs(24 * 60 * 60);

/// The fields of a message that belong to some kinds only. With the other kinds they must have their type,
/// and what they say is ignored.
const OF_SOME_KINDS: [(&str, Shape, &[ContentKind]); 5] = [
    (
        "media",
        Shape::Text,
        &[
            ContentKind::Sticker,
            ContentKind::Picture,
            ContentKind::Video,
            ContentKind::File,
        ],
    ),
    ("file_name", Shape::Text, FILES),
    ("file_size", Shape::Integer, FILES),
    ("contact", Shape::Object, &[ContentKind::Contact]),
    ("location", Shape::Object, &[ContentKind::Location]),
];
const FILES: &[ContentKind] = &[ContentKind::Picture, ContentKind::Video, ContentKind::File];

/// Reads the body; `now` is our clock. Unknown keys are ignored: they are news from a later generation.
///
/// # Errors
/// When it is no JSON, or with everything that is wrong in it.
pub fn parse(body: &[u8], rules: Rules, now: UnixMillis) -> Result<CustomerMessage, BodyError> {
    json::read(body, rules.nulls(), |body| {
        let event = body.required_choice("event_type", &[("new_message", ())]);
        let payload = body.required_object("payload");
        let message = payload.and_then(|payload| message(&payload, now));
        event.and(message)
    })
}

fn message(payload: &ObjectReader<'_, '_>, now: UnixMillis) -> Option<CustomerMessage> {
    let timestamp = timestamp(payload, now);
    let msgid = payload.required_parsed("msgid");
    let conversation_id = payload.required_parsed("conversation_id");
    let conversation_ref_id = payload.optional_parsed("conversation_ref_id");
    let sender = payload.required_object("sender").and_then(|it| sender(&it));
    let content = payload
        .required_object("message")
        .and_then(|it| content(&it));
    let announce = match payload.optional_bool("silent") {
        Some(true) => Announce::Silently,
        Some(false) | None => Announce::Aloud,
    };
    Some(CustomerMessage {
        timestamp: timestamp?,
        msgid: msgid?,
        conversation_id: conversation_id?,
        conversation_ref_id,
        sender: sender?,
        content: content?,
        announce,
    })
}

fn timestamp(payload: &ObjectReader<'_, '_>, now: UnixMillis) -> Option<UnixMillis> {
    let latest = i64::try_from(now.plus(AHEAD_MAX).secs()).unwrap_or(i64::MAX);
    let seconds = payload.required_integer("timestamp", 0..=latest)?;
    u64::try_from(seconds).ok().map(UnixMillis::from_secs)
}

fn sender(sender: &ObjectReader<'_, '_>) -> Option<Sender> {
    let id = sender.required_parsed("id");
    let ref_id = sender.optional_parsed("ref_id");
    let avatar = sender.required_parsed("avatar");
    let name = sender.required_parsed("name");
    let profile_link = sender.optional_unless_empty("profile_link");
    let profile = sender.optional_object("profile");
    let profile = profile.map_or_else(Profile::default, |it| profile_of(&it));
    Some(Sender {
        id: id?,
        ref_id,
        avatar: avatar?,
        name: name?,
        profile_link,
        profile,
    })
}

/// Integrations fill in what they know and leave the rest empty, so that an empty string stands for none.
fn profile_of(profile: &ObjectReader<'_, '_>) -> Profile {
    Profile {
        phone: profile.optional_unless_empty("phone"),
        email: profile.optional_unless_empty("email"),
    }
}

fn content(message: &ObjectReader<'_, '_>) -> Option<Content> {
    let kind = message.required_choice("type", &ContentKind::NAMES);
    for (field, shape, kinds) in OF_SOME_KINDS {
        if !kind.is_some_and(|kind| kinds.contains(&kind)) {
            message.check_shape(field, shape);
        }
    }
    if kind == Some(ContentKind::Text) {
        let text = message.required_parsed("text")?;
        return Some(Content::Text { text });
    }
    let text: Option<MessageText> = message.optional_unless_empty("text");
    match kind? {
        ContentKind::Text => None,
        ContentKind::Picture => attachment(message).map(|file| Content::Picture { file, text }),
        ContentKind::Video => attachment(message).map(|file| Content::Video { file, text }),
        ContentKind::File => attachment(message).map(|file| Content::File { file, text }),
        ContentKind::Sticker => {
            let media = message.required_parsed("media")?;
            Some(Content::Sticker { media, text })
        }
        ContentKind::Contact => contact(&message.required_object("contact")?, text),
        ContentKind::Location => {
            let place = place(&message.required_object("location")?)?;
            Some(Content::Location { place, text })
        }
    }
}

fn attachment(message: &ObjectReader<'_, '_>) -> Option<Attachment> {
    let largest = i64::try_from(FileSize::MAX.bytes()).unwrap_or(i64::MAX);
    let media = message.required_parsed("media");
    let name: Option<FileName> = message.required_parsed("file_name");
    let size = message.required_integer("file_size", 0..=largest);
    let size = size.and_then(|size| FileSize::try_from(u64::try_from(size).ok()?).ok());
    Some(Attachment {
        media: media?,
        name: name?,
        size: size?,
    })
}

fn contact(contact: &ObjectReader<'_, '_>, text: Option<MessageText>) -> Option<Content> {
    let name = contact.required_parsed("name");
    let phone = contact.required_parsed("phone");
    Some(Content::Contact {
        name: name?,
        phone: phone?,
        text,
    })
}

fn place(location: &ObjectReader<'_, '_>) -> Option<Place> {
    let latitude = location.required_number("lat", -90.0..=90.0);
    let longitude = location.required_number("lon", -180.0..=180.0);
    Place::new(latitude?, longitude?).ok()
}
