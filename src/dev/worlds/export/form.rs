//! The forms of a journal, by name.

use serde::Deserialize;

/// The form of a journal.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "snake_case")]
pub(in crate::dev::worlds) enum JournalForm {
    /// One entry for each line.
    #[default]
    Json,
    /// One JSON document, for a client that asks again for what came after.
    Document,
    Text,
    Har,
    Html,
    /// A test that gives the same orders.
    #[serde(untagged)]
    Test(Language),
}

/// What a test is written for.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "snake_case")]
pub(in crate::dev::worlds) enum Language {
    Pytest,
    Vitest,
    NodeTest,
    Phpunit,
    Curl,
    Scenario,
}
