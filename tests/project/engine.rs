//! The words that keep the engine apart from the product.

use super::{none, sources};

/// Words of the product. The engine's own words are not among them: a *message* is what an actor is sent, a *reply* is what
/// a command answers, and a key *leads* to a record.
const WORDS: [&str; 25] = [
    "account",
    "amojo",
    "audit",
    "avatar",
    "callback",
    "channel",
    "chat",
    "contact",
    "conversation",
    "customer",
    "dispatcher",
    "email",
    "endpoint",
    "inbox",
    "integration",
    "media",
    "messenger",
    "msgid",
    "password",
    "phone",
    "pipeline",
    "scope",
    "tenant",
    "unsorted",
    "webhook",
];

/// Uses of such words that mean something else: those of Rust's library and of tokio.
const OTHER_MEANINGS: [&str; 7] = [
    "mpsc::channel",
    "oneshot::channel",
    "sync_channel",
    "watch::channel",
    "thread::scope",
    "|scope|",
    "scope.spawn",
];

/// Returns whether the line has the word, in any case and number; longer words that begin so do not count.
fn has(line: &str, word: &str) -> bool {
    let is_letter = |byte: Option<&u8>| byte.is_some_and(u8::is_ascii_lowercase);
    let bytes = line.as_bytes();
    line.match_indices(word).any(|(at, _)| {
        let before = at.checked_sub(1).and_then(|at| bytes.get(at));
        let rest = line
            .get(at + word.len()..)
            .unwrap_or_default()
            .trim_start_matches('s');
        !is_letter(before) && !is_letter(rest.as_bytes().first())
    })
}

/// The line in small letters, with the words of names apart: `ScopeId` is `scope_id`.
fn words(line: &str) -> String {
    let mut line = line.to_owned();
    for other in OTHER_MEANINGS {
        line = line.replace(other, "");
    }
    let mut apart = String::new();
    let mut was_small = false;
    for letter in line.chars() {
        if letter.is_uppercase() && was_small {
            apart.push('_');
        }
        was_small = letter.is_lowercase() || letter.is_ascii_digit();
        apart.extend(letter.to_lowercase());
    }
    apart
}

#[test]
fn the_engine_knows_no_word_of_chat() {
    let mut faults = Vec::new();
    for source in sources() {
        if !["engine/", "replication/"]
            .iter()
            .any(|it| source.path.starts_with(it))
        {
            continue;
        }
        for (number, line) in (1..).zip(source.text.lines()) {
            let line = words(line);
            let hits = WORDS.iter().filter(|word| has(&line, word));
            // Those of a database: the password of its user, the binding of its channel.
            let is_database = source
                .path
                .starts_with("replication/src/shared_log/postgres");
            let hits = hits.filter(|word| !is_database || !["channel", "password"].contains(*word));
            faults.extend(hits.map(|word| format!("{}:{number}: {word}", source.path)));
        }
    }
    none(
        &faults,
        "the engine and its log serve any product: name the general thing, or have the product register or listen",
    );
}

/// A word is found in names and in the plural, and not in longer words.
#[test]
fn words_are_found_in_names_and_plurals_but_not_inside_others() {
    for line in [
        "of Conversations",
        "ScopeId",
        "an `account_id`",
        "MEDIA",
        "two chats",
    ] {
        let line = words(line);
        assert!(WORDS.iter().any(|word| has(&line, word)), "{line}");
    }
    for line in [
        "ideal",
        "misleading",
        "it leading",
        "mpsc::channel()",
        "thread::scope(|scope|",
        "hooked",
    ] {
        let line = words(line);
        assert!(!WORDS.iter().any(|word| has(&line, word)), "{line}");
    }
}
