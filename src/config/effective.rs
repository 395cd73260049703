//! The settings as they count, each with where its value comes from.

use std::path::PathBuf;

use ipnet::IpNet;
use serde_json::{Value, json};
use switchboard_network::host::Host;

use super::shown::{MASKED, shown_text};
use super::tree::{self, ConfigNode, Origin};
use super::values::{Acceptance, Durability, Listen, LogFormat, MediaPolicy};

/// Keys whose values are never shown.
pub(super) const SECRET: [&str; 5] = [
    "account_hooks_from",
    "password",
    "previous_secret",
    "secret",
    "token",
];

/// One setting.
#[derive(Clone, Debug, PartialEq)]
pub struct Setting {
    /// The key as a person writes it, as in `channels[0].secret`.
    pub path: String,
    /// Its value; null when there is none, `***` for a secret.
    pub value: Value,
    /// The source of the value.
    pub source: ValueSource,
}

/// The source of a value.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum ValueSource {
    /// It is built in.
    Default,
    /// A line of the file, from 1.
    Line(usize),
    /// A variable of the environment.
    Variable(String),
    /// A flag of the command line.
    Flag(&'static str),
}

impl Setting {
    /// The setting at `path`, whose last part is `key`. `node` is what the sources say, `value` what counts.
    pub(super) fn new(path: String, key: &str, node: Option<&ConfigNode>, value: Value) -> Self {
        let value = if SECRET.contains(&key) && !value.is_null() {
            json!(MASKED)
        } else {
            shown_value(key, value)
        };
        Self {
            path,
            value,
            source: node.map_or(ValueSource::Default, |node| ValueSource::from(&node.origin)),
        }
    }
}

/// The value of a key without what may be a secret.
fn shown_value(key: &str, value: Value) -> Value {
    match value {
        Value::String(text) => json!(shown_text(key, &text)),
        Value::Array(items) => {
            let items = items.into_iter();
            items.map(|item| shown_value(key, item)).collect()
        }
        Value::Null | Value::Bool(_) | Value::Number(_) | Value::Object(_) => value,
    }
}

impl From<&Origin> for ValueSource {
    fn from(origin: &Origin) -> Self {
        match origin {
            Origin::Line(line) => Self::Line(*line),
            Origin::Variable(name) => Self::Variable(name.clone()),
            Origin::Flag(flag) => Self::Flag(flag),
        }
    }
}

/// A value that comes as it stands in its source.
pub(super) fn as_written(node: &ConfigNode) -> Value {
    match &node.value {
        tree::Value::Text(text) | tree::Value::Foreign(text) => json!(text),
        tree::Value::Whole(number) => json!(number),
        tree::Value::Switch(on) => json!(on),
        tree::Value::List(items) => items.iter().map(as_written).collect(),
        tree::Value::Table(_) => Value::Null,
    }
}

/// A parsed value as a configuration would have it.
pub(super) trait Shown {
    fn shown(&self) -> Value;
}

macro_rules! shown {
    ($($kind:ty),* => $show:expr) => {$(
        impl Shown for $kind {
            fn shown(&self) -> Value {
                let show: fn(&Self) -> Value = $show;
                show(self)
            }
        }
    )*};
}

shown!(bool, u16, u32, u64, usize => |value| json!(value));
shown!(Acceptance, Durability, MediaPolicy, LogFormat => |value| json!(value.as_str()));
shown!(Listen => |value| json!(value.to_string()));
shown!(PathBuf => |value| json!(value));
shown!(Vec<IpNet>, Vec<Host> => |value| value.iter().map(ToString::to_string).collect());
