//! The content of a message.

use serde_json::{Value, json};
use switchboard_bridge_core::forms::set;

use super::files::{FileKind, FileRef, file};
use super::text::plain;
use super::{Context, TEXT_MAX};
use crate::api::types::{Contact, Location, Message};
use crate::words::{beginning, line, megabytes, name};

const PHONE_MAX: usize = 64;
/// The contents of customers for which the service has no form. Nothing that a customer says is dropped in silence.
const OTHERS: [(&str, &str); 7] = [
    ("poll", "a poll"),
    ("checklist", "a checklist"),
    ("story", "a story"),
    ("game", "a game"),
    ("invoice", "an invoice"),
    ("paid_media", "paid media"),
    ("giveaway", "a giveaway"),
];

/// The kinds of messages that Telegram writes itself.
const SERVICES: [&str; 16] = [
    "new_chat_members",
    "left_chat_member",
    "new_chat_title",
    "new_chat_photo",
    "delete_chat_photo",
    "group_chat_created",
    "supergroup_chat_created",
    "message_auto_delete_timer_changed",
    "pinned_message",
    "successful_payment",
    "users_shared",
    "chat_shared",
    "connected_website",
    "write_access_allowed",
    "forum_topic_created",
    "video_chat_started",
];

/// The content of a message, in the form of the service.
///
/// # Errors
/// With the kind of a message that says nothing.
pub(super) fn content(
    message: &Message,
    raw: &Value,
    context: &Context<'_>,
) -> Result<Value, &'static str> {
    let caption = plain(&message.caption, &message.caption_entities);
    if let Some(file) = file(message, context.file_max) {
        return Ok(file_content(&file, caption, context));
    }
    if let Some(sticker) = &message.sticker {
        return Ok(text(
            format!("[a sticker that moves] {}", sticker.emoji).trim_end(),
        ));
    }
    if let Some(venue) = &message.venue {
        let words = format!("{}\n{}", venue.title.trim(), venue.address.trim());
        let place = venue.location.as_ref().or(message.location.as_ref());
        return Ok(location(place, words.trim()));
    }
    if let Some(place) = &message.location {
        return Ok(location(Some(place), ""));
    }
    if let Some(card) = &message.contact {
        return Ok(contact(card));
    }
    if let Some(dice) = &message.dice {
        return Ok(text(&format!("{} {}", dice.emoji, dice.value)));
    }
    let words = plain(&message.text, &message.entities);
    if !words.is_empty() {
        return Ok(text(&words));
    }
    if has_file(message) {
        return Ok(described("a file that Telegram does not name", &caption));
    }
    let other = OTHERS.iter().find(|(field, _)| raw.get(field).is_some());
    if let Some((_, what)) = other {
        return Ok(described(
            &format!("{what}, which this channel cannot show"),
            &caption,
        ));
    }
    let service = SERVICES.into_iter().find(|field| raw.get(field).is_some());
    Err(service.unwrap_or("message"))
}

/// The type of a message that another one quotes; `None` when it says nothing.
pub(super) fn word(message: &Message) -> Option<&'static str> {
    if let Some(file) = file(message, u64::MAX) {
        return Some(file.kind.word());
    }
    match (&message.location, &message.contact) {
        (Some(_), _) => Some("location"),
        (None, Some(_)) => Some("contact"),
        (None, None) => (!message.text.is_empty()).then_some("text"),
    }
}

fn has_file(message: &Message) -> bool {
    let files = [
        &message.document,
        &message.video,
        &message.audio,
        &message.voice,
        &message.video_note,
        &message.animation,
    ];
    !message.photo.is_empty() || files.into_iter().any(Option::is_some)
}

fn text(words: &str) -> Value {
    json!({ "type": "text", "text": beginning(words, TEXT_MAX) })
}

/// A text in place of what cannot be shown, with its caption.
fn described(what: &str, caption: &str) -> Value {
    text(format!("[{what}]\n{caption}").trim_end())
}

fn file_content(file: &FileRef, caption: String, context: &Context<'_>) -> Value {
    if let Some(size) = file.size.filter(|size| *size > context.file_max) {
        let limit = megabytes(context.file_max);
        let what = format!(
            "{} «{}» of {}: Telegram gives bots no files of more than {limit}. Ask for a smaller one, or for a link",
            file.kind.word(),
            file.name,
            megabytes(size),
        );
        return described(&what, &caption);
    }
    let mut content = json!({ "type": file.kind.word(), "media": (context.address)(file) });
    match file.kind {
        FileKind::Picture | FileKind::Video | FileKind::File => {
            set(&mut content, "file_name", file.name.as_str());
            set(&mut content, "file_size", file.size.unwrap_or_default());
        }
        FileKind::Audio | FileKind::Voice | FileKind::Sticker => {}
    }
    if !caption.is_empty() {
        set(&mut content, "text", caption);
    }
    content
}

/// A place, with its name; the name alone when the place is none on this planet.
fn location(place: Option<&Location>, words: &str) -> Value {
    let within = |value: Option<f64>, most: f64| value.filter(|it| it.abs() <= most);
    let latitude = within(place.and_then(|it| it.latitude), 90.0);
    let longitude = within(place.and_then(|it| it.longitude), 180.0);
    let (Some(latitude), Some(longitude)) = (latitude, longitude) else {
        return described("a place without coordinates", words);
    };
    let mut content =
        json!({ "type": "location", "location": { "lat": latitude, "lon": longitude } });
    if !words.is_empty() {
        set(&mut content, "text", beginning(words, TEXT_MAX));
    }
    content
}

/// A card. The service takes one with a name or a number.
fn contact(card: &Contact) -> Value {
    let phone = line(&card.phone_number, PHONE_MAX);
    let full_name = name(&format!("{} {}", card.first_name, card.last_name));
    if phone.is_empty() && full_name.is_empty() {
        return described("a contact without a name and a number", "");
    }
    let shown_name = if full_name.is_empty() {
        phone.clone()
    } else {
        full_name
    };
    let mut fields = json!({ "name": shown_name });
    if !phone.is_empty() {
        set(&mut fields, "phone", phone);
    }
    json!({ "type": "contact", "contact": fields })
}
