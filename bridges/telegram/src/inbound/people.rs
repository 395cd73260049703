//! People: who wrote a message, and whom it answers.

use serde_json::{Value, json};
use switchboard_bridge_core::forms::set;

use super::Context;
use super::content::word;
use crate::api::types::{Chat, Message, User};
use crate::ids::Ids;
use crate::words::{beginning, line, name};

/// The longest text of a quote, in bytes.
const QUOTE_MAX: usize = 4_096;
/// The longest phone number that the service takes, in characters.
const PHONE_MAX: usize = 64;

/// A person as the service takes one.
pub(super) fn person(user: &User, ids: Ids) -> Value {
    let full_name = name(&format!("{} {}", user.first_name, user.last_name));
    named(user.id, full_name, &user.username, ids)
}

/// The one who wrote a message; `None` when it is the bot itself, or no one is named.
///
/// An anonymous administrator writes in the name of the group, and a channel in its own: the person behind it is unknown.
pub(super) fn sender(message: &Message, ids: Ids) -> Option<Value> {
    if let Some(chat) = &message.sender_chat {
        return Some(chat_person(chat, ids));
    }
    let user = message
        .from
        .as_ref()
        .filter(|it| it.id != 0 && it.id != ids.bot)?;
    let mut sender = person(user, ids);
    let shared = message
        .contact
        .as_ref()
        .filter(|it| it.user_id == Some(user.id));
    let phone = shared
        .map(|it| line(&it.phone_number, PHONE_MAX))
        .filter(|it| !it.is_empty());
    if let Some(phone) = phone {
        set(&mut sender, "profile", json!({ "phone": phone }));
    }
    Some(sender)
}

fn chat_person(chat: &Chat, ids: Ids) -> Value {
    named(chat.id, name(&chat.title), &chat.username, ids)
}

fn named(id: i64, full_name: String, username: &str, ids: Ids) -> Value {
    let is_link = (1..=64).contains(&username.len())
        && username
            .bytes()
            .all(|it| it.is_ascii_alphanumeric() || it == b'_');
    let shown_name = match (full_name.is_empty(), is_link) {
        (false, _) => full_name,
        (true, true) => username.to_owned(),
        (true, false) => format!("Telegram user {id}"),
    };
    let mut person = json!({ "id": ids.customer(id), "name": shown_name });
    if is_link {
        let link = format!("https://t.me/{username}");
        set(&mut person, "profile_link", link);
    }
    person
}

/// The message that another one answers: by the id that the service has given it, or by ours, with its text for a service that
/// knows neither.
pub(super) fn quote(message: &Message, chat: i64, context: &Context<'_>) -> Option<Value> {
    let target = message
        .reply_to_message
        .as_ref()
        .filter(|it| it.message_id != 0)?;
    let (field, id) = match context.memory.service_id(chat, target.message_id) {
        Some(id) => ("id", id),
        None => ("msgid", context.ids.message(chat, target.message_id)),
    };
    let mut quote = json!({ field: id });
    let quoted_part = message
        .quote
        .as_ref()
        .map(|it| it.text.as_str())
        .filter(|it| !it.is_empty());
    let whole = if target.text.is_empty() {
        &target.caption
    } else {
        &target.text
    };
    let text = beginning(quoted_part.unwrap_or(whole), QUOTE_MAX);
    if !text.is_empty() {
        set(&mut quote, "text", text);
    }
    if let Some(word) = word(target) {
        set(&mut quote, "type", word);
    }
    if let Some(sender) = sender(target, context.ids) {
        let part = json!({ "id": sender.get("id"), "name": sender.get("name") });
        set(&mut quote, "sender", part);
    }
    Some(json!({ "message": quote }))
}
