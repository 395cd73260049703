//! Messages and chats as the Bot API shows them.

use serde_json::{Map, Value, json};

use super::bot::Bot;
use super::chat::{Author, Chat, Message};
use super::people::People;
use crate::bounds::SECOND;

/// Returns a chat as messages show it.
pub(crate) fn chat_json(people: &People, chat: &Chat) -> Value {
    if chat.is_private() {
        people.chat_json(chat.public_id())
    } else {
        chat.group_json()
    }
}

pub(crate) fn author_json(bot: &Bot, people: &People, author: Author) -> Value {
    match author {
        Author::Bot => bot.user_json(),
        Author::Person(id) => people.user_json(id),
    }
}

/// Returns a message as updates and answers show it.
pub(crate) fn message_json(bot: &Bot, people: &People, chat: &Chat, message: &Message) -> Value {
    let mut fields = Map::new();
    fields.insert("message_id".to_owned(), message.id.into());
    let from = author_json(bot, people, message.author);
    fields.insert("from".to_owned(), from);
    fields.insert("chat".to_owned(), chat_json(people, chat));
    if let Some(business) = &chat.business {
        let connection = business.connection.as_str();
        fields.insert("business_connection_id".to_owned(), connection.into());
    }
    fields.insert("date".to_owned(), (message.at / SECOND).into());
    if let Some(date) = message.edit_date() {
        fields.insert("edit_date".to_owned(), date.into());
    }
    fields.extend(message.body.clone());
    if let Some(keyboard) = message.keyboard() {
        fields.insert("reply_markup".to_owned(), keyboard.clone());
    }
    Value::Object(fields)
}

/// Returns a message as an answer to it shows it: without the message that it answers itself.
pub(crate) fn quoted_json(bot: &Bot, people: &People, chat: &Chat, message: &Message) -> Value {
    let mut json = message_json(bot, people, chat, message);
    if let Some(fields) = json.as_object_mut() {
        fields.remove("reply_to_message");
    }
    json
}

/// Returns a list of emoji as reactions.
pub(crate) fn reactions_json(emoji: &[String]) -> Value {
    let reaction = |emoji: &String| json!({"type": "emoji", "emoji": emoji});
    emoji.iter().map(reaction).collect()
}
