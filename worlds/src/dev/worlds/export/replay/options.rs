//! The options of a test's world: the seed, the clock and the ids that were chosen for the recorded one.

use serde_json::{Map, Value, json};

use crate::dev::worlds::export::ShownJournal;
use crate::dev::worlds::own_ids;

/// The fields of the order that makes the world, in their order.
pub(super) struct Options(Vec<(&'static str, Value)>);

impl Options {
    pub(super) fn from_journal(shown: &ShownJournal) -> Self {
        let mut options = vec![("seed", json!(shown.seed)), ("clock", json!(shown.clock))];
        options.extend(own_ids::written(&shown.ids));
        Self(options)
    }

    /// As arguments, each written by `argument`.
    pub(super) fn arguments(&self, argument: impl Fn(&str, &Value) -> String) -> String {
        let arguments = self.0.iter().map(|(name, value)| argument(name, value));
        arguments.collect::<Vec<_>>().join(", ")
    }

    /// As one object.
    pub(super) fn object(&self) -> Value {
        let fields = self
            .0
            .iter()
            .cloned()
            .map(|(name, value)| (name.to_owned(), value));
        Value::Object(fields.collect::<Map<_, _>>())
    }
}

/// A name of JSON as programs in camel case have it.
pub(super) fn camel_case(name: &str) -> String {
    let mut words = name.split('_');
    let first = words.next().unwrap_or_default().to_owned();
    words.fold(first, |mut name, word| {
        let mut letters = word.chars();
        name.extend(letters.next().map(|letter| letter.to_ascii_uppercase()));
        name.push_str(letters.as_str());
        name
    })
}
