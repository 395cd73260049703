//! The forms of callbacks, as the bridge reads them: nothing has to be there, and anything may be of another type.

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

/// The time of the message in milliseconds.
pub fn written_at(event: &Value) -> i64 {
    let message = part(event, "message");
    let time = |name, factor: i64| {
        let value = part(message, name).as_i64()?.checked_mul(factor)?;
        (0..TIME_MAX).contains(&value).then_some(value)
    };
    let written = time("msec_timestamp", 1).or_else(|| time("timestamp", 1_000));
    written.unwrap_or_else(|| unix_seconds() * 1_000)
}
