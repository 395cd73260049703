//! Chats, and what they show.

use std::collections::{BTreeMap, BTreeSet};

use serde::{Deserialize, Serialize};
use serde_json::{Map, Value, json};

use super::buckets::Bucket;
use crate::bounds::{ENTRIES_MAX, MESSAGES_MAX, SECOND};
use crate::clock::Moment;
use crate::reply::ApiError;

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum ChatKind {
    Private,
    Group,
    Supergroup,
}

/// The standing of the bot in a chat.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Standing {
    Member,
    /// Blocked by the person, or kicked from the group.
    Kicked,
    /// The group has become a supergroup.
    Upgraded(i64),
}

#[derive(Debug)]
pub(crate) struct Chat {
    pub(crate) id: i64,
    pub(crate) kind: ChatKind,
    pub(crate) title: String,
    /// The business account that has the chat with a person; `None` for a chat of the bot itself.
    pub(crate) business: Option<Business>,
    pub(crate) members: BTreeSet<i64>,
    pub(crate) is_admin: bool,
    pub(crate) standing: Standing,
    messages: BTreeMap<i64, Message>,
    last_id: i64,
    pub(crate) actions: Vec<Action>,
    pub(crate) bucket: Bucket,
    pub(crate) group_bucket: Bucket,
}

/// A chat of a business account, in whose name the bot writes.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Business {
    /// The connection of the account with the bot.
    pub(crate) connection: String,
    /// The person whom the account chats with, by whose id Telegram names the chat.
    pub(crate) person: i64,
}

/// The writer of a message.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Author {
    Bot,
    Person(i64),
}

#[derive(Debug, Clone)]
pub(crate) struct Message {
    pub(crate) id: i64,
    pub(crate) at: Moment,
    pub(crate) author: Author,
    /// The method or the order that made it.
    pub(crate) method: String,
    /// The fields of its content, as the Bot API shows them.
    pub(crate) body: Map<String, Value>,
    pub(crate) markup: Option<Value>,
    pub(crate) edits: Vec<Edit>,
    pub(crate) reactions: BTreeMap<i64, Vec<String>>,
    pub(crate) deleted_at: Option<Moment>,
}

/// A notice such as «typing».
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Action {
    /// The word of the Bot API.
    pub action: String,
    /// The moment, in milliseconds.
    pub at: Moment,
}

/// The content of a message before a change.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Edit {
    /// The moment of the change, in milliseconds.
    pub at: Moment,
    /// The fields before it.
    pub before: Map<String, Value>,
}

/// The fields that are about the place of a message among others, not its content.
const RELATIONS: [&str; 3] = ["reply_to_message", "quote", "media_group_id"];

impl Chat {
    pub(crate) fn new(id: i64, kind: ChatKind, title: String) -> Self {
        Self {
            id,
            kind,
            title,
            business: None,
            members: BTreeSet::new(),
            is_admin: false,
            standing: Standing::Member,
            messages: BTreeMap::new(),
            last_id: 0,
            actions: Vec::new(),
            bucket: Bucket::default(),
            group_bucket: Bucket::default(),
        }
    }

    /// Adds a message. Its number is the next one of the chat.
    pub(crate) fn add(&mut self, mut message: Message) -> Result<i64, ApiError> {
        if self.messages.len() >= MESSAGES_MAX {
            return Err(ApiError::full(format!(
                "a chat has at most {MESSAGES_MAX} messages"
            )));
        }
        self.last_id += 1;
        message.id = self.last_id;
        self.messages.insert(message.id, message);
        Ok(self.last_id)
    }

    /// Finds a message that is not deleted.
    pub(crate) fn find(&self, id: i64) -> Option<&Message> {
        self.messages.get(&id).filter(|it| it.deleted_at.is_none())
    }

    /// Finds a message, deleted or not.
    pub(crate) fn any(&self, id: i64) -> Option<&Message> {
        self.messages.get(&id)
    }

    pub(crate) fn find_mut(&mut self, id: i64) -> Option<&mut Message> {
        let message = self.messages.get_mut(&id);
        message.filter(|it| it.deleted_at.is_none())
    }

    pub(crate) fn messages(&self) -> impl Iterator<Item = &Message> {
        self.messages.values()
    }

    pub(crate) fn act(&mut self, action: String, at: Moment) {
        if self.actions.len() >= ENTRIES_MAX {
            self.actions.remove(0);
        }
        self.actions.push(Action { action, at });
    }

    /// The id by which Telegram names it.
    pub(crate) fn public_id(&self) -> i64 {
        self.business.as_ref().map_or(self.id, |it| it.person)
    }

    pub(crate) fn is_private(&self) -> bool {
        self.kind == ChatKind::Private
    }

    /// The words of the Bot API for its kind.
    pub(crate) fn kind_words(&self) -> &'static str {
        match self.kind {
            ChatKind::Private => "private chat",
            ChatKind::Group => "group chat",
            ChatKind::Supergroup => "supergroup chat",
        }
    }

    pub(crate) fn group_json(&self) -> Value {
        let kind = match self.kind {
            ChatKind::Private => "private",
            ChatKind::Group => "group",
            ChatKind::Supergroup => "supergroup",
        };
        json!({"id": self.id, "type": kind, "title": self.title})
    }
}

impl Message {
    pub(crate) fn new(author: Author, method: &str, at: Moment, body: Map<String, Value>) -> Self {
        Self {
            id: 0,
            at,
            author,
            method: method.to_owned(),
            body,
            markup: None,
            edits: Vec::new(),
            reactions: BTreeMap::new(),
            deleted_at: None,
        }
    }

    /// The moment of the last change, in seconds.
    pub(crate) fn edit_date(&self) -> Option<i64> {
        self.edits.last().map(|edit| edit.at / SECOND)
    }

    /// Changes the content. Returns false when it is the same.
    pub(crate) fn change(
        &mut self,
        content: Map<String, Value>,
        markup: Option<Value>,
        at: Moment,
    ) -> bool {
        let mut body = content;
        for name in RELATIONS {
            if let Some(value) = self.body.get(name) {
                body.insert(name.to_owned(), value.clone());
            }
        }
        if body == self.body && markup == self.markup {
            return false;
        }
        self.markup = markup;
        let before = std::mem::replace(&mut self.body, body);
        if self.edits.len() >= ENTRIES_MAX {
            self.edits.remove(0);
        }
        self.edits.push(Edit { at, before });
        true
    }

    /// The inline keyboard, if it has one.
    pub(crate) fn keyboard(&self) -> Option<&Value> {
        self.markup
            .as_ref()
            .filter(|it| it.get("inline_keyboard").is_some())
    }

    /// The text or the caption.
    pub(crate) fn words(&self) -> &str {
        let text = self.body.get("text").or_else(|| self.body.get("caption"));
        text.and_then(Value::as_str).unwrap_or_default()
    }
}
