//! A bot with what surrounds it: calls and orders are done here.

use serde_json::{Map, Value, json};

use super::bot::Bot;
use super::buckets::{Rates, Size};
use super::chance::Chance;
use super::chat::{Business, Chat, Message, Standing};
use super::people::People;
use super::queue::About;
use super::view::{message_json, quoted_json};
use crate::bounds::{ALL_MESSAGES_MAX, CHATS_MAX, SECOND};
use crate::clock::Moment;
use crate::params::Params;
use crate::reply::ApiError;

pub(crate) struct Desk<'m> {
    pub(crate) bot: &'m mut Bot,
    pub(crate) people: &'m People,
    pub(crate) rates: Rates,
    pub(crate) chance: &'m mut Chance,
    /// A number that no other call or order has.
    pub(crate) number: u64,
    pub(crate) now: Moment,
}

impl Desk<'_> {
    /// Adds an update. Returns its number, unless its kind is not allowed.
    pub(crate) fn push(
        &mut self,
        kind: &str,
        chat: i64,
        message_id: Option<i64>,
        body: Value,
    ) -> Option<i64> {
        let about = About {
            update_id: 0,
            kind: kind.to_owned(),
            chat,
            message_id,
            at: self.now,
        };
        self.bot.queue.push(about, body, self.chance)
    }

    /// Finds the chat of a call, whatever the standing of the bot in it.
    pub(crate) fn chat(&self, params: &Params) -> Result<&Chat, ApiError> {
        let text = params.text("chat_id").unwrap_or_default();
        if text.is_empty() {
            return Err(ApiError::bad("chat_id is empty"));
        }
        if let Some(connection) = params.text("business_connection_id") {
            let chat = self.business_chat(&connection, text.parse().unwrap_or_default());
            return chat.ok_or_else(|| ApiError::bad("BUSINESS_CONNECTION_INVALID"));
        }
        if let Ok(id) = text.parse() {
            return match self.bot.chats.get(&id) {
                Some(chat) => Ok(chat),
                None if self.people.get(id).is_some() => Err(ApiError::forbidden(
                    "bot can't initiate conversation with a user",
                )),
                None => Err(ApiError::bad("chat not found")),
            };
        }
        // The names of people lead to no chat.
        Err(ApiError::bad("chat not found"))
    }

    /// Finds the chat that a business account has with a person.
    pub(crate) fn business_chat(&self, connection: &str, person: i64) -> Option<&Chat> {
        let is_it =
            |business: &Business| business.connection == connection && business.person == person;
        let mut chats = self.bot.chats.values();
        chats.find(|it| it.business.as_ref().is_some_and(is_it))
    }

    /// Finds the chat of a call that changes it.
    pub(crate) fn open_chat(&self, params: &Params) -> Result<i64, ApiError> {
        let chat = self.chat(params)?;
        let person = self
            .people
            .get(chat.public_id())
            .filter(|_| chat.is_private());
        if person.is_some_and(|it| it.is_deactivated) {
            return Err(ApiError::forbidden("user is deactivated"));
        }
        match chat.standing {
            Standing::Member => Ok(chat.id),
            Standing::Upgraded(id) => Err(ApiError::upgraded(id)),
            Standing::Kicked if chat.is_private() => {
                Err(ApiError::forbidden("bot was blocked by the user"))
            }
            Standing::Kicked => {
                let kind = chat.kind_words();
                Err(ApiError::forbidden(format!(
                    "bot was kicked from the {kind}"
                )))
            }
        }
    }

    pub(crate) fn chat_mut(&mut self, id: i64) -> Result<&mut Chat, ApiError> {
        let chat = self.bot.chats.get_mut(&id);
        chat.ok_or_else(|| ApiError::bad("chat not found"))
    }

    /// Takes a number of messages from all buckets, or from none.
    pub(crate) fn take_rate(&mut self, chat_id: i64, count: usize) -> Result<(), ApiError> {
        let (rates, now) = (self.rates, self.now);
        let count = i64::try_from(count).unwrap_or(i64::MAX);
        let single = Size {
            burst: rates.chat_burst,
            count: rates.chat_per_second,
            period: SECOND,
        };
        let group = Size {
            burst: rates.group_per_minute,
            count: rates.group_per_minute,
            period: 60 * SECOND,
        };
        let all = Size {
            burst: rates.all_per_second,
            count: rates.all_per_second,
            period: SECOND,
        };
        let bot = &mut *self.bot;
        let Some(chat) = bot.chats.get_mut(&chat_id) else {
            return Ok(());
        };
        let is_group = !chat.is_private();
        let mut wait = chat.bucket.wait(single, count, now);
        wait = wait.max(bot.bucket.wait(all, count, now));
        if is_group {
            wait = wait.max(chat.group_bucket.wait(group, count, now));
        }
        if wait > 0 {
            return Err(ApiError::too_many(wait));
        }
        chat.bucket.take(single, count, now);
        bot.bucket.take(all, count, now);
        if is_group {
            chat.group_bucket.take(group, count, now);
        }
        Ok(())
    }

    /// Adds a message to a chat. Returns its number.
    pub(crate) fn store(&mut self, chat: i64, message: Message) -> Result<i64, ApiError> {
        if self.bot.messages >= ALL_MESSAGES_MAX {
            let text = format!("a bot has at most {ALL_MESSAGES_MAX} messages");
            return Err(ApiError::full(text));
        }
        let id = self.chat_mut(chat)?.add(message)?;
        self.bot.messages += 1;
        Ok(id)
    }

    /// Adds a chat, within the bound.
    pub(crate) fn add_chat(&mut self, chat: Chat) -> Result<(), ApiError> {
        if self.bot.chats.len() >= CHATS_MAX {
            return Err(ApiError::full(format!(
                "a bot has at most {CHATS_MAX} chats"
            )));
        }
        self.bot.chats.insert(chat.id, chat);
        Ok(())
    }

    /// Returns a message as the Bot API shows it.
    pub(crate) fn message(&self, chat: i64, message: i64) -> Value {
        let chat = self.bot.chats.get(&chat);
        let pair = chat.and_then(|chat| Some((chat, chat.find(message)?)));
        match pair {
            Some((chat, message)) => message_json(self.bot, self.people, chat, message),
            None => Value::Null,
        }
    }

    /// Returns the fields of a message that answers another one, whose part it may quote.
    pub(crate) fn relation(
        &self,
        chat: i64,
        message: i64,
        quote: Option<&str>,
    ) -> Result<Map<String, Value>, ApiError> {
        let missing = || ApiError::bad("message to be replied not found");
        let chat = self.bot.chats.get(&chat).ok_or_else(missing)?;
        let target = chat.find(message).ok_or_else(missing)?;
        let mut fields = Map::new();
        let json = quoted_json(self.bot, self.people, chat, target);
        fields.insert("reply_to_message".to_owned(), json);
        if let Some(quote) = quote {
            let Some((before, _)) = target.words().split_once(quote) else {
                return Err(ApiError::bad("QUOTE_TEXT_INVALID"));
            };
            let position = before.encode_utf16().count();
            let json = json!({"text": quote, "position": position, "is_manual": true});
            fields.insert("quote".to_owned(), json);
        }
        Ok(fields)
    }
}
