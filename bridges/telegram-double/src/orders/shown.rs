//! The state of the double, as tests see it.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};

use super::ClockState;
use crate::clock::Moment;
use crate::state::buckets::Rates;
use crate::state::chat::{Action, Edit};
use crate::state::people::Person;
use crate::state::queue::{About, Dropped};

/// Everything that the double knows, without tokens and contents of files.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct World {
    /// The clock.
    pub clock: ClockState,
    /// The rates of sending.
    pub rates: Rates,
    /// The people.
    pub people: Vec<Person>,
    /// The bots.
    pub bots: Vec<BotShown>,
}

/// A bot.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct BotShown {
    /// Its id.
    pub id: i64,
    /// Its user name.
    pub username: String,
    /// The address of its webhook.
    pub webhook_url: Option<String>,
    /// True while a poll waits.
    pub is_polling: bool,
    /// The number of updates that wait.
    pub pending: usize,
    /// The number of updates that were confirmed.
    pub confirmed: u64,
    /// The numbers of updates that were lost before.
    pub dropped: Dropped,
    /// The presses.
    pub presses: Vec<PressShown>,
    /// The chats.
    pub chats: Vec<ChatShown>,
}

/// A press with its answer.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct PressShown {
    /// The id that the bot answers.
    pub callback_query_id: String,
    /// The person.
    pub from: i64,
    /// The data of the button.
    pub data: String,
    /// The moment of the press.
    pub at: Moment,
    /// The moment of the answer.
    pub answered_at: Option<Moment>,
    /// The text of the answer.
    pub text: Option<String>,
    /// True when the text is shown as an alert.
    pub is_alert: bool,
}

/// A chat.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct ChatShown {
    /// Its id.
    pub id: i64,
    /// `private`, `group`, `supergroup` or `business`.
    pub kind: String,
    /// The title of a group.
    pub title: String,
    /// The people in a group.
    pub members: Vec<i64>,
    /// True when the bot is blocked or was kicked.
    pub is_blocked: bool,
    /// The supergroup that the group has become.
    pub upgraded_to: Option<i64>,
    /// The messages, by number. Deleted ones have their moment.
    pub messages: Vec<MessageShown>,
    /// The notices such as «typing».
    pub actions: Vec<Action>,
}

/// A message.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct MessageShown {
    /// Its number.
    pub message_id: i64,
    /// The moment, in milliseconds.
    pub at: Moment,
    /// The person; none for the bot.
    pub from: Option<i64>,
    /// The method or the order that made it.
    pub method: String,
    /// The fields of its content, as the Bot API shows them.
    pub content: Map<String, Value>,
    /// The keyboard.
    pub reply_markup: Option<Value>,
    /// The contents before changes.
    pub edits: Vec<Edit>,
    /// The reactions, by person or bot.
    pub reactions: BTreeMap<i64, Vec<String>>,
    /// The moment at which it disappeared.
    pub deleted_at: Option<Moment>,
}

impl MessageShown {
    /// Returns the text or the caption.
    pub fn text(&self) -> &str {
        let text = self
            .content
            .get("text")
            .or_else(|| self.content.get("caption"));
        text.and_then(Value::as_str).unwrap_or_default()
    }
}

impl World {
    /// Returns the chat of the only bot, or of the first one that has it.
    pub fn chat(&self, id: i64) -> Option<&ChatShown> {
        let chats = self.bots.iter().flat_map(|bot| bot.chats.iter());
        chats.into_iter().find(|chat| chat.id == id)
    }
}

impl ChatShown {
    /// Returns the texts that the bot has sent, in order.
    pub fn sent_texts(&self) -> Vec<&str> {
        let messages = self.messages.iter().filter(|it| it.from.is_none());
        messages.map(MessageShown::text).collect()
    }
}

/// A message by its chat and its number.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct MessageRef {
    /// The chat.
    pub chat: i64,
    /// The number.
    pub message_id: i64,
}

/// The confirmed updates of a bot.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct ConfirmedList {
    /// The bot.
    pub bot: i64,
    /// Their number since the bot was registered.
    pub count: u64,
    /// The last of them, in the order of confirmation.
    pub updates: Vec<About>,
    /// The number of updates that wait.
    pub pending: usize,
    /// The numbers of updates that were lost before they were confirmed.
    pub dropped: Dropped,
}

/// The messages that the service of a bot has.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Unposted {
    /// The bot; without it the only one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub bot: Option<i64>,
    /// The messages, as often as the service has them.
    pub posted: Vec<MessageRef>,
    /// True to compare service messages of groups as well, such as that a person has joined.
    #[serde(default)]
    pub with_service_messages: bool,
}

/// A comparison of the confirmed messages with those that the service has.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Comparison {
    /// The number of confirmed messages.
    pub confirmed: usize,
    /// The number of confirmed messages that the service lacks.
    pub count: usize,
    /// Those: the bot has lost them.
    pub lost: Vec<About>,
    /// Messages that the service has more than once.
    pub repeated: Vec<MessageRef>,
    /// Messages that the service has, and no person sent.
    pub unknown: Vec<MessageRef>,
}
