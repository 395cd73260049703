//! The way from a callback of the service to the calls that show it in Telegram. Nothing here waits, and nothing is stored.

mod files;
mod keyboard;
mod reactions;
mod split;
pub mod status;

use serde_json::{Value, json};
use switchboard_bridge_core::forms::{content, part, set, text};

use crate::ids::Ids;
use crate::words::{beginning, line, name, units};

pub use files::{Upload, fit};
pub use split::split;
use status::{Report, refused};

/// The longest text of a message, in UTF-16 units.
const TEXT_MAX: usize = 4_096;
/// The longest caption of a file, in UTF-16 units.
const CAPTION_MAX: usize = 1_024;
/// The longest text of a quote that stands before an answer, in bytes.
const QUOTE_MAX: usize = 200;

/// The memory of the bridge, as far as a callback needs it.
pub trait Memory {
    /// The chat that a conversation goes on in: a group that has become a supergroup has another one.
    fn current_chat(&self, chat: i64) -> i64;
    /// The chat and the number of a message that an account user wrote, by the id that the service has given it. Of several
    /// parts it is the first.
    fn shown(&self, service_id: &str) -> Option<(i64, i64)>;
    /// The chat of a conversation that an account user has started, by the id that the service has given the conversation.
    fn started_chat(&self, _service_id: &str) -> Option<i64> {
        None
    }
}

/// A call of the Bot API that shows something.
#[derive(Clone, Debug, PartialEq)]
pub struct Step {
    pub method: &'static str,
    pub params: Value,
    /// The file that goes along.
    pub upload: Option<Upload>,
}

/// The calls that show a message, in their order.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Plan {
    pub chat: i64,
    pub steps: Vec<Step>,
    /// The values of rows of a list that are too long for a button, with their keys.
    pub rows: Vec<(String, String)>,
}

/// The meaning of a callback.
#[derive(Clone, Debug, PartialEq)]
pub enum Outbound {
    /// A message, whose delivery is reported.
    Message(Plan),
    /// A message that Telegram cannot show.
    Refused(Report),
    /// A reaction. It has no report.
    Reaction(Step),
    /// An account user writes. It is worth nothing later.
    Typing(Step),
    /// There is nothing to show. The reason is one of a few, so that it can be counted.
    Nothing(&'static str),
}

/// Reads a callback of version 2.
#[must_use]
pub fn read(event: &Value, ids: Ids, memory: &dyn Memory) -> Outbound {
    let action = part(event, "action");
    if let Some(typing) = action.get("typing") {
        return match chat_of(typing, ids, memory) {
            Some(chat) => {
                Outbound::Typing(call("sendChatAction", chat, &[("action", json!("typing"))]))
            }
            None => Outbound::Nothing("typing"),
        };
    }
    if let Some(reaction) = action.get("reaction") {
        return reactions::read(reaction, ids, memory);
    }
    let message = part(event, "message");
    let content = content(event);
    if content.as_object().is_none_or(|it| it.is_empty()) {
        return Outbound::Nothing("unknown");
    }
    match chat_of(message, ids, memory) {
        Some(chat) => on_message(content, chat, ids, memory),
        None => Outbound::Refused(Report::new(
            904,
            "Telegram lets a bot write only to people who have written to it: this conversation did not begin with the bot, and no customer has shared its phone number there.",
        )),
    }
}

/// The chat of an event now; `None` when its conversation is none of Telegram.
fn chat_of(event: &Value, ids: Ids, memory: &dyn Memory) -> Option<i64> {
    let conversation = part(event, "conversation");
    let first = ids
        .chat(text(conversation, "client_id"))
        .or_else(|| memory.started_chat(text(conversation, "id")))?;
    Some(memory.current_chat(first))
}

/// A call that names a chat.
fn call(method: &'static str, chat: i64, params: &[(&str, Value)]) -> Step {
    let mut fields = json!({ "chat_id": chat });
    for (name, value) in params {
        set(&mut fields, name, value.clone());
    }
    Step {
        method,
        params: fields,
        upload: None,
    }
}

fn on_message(content: &Value, chat: i64, ids: Ids, memory: &dyn Memory) -> Outbound {
    let keyboard = keyboard::read(part(content, "markup"));
    let quote = Quote::read(content, chat, ids, memory);
    let mut words = keyboard.body(text(content, "text"));
    if let Quote::Words(quoted) = &quote {
        words = format!("> {quoted}\n{words}");
    }
    let first = match first_step(content, chat) {
        Ok(step) => step,
        Err(report) => return Outbound::Refused(report),
    };
    let mut steps = Vec::new();
    if let Some(mut step) = first {
        let has_words = (1..=CAPTION_MAX).contains(&units(&words));
        if has_words && files::has_caption(step.method) {
            set(&mut step.params, "caption", std::mem::take(&mut words));
        }
        steps.push(step);
    }
    let texts = split(&words, TEXT_MAX)
        .into_iter()
        .filter(|it| !it.trim().is_empty());
    steps.extend(texts.map(|it| call("sendMessage", chat, &[("text", json!(it))])));
    if steps.is_empty() {
        return Outbound::Refused(refused(
            "The message has no text that can be seen, and Telegram takes none without.",
        ));
    }
    if let (Quote::Message(id), Some(step)) = (&quote, steps.first_mut()) {
        let reply = json!({ "message_id": id, "allow_sending_without_reply": true });
        set(&mut step.params, "reply_parameters", reply);
    }
    if let (false, Some(step)) = (keyboard.rows.is_empty(), steps.last_mut()) {
        let markup = json!({ "inline_keyboard": keyboard.rows });
        set(&mut step.params, "reply_markup", markup);
    }
    Outbound::Message(Plan {
        chat,
        steps,
        rows: keyboard.values,
    })
}

/// The step that shows what is no text; `None` for a text.
fn first_step(content: &Value, chat: i64) -> Result<Option<Step>, Report> {
    match text(content, "type") {
        "text" => Ok(None),
        "location" => location(part(content, "location"), chat).map(Some),
        "contact" => contact(part(content, "contact"), chat).map(Some),
        kind => files::step(kind, content, chat).map(Some),
    }
}

fn location(place: &Value, chat: i64) -> Result<Step, Report> {
    let number = |name, most: f64| part(place, name).as_f64().filter(|it| it.abs() <= most);
    match (number("lat", 90.0), number("lon", 180.0)) {
        (Some(latitude), Some(longitude)) => {
            let params = [
                ("latitude", json!(latitude)),
                ("longitude", json!(longitude)),
            ];
            Ok(call("sendLocation", chat, &params))
        }
        _ => Err(refused(
            "The place has no latitude from -90 to 90 and longitude from -180 to 180.",
        )),
    }
}

fn contact(card: &Value, chat: i64) -> Result<Step, Report> {
    let (phone, full_name) = (line(text(card, "phone"), 64), name(text(card, "name")));
    match (phone.is_empty(), full_name.is_empty()) {
        (true, true) => Err(refused("The contact has neither a name nor a number.")),
        // Telegram has no card without a number.
        (true, false) => Ok(call("sendMessage", chat, &[("text", json!(full_name))])),
        (false, _) => {
            let label = if full_name.is_empty() {
                &phone
            } else {
                &full_name
            };
            let params = [("phone_number", json!(phone)), ("first_name", json!(label))];
            Ok(call("sendContact", chat, &params))
        }
    }
}

/// The message that an answer refers to.
enum Quote {
    None,
    /// A message of this chat.
    Message(i64),
    /// The words of a message that the chat does not have: of a group before it became a supergroup, or of another channel.
    Words(String),
}

impl Quote {
    fn read(content: &Value, chat: i64, ids: Ids, memory: &dyn Memory) -> Self {
        let quoted = part(part(content, "reply_to"), "message");
        let place = ids
            .chat_and_message(text(quoted, "msgid"))
            .or_else(|| memory.shown(text(quoted, "id")));
        match place {
            Some((at, id)) if at == chat => Self::Message(id),
            _ => match line(beginning(text(quoted, "text"), QUOTE_MAX), QUOTE_MAX) {
                words if words.is_empty() => Self::None,
                words => Self::Words(words),
            },
        }
    }
}

#[cfg(test)]
mod tests;
