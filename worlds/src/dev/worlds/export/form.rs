//! The forms of a journal, by name.

/// The form of a journal.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
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
    Test(Language),
}

/// The language and test framework of an exported test.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(in crate::dev::worlds) enum Language {
    Pytest,
    Vitest,
    NodeTest,
    Phpunit,
    Curl,
    Scenario,
}

impl JournalForm {
    /// All of them, by their names.
    pub(in crate::dev::worlds) const WORDS: [(&str, Self); 11] = [
        ("json", Self::Json),
        ("document", Self::Document),
        ("text", Self::Text),
        ("har", Self::Har),
        ("html", Self::Html),
        ("pytest", Self::Test(Language::Pytest)),
        ("vitest", Self::Test(Language::Vitest)),
        ("node_test", Self::Test(Language::NodeTest)),
        ("phpunit", Self::Test(Language::Phpunit)),
        ("curl", Self::Test(Language::Curl)),
        ("scenario", Self::Test(Language::Scenario)),
    ];
}
