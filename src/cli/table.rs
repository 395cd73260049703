//! Answers of the service for people to read: texts without surprises, moments, columns.

use jiff::Timestamp;
use serde_json::Value;

pub(super) use crate::terminal::aligned;

/// What stands where there is nothing.
pub(super) const NOTHING: &str = "-";

/// A text of the answer, on one line and with nothing in it that a terminal would obey.
pub(super) fn text(value: &Value, key: &str) -> String {
    let text = value.get(key).and_then(Value::as_str).unwrap_or_default();
    let plain: String = text
        .chars()
        .map(|letter| if letter.is_control() { ' ' } else { letter })
        .collect();
    if plain.is_empty() {
        NOTHING.to_owned()
    } else {
        plain
    }
}

/// A moment in seconds, as a date and a time.
pub(super) fn time(seconds: i64) -> String {
    Timestamp::from_second(seconds).map_or(NOTHING.to_owned(), |time| time.to_string())
}

/// Rows below their head; a sentence where there are none.
pub(super) fn listed<const N: usize>(
    head: [&str; N],
    rows: impl Iterator<Item = [String; N]>,
    none: &str,
) -> String {
    let rows: Vec<_> = rows.collect();
    if rows.is_empty() {
        return none.to_owned();
    }
    let head = head.map(str::to_owned);
    aligned(&std::iter::once(head).chain(rows).collect::<Vec<_>>())
}
