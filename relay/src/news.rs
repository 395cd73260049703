//! News: shapes of what the counterpart sends that are not known here. They name fields, types, words of closed sets and headers, and
//! never a content.

pub mod known;
pub mod note;

use std::collections::{BTreeMap, BTreeSet};

use serde::{Deserialize, Serialize};
use serde_json::Value;

use self::known::{FIELDS, HEADERS, WORDS};
use switchboard_domain::id::ChannelId;
use switchboard_domain::kinds;
use switchboard_domain::notice::Notice;
use switchboard_domain::time::UnixMillis;
use switchboard_engine::entries::IndexEntries;
use switchboard_engine::state::State;
use switchboard_engine::stream::StreamKind;

/// The most shapes that are remembered of one relay.
pub const SHAPES_MAX: usize = 500;
/// The most shapes that one hook gives.
const SHAPES_OF_HOOK_MAX: usize = 50;
/// The longest name of a field, a word or a header that is shown.
const NAME_MAX: usize = 40;
/// More digits than this in a name are an id.
const DIGITS_MAX: usize = 5;
/// Fields below this depth are not read.
const DEPTH_MAX: usize = 12;

/// The news of the relay of a channel.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct RelayNews {
    channel: ChannelId,
    shapes: BTreeMap<String, UnixMillis>,
}

/// An event of news.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum RelayNewsEvent {
    /// Shapes were seen for the first time.
    Seen {
        /// The shapes.
        shapes: BTreeSet<String>,
        /// The time.
        at: UnixMillis,
    },
}

impl RelayNews {
    /// The shapes, each with the time at which it was first seen.
    pub fn iter(&self) -> impl Iterator<Item = (&str, UnixMillis)> {
        self.shapes.iter().map(|(shape, at)| (shape.as_str(), *at))
    }

    /// Returns whether a shape was seen before.
    #[must_use]
    pub fn knows(&self, shape: &str) -> bool {
        self.shapes.contains_key(shape)
    }
}

impl State for RelayNews {
    type Id = ChannelId;
    type Event = RelayNewsEvent;
    type Notice = Notice;

    const KIND: StreamKind = kinds::RELAY_NEWS;

    fn initial(id: &ChannelId) -> Self {
        Self {
            channel: id.clone(),
            shapes: BTreeMap::new(),
        }
    }

    fn apply(&mut self, event: &RelayNewsEvent) {
        let RelayNewsEvent::Seen { shapes, at } = event;
        for shape in shapes {
            if self.shapes.len() < SHAPES_MAX {
                self.shapes.entry(shape.clone()).or_insert(*at);
            }
        }
    }

    fn index(&self, _event: &RelayNewsEvent, _entries: &mut IndexEntries) {}
}

/// Returns the shapes of a body that are not known.
#[must_use]
pub fn of_body(body: &[u8]) -> BTreeSet<String> {
    let mut shapes = BTreeSet::new();
    match serde_json::from_slice::<Value>(body) {
        Ok(root) => walk(&root, &mut Vec::new(), &mut shapes),
        Err(_not_json) => {
            shapes.insert("body: not JSON".to_owned());
        }
    }
    shapes
}

/// Returns the shapes of the headers of a hook that are not known.
pub fn of_headers<'h>(names: impl Iterator<Item = &'h str>) -> BTreeSet<String> {
    names
        .map(str::to_ascii_lowercase)
        .filter(|name| HEADERS.binary_search(&name.as_str()).is_err())
        .take(SHAPES_OF_HOOK_MAX)
        .map(|name| format!("header: {}", shown(&name)))
        .collect()
}

/// Returns the shape of a status of the counterpart, unless it is known.
#[must_use]
pub fn of_status(status: u16) -> Option<String> {
    let is_known = matches!(
        status,
        200..=204 | 304 | 400..=405 | 409 | 411..=415 | 422 | 423 | 429 | 500 | 502..=504
    );
    (!is_known).then(|| format!("status: {status}"))
}

fn walk<'v>(value: &'v Value, path: &mut Vec<&'v str>, shapes: &mut BTreeSet<String>) {
    if shapes.len() >= SHAPES_OF_HOOK_MAX || path.len() > DEPTH_MAX {
        return;
    }
    if !path.is_empty() && note_field(value, path, shapes) {
        return;
    }
    match value {
        Value::Object(fields) => {
            for (name, value) in fields {
                path.push(name);
                walk(value, path, shapes);
                path.pop();
            }
        }
        Value::Array(items) => {
            for item in items {
                path.push("[]");
                walk(item, path, shapes);
                path.pop();
            }
        }
        Value::Null | Value::Bool(_) | Value::Number(_) | Value::String(_) => {}
    }
}

/// Notes a field, or its word, if it is not known; true when nothing below it is of interest.
fn note_field(value: &Value, path: &[&str], shapes: &mut BTreeSet<String>) -> bool {
    let place = path.join(".");
    let kinds = FIELDS
        .binary_search_by(|(known, _)| (*known).cmp(place.as_str()))
        .ok()
        .and_then(|index| FIELDS.get(index));
    let kind = kind(value);
    let names = || path.iter().map(|name| shown(name)).collect::<Vec<_>>();
    match kinds {
        None => {
            shapes.insert(format!("field: {} ({kind})", names().join(".")));
            true
        }
        Some((_, known)) if kind != "null" && !known.split('|').any(|it| it == kind) => {
            shapes.insert(format!("type: {place} ({kind})"));
            true
        }
        Some(_) => {
            let words = WORDS.iter().find(|(known, _)| *known == place);
            if let (Some((_, known)), Value::String(word)) = (words, value)
                && !known.contains(&word.as_str())
            {
                shapes.insert(format!("word: {place}={}", shown(word)));
            }
            false
        }
    }
}

fn kind(value: &Value) -> &'static str {
    match value {
        Value::Null => "null",
        Value::Bool(_) => "flag",
        Value::Number(_) => "number",
        Value::String(_) => "text",
        Value::Array(_) => "list",
        Value::Object(_) => "object",
    }
}

/// A name as it is shown: one that may be a content is a star.
fn shown(name: &str) -> &str {
    let is_plain = |byte: u8| byte.is_ascii_alphanumeric() || matches!(byte, b'_' | b'-');
    let digits = name.bytes().filter(u8::is_ascii_digit).count();
    let fits = (1..=NAME_MAX).contains(&name.len()) && digits <= DIGITS_MAX;
    if name == "[]" || (fits && name.bytes().all(is_plain)) {
        name
    } else {
        "*"
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn news(body: &str) -> Vec<String> {
        of_body(body.as_bytes()).into_iter().collect()
    }

    #[test]
    fn what_the_service_sends_itself_is_no_news() {
        let body = r#"{"account_id":"a","time":1,"message":{"receiver":{"id":"r","name":"N","phone":"1","email":"e","client_id":"x"},
            "sender":{"id":"s","name":"S"},"conversation":{"id":"c","client_id":""},"source":{"external_id":"p"},"timestamp":1,
            "msec_timestamp":1000,"message":{"id":"m","type":"text","text":"t","markup":null,"tag":"","media":"","thumbnail":"",
            "file_name":"","file_size":0}}}"#;
        assert_eq!(news(body), [""; 0]);
    }

    #[test]
    fn news_name_fields_types_and_words_without_contents() {
        let body = r#"{"time":"soon","secret":{"+4912345678":"Ada"},"message":{"message":{"type":"hologram","id":7,
            "+49 123 456 789":1}}}"#;
        assert_eq!(
            news(body),
            [
                "field: message.message.* (number)",
                "field: secret (object)",
                "type: message.message.id (number)",
                "type: time (text)",
                "word: message.message.type=hologram",
            ]
        );
    }

    #[test]
    fn a_hook_gives_a_bounded_number_of_news() {
        let fields: Vec<_> = (0..1_000).map(|n| format!("\"f{n}\":{n}")).collect();
        assert_eq!(
            news(&format!("{{{}}}", fields.join(","))).len(),
            SHAPES_OF_HOOK_MAX
        );
        assert_eq!(news("x"), ["body: not JSON"]);
    }

    #[test]
    fn headers_and_statuses_are_news_by_name_alone() {
        let names = [
            "X-Signature",
            "Host",
            "X-New",
            "x-trace-0123456789abcdef0123456789",
        ];
        let shapes: Vec<_> = of_headers(names.into_iter()).into_iter().collect();
        assert_eq!(shapes, ["header: *", "header: x-new"]);
        assert_eq!(of_status(200), None);
        assert_eq!(of_status(418).as_deref(), Some("status: 418"));
    }

    #[test]
    fn known_names_are_in_order() {
        assert!(FIELDS.is_sorted_by_key(|(name, _)| *name));
        assert!(HEADERS.is_sorted());
    }
}
