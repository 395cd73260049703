//! A bot: its chats, its updates and its reader.

use std::collections::BTreeMap;
use std::fmt;

use serde_json::{Value, json};

use super::buckets::Bucket;
use super::chance::Chance;
use super::chat::Chat;
use super::files::Files;
use super::queue::Queue;
use super::webhook::Webhook;
use crate::clock::Moment;

pub(crate) struct Bot {
    pub(crate) id: i64,
    pub(crate) token: String,
    pub(crate) username: String,
    pub(crate) name: String,
    /// True when it gets all messages of groups, not only those for it.
    pub(crate) reads_all: bool,
    pub(crate) queue: Queue,
    pub(crate) poll: Option<Poll>,
    pub(crate) webhook: Option<Webhook>,
    pub(crate) chats: BTreeMap<i64, Chat>,
    pub(crate) files: Files,
    pub(crate) queries: BTreeMap<String, Query>,
    pub(crate) bucket: Bucket,
    /// The number of messages in all chats.
    pub(crate) messages: usize,
}

/// A poll that waits.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Poll {
    pub(crate) number: u64,
    pub(crate) offset: i64,
    pub(crate) limit: i64,
    pub(crate) until: Moment,
}

/// A press of a button.
#[derive(Debug, Clone)]
pub(crate) struct Query {
    pub(crate) number: u64,
    pub(crate) at: Moment,
    pub(crate) person: i64,
    pub(crate) data: String,
    pub(crate) answer: Option<Answer>,
}

/// The answer to a press.
#[derive(Debug, Clone)]
pub(crate) struct Answer {
    pub(crate) at: Moment,
    pub(crate) text: Option<String>,
    pub(crate) is_alert: bool,
}

impl Bot {
    pub(crate) fn new(id: i64, token: String, chance: &mut Chance) -> Self {
        Self {
            id,
            token,
            username: format!("double_{id}_bot"),
            name: format!("Double {id}"),
            reads_all: false,
            queue: Queue::new(chance),
            poll: None,
            webhook: None,
            chats: BTreeMap::new(),
            files: Files::default(),
            queries: BTreeMap::new(),
            bucket: Bucket::default(),
            messages: 0,
        }
    }

    /// Returns it as `from` shows it.
    pub(crate) fn user_json(&self) -> Value {
        json!({"id": self.id, "is_bot": true, "first_name": self.name, "username": self.username})
    }
}

/// Shows everything but the token.
impl fmt::Debug for Bot {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter
            .debug_struct("Bot")
            .field("id", &self.id)
            .field("username", &self.username)
            .finish_non_exhaustive()
    }
}
