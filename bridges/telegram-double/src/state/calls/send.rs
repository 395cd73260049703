//! Sending: texts, places, contacts and notices. `media.rs` has files.

use serde_json::{Map, Value, json};

use crate::bounds::{CAPTION_MAX, TEXT_MAX};
use crate::params::Params;
use crate::reply::{ApiError, Reply};
use crate::state::chat::{Author, Message};
use crate::state::desk::Desk;
use crate::state::format::formatted;
use crate::state::markup::markup;

/// The longest field of a contact or a venue, in bytes.
const FIELD_MAX: usize = 2_048;

/// The words that `sendChatAction` knows.
const ACTIONS: [&str; 11] = [
    "typing",
    "upload_photo",
    "record_video",
    "upload_video",
    "record_voice",
    "upload_voice",
    "upload_document",
    "choose_sticker",
    "find_location",
    "record_video_note",
    "upload_video_note",
];

/// Returns the fields of a text, within its limit.
pub(crate) fn text_body(params: &Params) -> Result<Map<String, Value>, ApiError> {
    let content = formatted(params, "text", "entities")?;
    if content.text.trim().is_empty() {
        return Err(ApiError::bad("message text is empty"));
    }
    if content.text.encode_utf16().count() > TEXT_MAX {
        return Err(ApiError::bad("message is too long"));
    }
    let mut body = Map::new();
    body.insert("text".to_owned(), content.text.into());
    if !content.entities.is_empty() {
        body.insert("entities".to_owned(), content.entities.into());
    }
    Ok(body)
}

/// Returns the fields of a caption, within its limit.
pub(crate) fn caption_body(params: &Params) -> Result<Map<String, Value>, ApiError> {
    let content = formatted(params, "caption", "caption_entities")?;
    if content.text.encode_utf16().count() > CAPTION_MAX {
        return Err(ApiError::bad("message caption is too long"));
    }
    let mut body = Map::new();
    if !content.text.is_empty() {
        body.insert("caption".to_owned(), content.text.into());
    }
    if !content.entities.is_empty() {
        body.insert("caption_entities".to_owned(), content.entities.into());
    }
    Ok(body)
}

fn place(params: &Params) -> Result<Value, ApiError> {
    let latitude = params.number("latitude")?;
    let longitude = params.number("longitude")?;
    if latitude.abs() > 90.0 || longitude.abs() > 180.0 {
        return Err(ApiError::bad("wrong latitude or longitude"));
    }
    Ok(json!({"latitude": latitude, "longitude": longitude}))
}

fn required(params: &Params, name: &str) -> Result<String, ApiError> {
    let text = params.text(name).unwrap_or_default();
    if text.is_empty() {
        return Err(ApiError::bad(format!("{name} is empty")));
    }
    if text.len() > FIELD_MAX {
        return Err(ApiError::bad(format!("{name} is too long")));
    }
    Ok(text)
}

impl Desk<'_> {
    pub(crate) fn send_text(&mut self, params: &Params) -> Reply {
        let chat = self.open_chat(params)?;
        let body = text_body(params)?;
        self.send("sendMessage", chat, body, params)
    }

    pub(crate) fn send_location(&mut self, params: &Params) -> Reply {
        let chat = self.open_chat(params)?;
        let mut body = Map::new();
        body.insert("location".to_owned(), place(params)?);
        self.send("sendLocation", chat, body, params)
    }

    pub(crate) fn send_venue(&mut self, params: &Params) -> Reply {
        let chat = self.open_chat(params)?;
        let location = place(params)?;
        let venue = json!({
            "location": location,
            "title": required(params, "title")?,
            "address": required(params, "address")?,
        });
        let mut body = Map::new();
        body.insert("location".to_owned(), location);
        body.insert("venue".to_owned(), venue);
        self.send("sendVenue", chat, body, params)
    }

    pub(crate) fn send_contact(&mut self, params: &Params) -> Reply {
        let chat = self.open_chat(params)?;
        let mut contact = json!({
            "phone_number": required(params, "phone_number")?,
            "first_name": required(params, "first_name")?,
        });
        for name in ["last_name", "vcard"] {
            if params.text(name).is_some_and(|it| !it.is_empty()) {
                let text = required(params, name)?;
                if let Some(fields) = contact.as_object_mut() {
                    fields.insert(name.to_owned(), text.into());
                }
            }
        }
        let mut body = Map::new();
        body.insert("contact".to_owned(), contact);
        self.send("sendContact", chat, body, params)
    }

    pub(crate) fn send_chat_action(&mut self, params: &Params) -> Reply {
        let chat = self.open_chat(params)?;
        let action = params.text("action").unwrap_or_default();
        if !ACTIONS.contains(&action.as_str()) {
            return Err(ApiError::bad("wrong parameter action in request"));
        }
        let now = self.now;
        self.chat_mut(chat)?.act(action, now);
        Ok(Value::Bool(true))
    }

    /// Returns the fields of the message that a call answers, if there is one.
    pub(crate) fn reply(&self, chat: i64, params: &Params) -> Result<Map<String, Value>, ApiError> {
        let reply = params.structure("reply_parameters")?;
        let (target, quote, is_optional) = match &reply {
            Some(reply) => {
                let flag = reply.get("allow_sending_without_reply");
                let elsewhere = reply.get("chat_id").and_then(Value::as_i64);
                if elsewhere.is_some_and(|id| id != chat) {
                    return Err(ApiError::bad("the double keeps replies to other chats out"));
                }
                (
                    reply.get("message_id").and_then(Value::as_i64),
                    reply.get("quote").and_then(Value::as_str),
                    flag == Some(&Value::Bool(true)),
                )
            }
            None => {
                let target = params.integer("reply_to_message_id")?;
                let is_optional = params.flag("allow_sending_without_reply");
                (target.filter(|id| *id != 0), None, is_optional)
            }
        };
        match (target, &reply) {
            (Some(target), _) => {
                match self.relation(chat, target, quote.filter(|it| !it.is_empty())) {
                    Err(_) if is_optional => Ok(Map::new()),
                    outcome => outcome,
                }
            }
            (None, Some(_)) => Err(ApiError::bad("reply_parameters need \"message_id\"")),
            (None, None) => Ok(Map::new()),
        }
    }

    /// Sends a message whose content is checked.
    pub(crate) fn send(
        &mut self,
        method: &str,
        chat: i64,
        mut body: Map<String, Value>,
        params: &Params,
    ) -> Reply {
        body.extend(self.reply(chat, params)?);
        let keyboard = markup(params)?;
        self.take_rate(chat, 1)?;
        let mut message = Message::new(Author::Bot, method, self.now, body);
        message.markup = keyboard;
        let id = self.store(chat, message)?;
        Ok(self.message(chat, id))
    }
}
