//! The body of `POST /v2/origin/custom/<scope_id>`: a message, or the new version of one.

pub mod content;
mod edit;
mod person;
mod quote;

use crate::chat_body::Rules;
use crate::chat_body::message_fields::{conversation, timestamp};
use crate::domain::chat::edit::MessageEdit;
use crate::domain::chat::message::{Announce, PostedMessage};
use crate::domain::chat::quote::{Forwards, Post, Quote};
use crate::domain::person::Sender;
use crate::domain::text::{CallbackData, SourceId};
use crate::domain::time::UnixMillis;
use crate::json::node::Node;
use crate::json::object::ObjectReader;
use crate::json::{self, BodyError, LenientRead};

pub(super) use self::person::{Part, person};

/// A body that an integration posts to a scope.
#[derive(Clone, Debug, PartialEq)]
pub enum Posted {
    /// `new_message`.
    Message(Box<PostedMessage>),
    /// `edit_message`, of the current generation.
    Edit(Box<MessageEdit>),
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum EventType {
    New,
    Edit,
}

/// Reads the body; `now` is our clock. Unknown keys are ignored: they are news from a later generation.
///
/// # Errors
/// When it is no JSON, or with everything that is wrong in it.
pub fn parse_event(body: &[u8], rules: Rules, now: UnixMillis) -> Result<Posted, BodyError> {
    parse_leniently(body, rules, now).map(|read| read.value)
}

/// As [`parse_event`], with the optional details that were left out because of their form.
///
/// # Errors
/// As [`parse_event`].
pub fn parse_leniently(
    body: &[u8],
    rules: Rules,
    now: UnixMillis,
) -> Result<LenientRead<Posted>, BodyError> {
    rules.read(|rules| read_event(body, rules, now))
}

fn read_event(
    body: &[u8],
    rules: Rules,
    now: UnixMillis,
) -> Result<LenientRead<Posted>, BodyError> {
    let types: &[(&str, EventType)] = match rules {
        Rules::V2019 => &[("new_message", EventType::New)],
        Rules::Current => &[
            ("new_message", EventType::New),
            ("edit_message", EventType::Edit),
        ],
    };
    json::read_leniently(body, rules.nulls(), |body| {
        let event = body.required_choice("event_type", types);
        let payload = body.required_object("payload");
        let event_body = payload.and_then(|payload| match event {
            Some(EventType::Edit) => {
                edit::edit(&payload, now).map(|edit| Posted::Edit(Box::new(edit)))
            }
            Some(EventType::New) | None => {
                message(&payload, rules, now).map(|message| Posted::Message(Box::new(message)))
            }
        });
        event.and(event_body)
    })
}

/// As [`parse_event`], for a body that holds a new message.
///
/// # Errors
/// When it is no JSON, with everything that is wrong in it, or when it is no new message.
pub fn parse(body: &[u8], rules: Rules, now: UnixMillis) -> Result<PostedMessage, BodyError> {
    json::read(body, rules.nulls(), |body| {
        let event = body.required_choice("event_type", &[("new_message", ())]);
        let payload = body.required_object("payload");
        let message = payload.and_then(|payload| message(&payload, rules, now));
        event.and(message)
    })
}

fn message(payload: &ObjectReader<'_, '_>, rules: Rules, now: UnixMillis) -> Option<PostedMessage> {
    let timestamp = timestamp(payload, rules, now);
    let msgid = payload.required_parsed("msgid");
    let conversation = conversation(payload, rules);
    let sender = payload
        .required_object("sender")
        .map(|it| person(&it, rules, Part::OfMessage));
    let content = payload
        .required_object("message")
        .and_then(|it| content::content(&it, rules));
    let announce = match payload.optional_bool("silent") {
        Some(true) => Announce::Silently,
        Some(false) | None => Announce::Aloud,
    };
    let today = match rules {
        Rules::V2019 => Today::default(),
        Rules::Current => today(payload),
    };
    let (conversation_id, conversation_ref_id) = conversation?;
    Some(PostedMessage {
        generation: rules.generation(),
        timestamp: timestamp?,
        msgid: msgid?,
        conversation_id,
        conversation_ref_id,
        sender: sender?,
        receiver: today.receiver,
        content: content?,
        announce,
        source: today.source,
        reply_to: today.reply_to,
        forwards: today.forwards,
        post: today.post,
        callback_data: today.callback_data,
    })
}

/// The fields that only the current generation has.
#[derive(Default)]
struct Today {
    receiver: Option<Sender>,
    source: Option<SourceId>,
    reply_to: Option<Quote>,
    forwards: Option<Forwards>,
    post: Option<Post>,
    callback_data: Option<CallbackData>,
}

fn today(payload: &ObjectReader<'_, '_>) -> Today {
    let receiver = payload.optional_object("receiver");
    let message = match payload.raw("message") {
        Some(Node::Object(_)) => payload.optional_object("message"),
        Some(_) | None => None,
    };
    Today {
        receiver: receiver.map(|it| person(&it, Rules::Current, Part::OfMessage)),
        source: source(payload),
        reply_to: quote::reply_to(payload),
        forwards: quote::forwards(payload),
        post: message.as_ref().and_then(quote::post),
        callback_data: message
            .as_ref()
            .and_then(|message| message.optional_unless_empty("callback_data")),
    }
}

/// `source`: which of the integration's own entrances a conversation came through.
pub(super) fn source(body: &ObjectReader<'_, '_>) -> Option<SourceId> {
    body.optional_object("source")?
        .optional_or_left_out("external_id")
}
