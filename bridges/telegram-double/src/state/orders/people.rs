//! What people do with messages: write, edit, delete, react, press.

use serde_json::{Map, Value, json};

use super::shown;
use crate::bounds::{CAPTION_MAX, QUERIES_MAX, SECOND, TEXT_MAX};
use crate::clock::Moment;
use crate::orders::{Delete, Done, EditMessage, OrderError, Press, Pressed, React, Said};
use crate::state::Machine;
use crate::state::bot::Query;
use crate::state::chat::{Author, Business, Chat, ChatKind, Message, Standing};
use crate::state::desk::Desk;
use crate::state::view::{chat_json, reactions_json};

/// The most reactions of one person to one message.
const REACTIONS_MAX: usize = 3;
/// The first id of chats of business accounts: no person and no group has it.
const BUSINESS_FIRST: i64 = 1 << 53;

fn no_message(id: i64) -> OrderError {
    OrderError::one("message_id", format!("the chat has no message {id}"))
}

impl Desk<'_> {
    /// Checks that a person exists and has an account.
    pub(super) fn check_person(&self, path: &str, id: i64) -> Result<(), OrderError> {
        match self.people.get(id) {
            None => Err(OrderError::one(
                path,
                format!("there is no person {id}: POST /double/people adds one"),
            )),
            Some(known) if known.is_deactivated => Err(OrderError::one(
                path,
                format!("the account of {id} is deactivated"),
            )),
            Some(_) => Ok(()),
        }
    }

    /// Returns the chat in which a person acts: a group that has them, or the chat with the bot, which opens if need be.
    pub(super) fn place_of(&mut self, from: i64, chat: Option<i64>) -> Result<i64, OrderError> {
        self.check_person("from", from)?;
        let id = chat.unwrap_or(from);
        if id == from && !self.bot.chats.contains_key(&id) {
            let chat = Chat::new(id, ChatKind::Private, String::new());
            let outcome = self.add_chat(chat);
            outcome.map_err(|error| OrderError::one("from", error.description))?;
        }
        let Some(chat) = self.bot.chats.get(&id) else {
            return Err(OrderError::one("chat", format!("the bot has no chat {id}")));
        };
        if id != from && !chat.members.contains(&from) {
            let text = format!("{from} is no member of it: POST /double/join lets people in");
            return Err(OrderError::one("chat", text));
        }
        match chat.standing {
            Standing::Member => Ok(id),
            Standing::Upgraded(new) => Err(OrderError::one(
                "chat",
                format!("the group has become the supergroup {new}"),
            )),
            Standing::Kicked if chat.is_private() => Err(OrderError::one(
                "from",
                "the person has blocked the bot: POST /double/start frees it",
            )),
            Standing::Kicked => Err(OrderError::one(
                "chat",
                "the bot was kicked: POST /double/return adds it again",
            )),
        }
    }

    /// Returns the chat in which a person writes to a business account, which opens if need be. Its id is above those of people.
    pub(super) fn business_place(&mut self, from: i64, account: i64) -> Result<i64, OrderError> {
        self.check_person("from", from)?;
        self.check_person("business", account)?;
        let connection = format!("business-{account}");
        if let Some(chat) = self.business_chat(&connection, from) {
            return Ok(chat.id);
        }
        let id = BUSINESS_FIRST + i64::try_from(self.bot.chats.len()).unwrap_or_default();
        let mut chat = Chat::new(id, ChatKind::Private, String::new());
        chat.business = Some(Business {
            connection,
            person: from,
        });
        let outcome = self.add_chat(chat);
        outcome.map_err(|error| OrderError::one("from", error.description))?;
        Ok(id)
    }

    fn message_mut(&mut self, chat: i64, id: i64) -> Result<&mut Message, OrderError> {
        let Some(chat) = self.bot.chats.get_mut(&chat) else {
            return Err(OrderError::one(
                "chat",
                format!("the bot has no chat {chat}"),
            ));
        };
        chat.find_mut(id).ok_or_else(|| no_message(id))
    }

    /// Adds a message of a person, without an update.
    pub(super) fn put(
        &mut self,
        from: i64,
        chat: i64,
        method: &str,
        body: Map<String, Value>,
    ) -> Result<i64, OrderError> {
        let message = Message::new(Author::Person(from), method, self.now, body);
        let id = self.store(chat, message);
        id.map_err(|error| OrderError::one("", error.description))
    }

    /// Adds a message of a person, with its update.
    pub(super) fn write(
        &mut self,
        from: i64,
        chat: i64,
        method: &str,
        body: Map<String, Value>,
    ) -> Result<Said, OrderError> {
        let message_id = self.put(from, chat, method, body)?;
        Ok(Said {
            chat,
            message_id,
            update_id: self.announce(self.kind("message", chat), chat, message_id),
        })
    }

    /// The kind of an update about a message, which is another one in chats of business accounts.
    fn kind(&self, kind: &'static str, chat: i64) -> &'static str {
        let chat = self.bot.chats.get(&chat);
        match kind {
            _ if chat.is_none_or(|it| it.business.is_none()) => kind,
            "message" => "business_message",
            _ => "edited_business_message",
        }
    }

    /// Adds the update of a message, if the bot may see it.
    pub(super) fn announce(&mut self, kind: &str, chat: i64, message: i64) -> Option<i64> {
        if !self.sees(chat, message) {
            return None;
        }
        let body = self.message(chat, message);
        self.push(kind, chat, Some(message), body)
    }

    /// Returns whether the bot gets a message: in groups only those for it, unless it reads all or is an administrator.
    fn sees(&self, chat: i64, message: i64) -> bool {
        let Some(chat) = self.bot.chats.get(&chat) else {
            return false;
        };
        if chat.standing == Standing::Kicked {
            return false;
        }
        if chat.is_private() || self.bot.reads_all || chat.is_admin {
            return true;
        }
        let Some(message) = chat.find(message) else {
            return false;
        };
        let replied = message.body.get("reply_to_message");
        let target = replied
            .and_then(|it| it.pointer("/from/id"))
            .and_then(Value::as_i64);
        let mention = format!("@{}", self.bot.username);
        let is_service = message.method != "say" && message.method != "album";
        let words = message.words();
        is_service
            || target == Some(self.bot.id)
            || words.starts_with('/')
            || words.contains(&mention)
    }
}

impl Machine {
    pub(super) fn edit(&mut self, order: &EditMessage, now: Moment) -> Result<Value, OrderError> {
        let mut desk = self.desk_for(order.bot, now)?;
        let message = desk.message_mut(order.chat, order.message_id)?;
        if message.author == Author::Bot {
            return Err(OrderError::one(
                "message_id",
                "it is of the bot: people edit their own",
            ));
        }
        let is_text = message.body.contains_key("text");
        let (name, list, most) = if is_text {
            ("text", "entities", TEXT_MAX)
        } else {
            ("caption", "caption_entities", CAPTION_MAX)
        };
        if !(1..=most).contains(&order.text.encode_utf16().count()) {
            return Err(OrderError::one(
                "text",
                format!("1 to {most} UTF-16 units are possible"),
            ));
        }
        let mut body = message.body.clone();
        body.insert(name.to_owned(), order.text.clone().into());
        body.remove(list);
        if !message.change(body, None, now) {
            return Err(OrderError::one("text", "the message has this text already"));
        }
        let kind = desk.kind("edited_message", order.chat);
        let update = desk.announce(kind, order.chat, order.message_id);
        shown(Done {
            update_ids: update.into_iter().collect(),
        })
    }

    pub(super) fn delete(&mut self, order: Delete, now: Moment) -> Result<Value, OrderError> {
        let mut desk = self.desk_for(order.bot, now)?;
        desk.message_mut(order.chat, order.message_id)?.deleted_at = Some(now);
        shown(Done::default())
    }

    pub(super) fn react(&mut self, order: React, now: Moment) -> Result<Value, OrderError> {
        let mut desk = self.desk_for(order.bot, now)?;
        let chat_id = desk.place_of(order.from, order.chat)?;
        if order.emoji.len() > REACTIONS_MAX {
            let text = format!("a person sets at most {REACTIONS_MAX}");
            return Err(OrderError::one("emoji", text));
        }
        if let Some(at) = order
            .emoji
            .iter()
            .position(|it| it.is_empty() || it.len() > 32)
        {
            return Err(OrderError::one(&format!("emoji/{at}"), "it is no emoji"));
        }
        let people = desk.people;
        let missing = || no_message(order.message_id);
        let chat = desk.bot.chats.get_mut(&chat_id).ok_or_else(missing)?;
        let message = chat.find_mut(order.message_id).ok_or_else(missing)?;
        let before = message.reactions.remove(&order.from).unwrap_or_default();
        if before == order.emoji {
            message.reactions.insert(order.from, before);
            return Err(OrderError::one(
                "emoji",
                "the message has these reactions already",
            ));
        }
        let new = reactions_json(&order.emoji);
        if !order.emoji.is_empty() {
            message.reactions.insert(order.from, order.emoji);
        }
        let is_seen = chat.is_private() || chat.is_admin;
        let body = json!({
            "chat": chat_json(people, chat),
            "message_id": order.message_id,
            "user": people.user_json(order.from),
            "date": now / SECOND,
            "old_reaction": reactions_json(&before),
            "new_reaction": new,
        });
        let update = if is_seen {
            desk.push("message_reaction", chat_id, Some(order.message_id), body)
        } else {
            None
        };
        shown(Done {
            update_ids: update.into_iter().collect(),
        })
    }

    pub(super) fn press(&mut self, order: &Press, now: Moment) -> Result<Value, OrderError> {
        let mut desk = self.desk_for(order.bot, now)?;
        let chat_id = desk.place_of(order.from, order.chat)?;
        let chat = desk.bot.chats.get(&chat_id);
        let message = chat
            .and_then(|chat| chat.find(order.message_id))
            .ok_or_else(|| no_message(order.message_id))?;
        let rows = message.keyboard().and_then(|it| it.get("inline_keyboard"));
        let lists = rows.and_then(Value::as_array).into_iter().flatten();
        let mut buttons = lists.filter_map(Value::as_array).flatten();
        let has = |button: &Value, name: &str, text: &Option<String>| {
            text.is_none() || button.get(name).and_then(Value::as_str) == text.as_deref()
        };
        if order.data.is_none() && order.text.is_none() {
            return Err(OrderError::one(
                "data",
                "name the button by «data» or by «text»",
            ));
        }
        let button = buttons
            .find(|it| has(it, "callback_data", &order.data) && has(it, "text", &order.text));
        let Some(button) = button else {
            return Err(OrderError::one(
                "data",
                "the message has no such inline button",
            ));
        };
        let Some(data) = button.get("callback_data").and_then(Value::as_str) else {
            return Err(OrderError::one(
                "text",
                "that button opens an address: the bot learns nothing of it",
            ));
        };
        let query = Query {
            number: desk.number,
            at: now,
            person: order.from,
            data: data.to_owned(),
            answer: None,
        };
        let id = format!("{}{:06}", order.from, desk.number);
        let body = json!({
            "id": id,
            "from": desk.people.user_json(order.from),
            "message": desk.message(chat_id, order.message_id),
            "chat_instance": format!("instance{chat_id}"),
            "data": query.data,
        });
        let queries = &mut desk.bot.queries;
        if queries.len() >= QUERIES_MAX {
            let oldest = queries.iter().min_by_key(|(_, query)| query.number);
            if let Some(oldest) = oldest.map(|(id, _)| id.clone()) {
                queries.remove(&oldest);
            }
        }
        queries.insert(id.clone(), query);
        let update_id = desk.push("callback_query", chat_id, Some(order.message_id), body);
        shown(Pressed {
            callback_query_id: id,
            update_id,
        })
    }
}
