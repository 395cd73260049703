//! The way from an update to what is posted to the service. Nothing here waits, and nothing is stored.

mod albums;
mod business;
mod content;
mod files;
mod people;
mod reactions;
mod text;

use serde_json::{Value, json};
use switchboard_bridge_core::forms::{part, set};
use switchboard_bridge_core::posts::Post;

use crate::api::types::{CallbackQuery, ChatMemberUpdated, Message, Update};
use crate::ids::Ids;
use crate::words::beginning;

pub use albums::Albums;
pub use business::{BusinessChat, business_chat, is_business};
pub use files::{FileKind, FileRef};

/// The longest text of a message that the service takes, in bytes.
const TEXT_MAX: usize = 65_536;
/// The longest value of a row of a list that the service takes, in bytes.
const DATA_MAX: usize = 256;
/// The longest id of a press that is read, in bytes.
const QUERY_MAX: usize = 128;

/// The memory of the bridge, as far as an update needs it.
pub trait Memory {
    /// The chat in which the conversation of this chat began: a group keeps its conversation when it becomes a supergroup.
    fn first_chat(&self, chat: i64) -> i64;
    /// The id that the service has given a message which an account user wrote.
    fn service_id(&self, chat: i64, message: i64) -> Option<String>;
    /// The value of a row of a list whose key is too long for a button.
    fn row_value(&self, key: &str) -> Option<String>;
}

/// The world in which an update is read.
pub struct Context<'c> {
    pub ids: Ids,
    pub memory: &'c dyn Memory,
    /// The address at which the service fetches a file.
    pub address: &'c dyn Fn(&FileRef) -> String,
    /// The largest file that can be fetched from Telegram, in bytes.
    pub file_max: u64,
    /// Unix time, in seconds.
    pub now: i64,
}

/// The posts of an update, in their order.
#[derive(Clone, Debug, PartialEq)]
pub struct Posts {
    /// The chat from which they come, and that in which its conversation began: the posts of a conversation keep their order.
    pub chat: i64,
    pub first_chat: i64,
    pub message: i64,
    /// The album that the message is a part of.
    pub album: Option<String>,
    pub posts: Vec<Post>,
}

/// The meaning of an update.
#[derive(Clone, Debug, PartialEq)]
pub enum Inbound {
    /// A message, an edit or a change of reactions.
    Posts(Posts),
    /// The press of a button. It is answered in any case; there is nothing to post when the button is unknown.
    Press { query: String, posts: Option<Posts> },
    /// The customer has blocked the bot, or a group has removed it; or the opposite of it.
    Blocked { chat: i64, is_blocked: bool },
    /// A group has become a supergroup, whose messages have numbers of their own.
    Migrated { from: i64, to: i64 },
    /// There is nothing to do. The kind is one of a fixed list, so that it can be counted.
    Skipped(&'static str),
}

/// The kinds of updates that are skipped.
const KINDS: [&str; 22] = [
    "message",
    "edited_message",
    "callback_query",
    "message_reaction",
    "my_chat_member",
    "message_reaction_count",
    "chat_member",
    "chat_join_request",
    "chat_boost",
    "removed_chat_boost",
    "channel_post",
    "edited_channel_post",
    "business_connection",
    "business_message",
    "edited_business_message",
    "deleted_business_messages",
    "inline_query",
    "chosen_inline_result",
    "shipping_query",
    "pre_checkout_query",
    "poll",
    "poll_answer",
];

/// Reads an update as it came.
#[must_use]
pub fn read(value: &Value, context: &Context<'_>) -> Inbound {
    let kind = KINDS.into_iter().find(|kind| value.get(kind).is_some());
    let update = Update::read(value);
    let meaning = if let Some(message) = &update.message {
        let raw = part(value, "message");
        on_message(message, raw, context)
    } else if let Some(message) = &update.edited_message {
        let raw = part(value, "edited_message");
        on_edit(message, raw, context)
    } else if let Some(message) = &update.business_message {
        let raw = part(value, "business_message");
        of_customer(message).and_then(|it| on_message(it, raw, context))
    } else if let Some(message) = &update.edited_business_message {
        let raw = part(value, "edited_business_message");
        of_customer(message).and_then(|it| on_edit(it, raw, context))
    } else if let Some(query) = &update.callback_query {
        on_press(query, context)
    } else if let Some(reaction) = &update.message_reaction {
        reactions::on_reaction(reaction, context)
    } else {
        update.my_chat_member.as_ref().and_then(on_member)
    };
    meaning.unwrap_or(Inbound::Skipped(kind.unwrap_or("unknown")))
}

/// The number of an update; `None` when it has none, and cannot be confirmed by itself.
#[must_use]
pub fn update_id(value: &Value) -> Option<i64> {
    value.get("update_id")?.as_i64()
}

/// A message of a business chat, unless the account itself has written it.
fn of_customer(message: &Message) -> Option<&Message> {
    Some(message).filter(|it| business::is_of_customer(it))
}

fn on_message(message: &Message, raw: &Value, context: &Context<'_>) -> Option<Inbound> {
    let chat = business::chat_id(message)?;
    if let Some(to) = message.migrate_to_chat_id {
        return Some(Inbound::Migrated { from: chat, to });
    }
    if let Some(from) = message.migrate_from_chat_id {
        return Some(Inbound::Migrated { from, to: chat });
    }
    let sender = people::sender(message, context.ids)?;
    let content = match content::content(message, raw, context) {
        Ok(content) => content,
        Err(kind) => return Some(Inbound::Skipped(kind)),
    };
    let mut payload = json!({
        "timestamp": time(message.date, context.now),
        "msgid": context.ids.message(chat, message.message_id),
        "conversation_id": conversation(chat, context),
        "sender": sender,
        "message": content,
    });
    if let Some(quote) = people::quote(message, chat, context) {
        set(&mut payload, "reply_to", quote);
    }
    Some(Inbound::Posts(Posts {
        album: Some(message.media_group_id.clone()).filter(|it| !it.is_empty()),
        ..posts(chat, message.message_id, "new_message", payload, context)
    }))
}

fn on_edit(message: &Message, raw: &Value, context: &Context<'_>) -> Option<Inbound> {
    let chat = business::chat_id(message)?;
    people::sender(message, context.ids)?;
    let content = match content::content(message, raw, context) {
        Ok(content) => content,
        Err(kind) => return Some(Inbound::Skipped(kind)),
    };
    let payload = json!({
        "timestamp": time(message.edit_date, context.now),
        "msgid": context.ids.message(chat, message.message_id),
        "conversation_id": conversation(chat, context),
        "message": content,
    });
    Some(Inbound::Posts(posts(
        chat,
        message.message_id,
        "edit_message",
        payload,
        context,
    )))
}

/// Reads a press. Its text is that of the button, which the message still shows; its value is that of a row of a list.
fn on_press(query: &CallbackQuery, context: &Context<'_>) -> Option<Inbound> {
    let id = Some(&query.id).filter(|id| (1..=QUERY_MAX).contains(&id.len()))?;
    let skipped = Inbound::Press {
        query: id.clone(),
        posts: None,
    };
    let (Some(message), Some(from)) = (&query.message, &query.from) else {
        return Some(skipped);
    };
    let Some(chat) = business::chat_id(message) else {
        return Some(skipped);
    };
    let keyboard = message
        .reply_markup
        .iter()
        .flat_map(|it| &it.inline_keyboard);
    let button = keyboard.flatten().find(|it| it.callback_data == query.data);
    let value = row_value(&query.data, context);
    // The message may be too old for Telegram to show its buttons.
    let text = match (button, query.data.split_once(':'), &value) {
        (Some(button), _, _) => button.text.as_str(),
        (None, Some(("t", text)), _) => text,
        (None, _, Some(value)) => value,
        (None, _, None) => return Some(skipped),
    };
    if text.is_empty() {
        return Some(skipped);
    }
    let mut content = json!({ "type": "text", "text": beginning(text, TEXT_MAX) });
    if let Some(value) = &value {
        set(&mut content, "callback_data", beginning(value, DATA_MAX));
    }
    let payload = json!({
        "timestamp": context.now,
        "msgid": context.ids.press(id),
        "conversation_id": conversation(chat, context),
        "sender": people::person(from, context.ids),
        "message": content,
    });
    let press = posts(chat, message.message_id, "new_message", payload, context);
    Some(Inbound::Press {
        query: id.clone(),
        posts: Some(press),
    })
}

/// The value of the row that a button stands for; `None` when it is no row.
fn row_value(data: &str, context: &Context<'_>) -> Option<String> {
    let value = match data.split_once(':')? {
        ("r", value) => Some(value.to_owned()),
        ("k", key) => context.memory.row_value(key),
        _ => None,
    };
    value.filter(|it| !it.is_empty())
}

fn on_member(change: &ChatMemberUpdated) -> Option<Inbound> {
    let chat = change.chat.as_ref()?.id;
    let member = change.new_chat_member.as_ref()?;
    let is_blocked = match member.status.as_str() {
        "kicked" | "left" => true,
        "member" | "administrator" | "creator" => false,
        "restricted" => !member.is_member,
        _ => return None,
    };
    Some(Inbound::Blocked { chat, is_blocked })
}

fn posts(chat: i64, message: i64, event: &str, payload: Value, context: &Context<'_>) -> Posts {
    let body = json!({ "event_type": event, "payload": payload });
    Posts {
        chat,
        first_chat: context.memory.first_chat(chat),
        message,
        album: None,
        posts: vec![Post::message(body)],
    }
}

fn conversation(chat: i64, context: &Context<'_>) -> String {
    context.ids.conversation(context.memory.first_chat(chat))
}

/// A time that the service takes.
fn time(seconds: i64, now: i64) -> i64 {
    if seconds > 0 {
        seconds.min(now.saturating_add(86_400))
    } else {
        now
    }
}

#[cfg(test)]
mod tests;
