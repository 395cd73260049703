//! Orders about what people do with messages, chats and groups.

use serde::{Deserialize, Serialize};

/// A change of a person's message.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct EditMessage {
    /// The bot; without it the only one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub bot: Option<i64>,
    /// The chat.
    pub chat: i64,
    /// The message.
    pub message_id: i64,
    /// The new text, or the new caption of a file.
    pub text: String,
}

/// A message that disappears.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Delete {
    /// The bot; without it the only one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub bot: Option<i64>,
    /// The chat.
    pub chat: i64,
    /// The message.
    pub message_id: i64,
}

/// The reactions of a person to a message, as they shall be.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct React {
    /// The bot; without it the only one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub bot: Option<i64>,
    /// The person.
    pub from: i64,
    /// The group; without it the chat with the bot.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub chat: Option<i64>,
    /// The message.
    pub message_id: i64,
    /// The emoji; an empty list takes all back.
    pub emoji: Vec<String>,
}

/// A press of an inline button, which is found by its data or by its text.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Press {
    /// The bot; without it the only one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub bot: Option<i64>,
    /// The person.
    pub from: i64,
    /// The group; without it the chat with the bot.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub chat: Option<i64>,
    /// The message with the button.
    pub message_id: i64,
    /// The `callback_data`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub data: Option<String>,
    /// The text on the button.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub text: Option<String>,
}

/// A press that happened.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Pressed {
    /// The id that the bot answers.
    pub callback_query_id: String,
    /// The number of the update, if the bot gets one.
    pub update_id: Option<i64>,
}

/// A person who shares their own contact.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct ShareContact {
    /// The bot; without it the only one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub bot: Option<i64>,
    /// The person.
    pub from: i64,
    /// The phone number.
    pub phone_number: String,
}

/// A person who starts, blocks or loses an account.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Start {
    /// The bot; without it the only one. An account that ends is one for all bots.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub bot: Option<i64>,
    /// The person.
    pub from: i64,
}

/// A person and a group.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct WithPerson {
    /// The bot; without it the only one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub bot: Option<i64>,
    /// The group.
    pub chat: i64,
    /// The person.
    pub person: i64,
}

/// A group.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct InChat {
    /// The bot; without it the only one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub bot: Option<i64>,
    /// The group.
    pub chat: i64,
}

/// A group that opened, or its new id.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Opened {
    /// The chat.
    pub chat: i64,
    /// The numbers of the updates.
    pub update_ids: Vec<i64>,
}

/// An act that happened.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Done {
    /// The numbers of the updates, none when the bot gets none.
    pub update_ids: Vec<i64>,
}
