//! Changes of what was sent: edits, deletions, reactions, and answers to presses.

use serde_json::{Map, Value};

use super::send::{caption_body, text_body};
use crate::bounds::{CALLBACK_ANSWER_MAX, DELETABLE, QUERY_KEPT};
use crate::params::Params;
use crate::reply::{ApiError, Reply};
use crate::state::bot::Answer;
use crate::state::chat::{Author, Message};
use crate::state::desk::Desk;
use crate::state::markup::markup;

/// The emoji that a bot may react with.
pub(crate) const EMOJI: &str = "❤ 👍 👎 🔥 🥰 👏 😁 🤔 🤯 😱 🤬 😢 🎉 🤩 🤮 💩 🙏 👌 🕊 🤡 🥱 🥴 😍 🐳 ❤‍🔥 🌚 🌭 💯 🤣 ⚡ 🍌 🏆 💔 🤨 😐 🍓 🍾 💋 🖕 😈 😴 😭 🤓 👻 👨‍💻 👀 🎃 🙈 😇 😨 🤝 ✍ 🤗 🫡 🎅 🎄 ☃ 💅 🤪 🗿 🆒 💘 🙉 🦄 😘 💊 🙊 😎 👾 🤷‍♂ 🤷 🤷‍♀ 😡";

const NOT_MODIFIED: &str = "message is not modified: specified new message content and reply markup are exactly the same as a current content and reply markup of the message";

impl Desk<'_> {
    /// Finds a message of the bot that a call edits. Returns its chat and its number.
    fn own(&self, params: &Params) -> Result<(i64, &Message), ApiError> {
        let chat = self.open_chat(params)?;
        let missing = || ApiError::bad("message to edit not found");
        let id = params.integer("message_id")?.ok_or_else(missing)?;
        let place = self.bot.chats.get(&chat);
        let message = place.and_then(|it| it.find(id)).ok_or_else(missing)?;
        match message.author {
            Author::Bot => Ok((chat, message)),
            Author::Person(_) => Err(ApiError::bad("message can't be edited")),
        }
    }

    pub(crate) fn edit_text(&mut self, params: &Params) -> Reply {
        let (chat, message) = self.own(params)?;
        let id = message.id;
        if !message.body.contains_key("text") {
            return Err(ApiError::bad("there is no text in the message to edit"));
        }
        let body = text_body(params)?;
        self.change(chat, id, body, markup(params)?)
    }

    pub(crate) fn edit_caption(&mut self, params: &Params) -> Reply {
        let (chat, message) = self.own(params)?;
        let id = message.id;
        let kinds = ["photo", "document", "video", "audio", "voice", "animation"];
        if !kinds.iter().any(|kind| message.body.contains_key(*kind)) {
            return Err(ApiError::bad("there is no caption in the message to edit"));
        }
        let mut body = message.body.clone();
        for name in ["caption", "caption_entities"] {
            body.remove(name);
        }
        body.extend(caption_body(params)?);
        self.change(chat, id, body, markup(params)?)
    }

    pub(crate) fn edit_reply_markup(&mut self, params: &Params) -> Reply {
        let (chat, message) = self.own(params)?;
        let (id, body) = (message.id, message.body.clone());
        self.change(chat, id, body, markup(params)?)
    }

    fn change(
        &mut self,
        chat: i64,
        id: i64,
        body: Map<String, Value>,
        keyboard: Option<Value>,
    ) -> Reply {
        let now = self.now;
        let missing = || ApiError::bad("message to edit not found");
        let message = self.chat_mut(chat)?.find_mut(id).ok_or_else(missing)?;
        if !message.change(body, keyboard, now) {
            return Err(ApiError::bad(NOT_MODIFIED));
        }
        Ok(self.message(chat, id))
    }

    pub(crate) fn delete_message(&mut self, params: &Params) -> Reply {
        let chat = self.open_chat(params)?;
        let now = self.now;
        let missing = || ApiError::bad("message to delete not found");
        let id = params.integer("message_id")?.ok_or_else(missing)?;
        let chat = self.chat_mut(chat)?;
        let may_delete_others = chat.is_private() || chat.is_admin;
        let message = chat.find_mut(id).ok_or_else(missing)?;
        if message.author != Author::Bot && !may_delete_others {
            return Err(ApiError::bad("message can't be deleted"));
        }
        if now - message.at >= DELETABLE {
            return Err(ApiError::bad("message can't be deleted for everyone"));
        }
        message.deleted_at = Some(now);
        Ok(Value::Bool(true))
    }

    pub(crate) fn set_reaction(&mut self, params: &Params) -> Reply {
        let chat = self.open_chat(params)?;
        let bot = self.bot.id;
        let missing = || ApiError::bad("message to react not found");
        let reactions = match params.structure("reaction")? {
            None => Vec::new(),
            Some(Value::Array(list)) => list,
            Some(_) => return Err(ApiError::bad("can't parse reaction: expected an Array")),
        };
        if reactions.len() > 1 {
            return Err(ApiError::bad("REACTIONS_TOO_MANY"));
        }
        let mut emoji = Vec::new();
        for reaction in reactions {
            let text = reaction.get("emoji").and_then(Value::as_str);
            let is_emoji = reaction.get("type").and_then(Value::as_str) == Some("emoji");
            // The same picture comes with or without its selector.
            let text = text.unwrap_or_default().trim_end_matches('\u{fe0f}');
            if !is_emoji || !EMOJI.split(' ').any(|known| known == text) {
                return Err(ApiError::bad("REACTION_INVALID"));
            }
            emoji.push(text.to_owned());
        }
        let id = params.integer("message_id")?.ok_or_else(missing)?;
        let message = self.chat_mut(chat)?.find_mut(id).ok_or_else(missing)?;
        if emoji.is_empty() {
            message.reactions.remove(&bot);
        } else {
            message.reactions.insert(bot, emoji);
        }
        Ok(Value::Bool(true))
    }

    pub(crate) fn answer_callback_query(&mut self, params: &Params) -> Reply {
        let now = self.now;
        let text = params.text("text").filter(|text| !text.is_empty());
        let length = text.as_deref().map_or(0, |it| it.encode_utf16().count());
        if length > CALLBACK_ANSWER_MAX {
            return Err(ApiError::bad("MESSAGE_TOO_LONG"));
        }
        let id = params.text("callback_query_id").unwrap_or_default();
        let query = self.bot.queries.get_mut(&id);
        let open = query.filter(|it| it.answer.is_none() && now - it.at < QUERY_KEPT);
        let Some(query) = open else {
            let text = "query is too old and response timeout expired or query ID is invalid";
            return Err(ApiError::bad(text));
        };
        query.answer = Some(Answer {
            at: now,
            text,
            is_alert: params.flag("show_alert"),
        });
        Ok(Value::Bool(true))
    }
}
