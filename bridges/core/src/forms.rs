//! The forms of callbacks and of posts. In what the bridge reads, nothing has to be there, and anything may be of another type.

use serde_json::Value;

use crate::clock::unix_seconds;

/// The largest time that is believed, in milliseconds.
const TIME_MAX: i64 = 1 << 50;

/// A part of an event; null when it is not there, which is the same as `null` and `""`.
pub fn part<'v>(value: &'v Value, name: &str) -> &'v Value {
    value.get(name).unwrap_or(&Value::Null)
}

/// The text of a part; anything else is no text.
pub fn text<'v>(value: &'v Value, name: &str) -> &'v str {
    part(value, name).as_str().unwrap_or_default()
}

/// The entries of a list; anything else has none.
pub fn items<'v>(value: &'v Value, name: &str) -> impl Iterator<Item = &'v Value> {
    part(value, name).as_array().into_iter().flatten()
}

/// The content of a message; null when the event is no message.
pub fn content(event: &Value) -> &Value {
    part(part(event, "message"), "message")
}

/// The name of the conversation of a message or a reaction: the id of the service, else that of the bridge.
pub fn conversation_name(subject: &Value) -> &str {
    let conversation = part(subject, "conversation");
    match text(conversation, "id") {
        "" => text(conversation, "client_id"),
        id => id,
    }
}

/// Sets a field of an object; anything else has no fields, and stays as it is.
pub fn set(object: &mut Value, name: &str, value: impl Into<Value>) {
    if let Some(fields) = object.as_object_mut() {
        fields.insert(name.to_owned(), value.into());
    }
}

/// The time of the message in milliseconds.
pub fn written_at(event: &Value) -> i64 {
    let message = part(event, "message");
    let time = |name, factor: i64| {
        let value = part(message, name).as_i64()?.checked_mul(factor)?;
        (0..TIME_MAX).contains(&value).then_some(value)
    };
    let milliseconds = time("msec_timestamp", 1).or_else(|| time("timestamp", 1_000));
    milliseconds.unwrap_or_else(|| unix_seconds() * 1_000)
}
