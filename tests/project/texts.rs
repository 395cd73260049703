//! Texts that people read: the OpenAPI document, the help of the commands, errors, the configuration and the pages for
//! users. They are in plain English: these tests check the parts of that rule that a program can check.

#![expect(clippy::panic, reason = "tests fail by panicking")]

mod literals;

use std::collections::BTreeSet;
use std::fs;
use std::path::Path;
use std::process::Command;

use serde_json::Value;

use super::{documents, none, sources};

/// The first words of the summaries of operations.
const VERBS: [&str; 44] = [
    "Accept",
    "Activate",
    "Answer",
    "Cancel",
    "Check",
    "Close",
    "Connect",
    "Count",
    "Create",
    "Deactivate",
    "Decline",
    "Delete",
    "Disable",
    "Discard",
    "Disconnect",
    "Dismiss",
    "Enable",
    "End",
    "Erase",
    "Explain",
    "Export",
    "Get",
    "Link",
    "List",
    "Mark",
    "Pause",
    "Rename",
    "Replay",
    "Report",
    "Resume",
    "Revoke",
    "Rotate",
    "Run",
    "Send",
    "Set",
    "Show",
    "Snooze",
    "Start",
    "Stop",
    "Stream",
    "Update",
    "Upload",
    "Wake",
    "Withdraw",
];

/// Words without a named subject, and idioms in place of the field's terms.
const BANNED: [&str; 13] = [
    "told",
    "tell",
    "tells",
    "somebody",
    "someone",
    "nobody",
    "everybody",
    "whoever",
    "come again",
    "looked at",
    "made again",
    "for good",
    "all the same",
];

/// For each language of the console, how words begin in whose place it has another word: «вебхук» for «вызов», «permiso» for
/// «derecho».
const OTHER_WORDS: [(&str, &[&str]); 3] = [
    ("en", &["holder", "receiver"]),
    ("es", &["añad", "cabecera", "derecho", "petici", "vídeo"]),
    ("ru", &["вызов", "служб"]),
];

/// Pages besides those in the folders of documents.
const PAGES: [&str; 27] = [
    "README.md",
    "config.toml",
    "actors/README.md",
    "bridges/core/README.md",
    "bridges/telegram/README.md",
    "bridges/telegram-double/README.md",
    "connections/README.md",
    "diagnosis/README.md",
    "dispatch/README.md",
    "domain/README.md",
    "engine/README.md",
    "erasures/README.md",
    "gate/README.md",
    "http/README.md",
    "loopback/README.md",
    "media/README.md",
    "network/README.md",
    "push/README.md",
    "relay/README.md",
    "relay/server/README.md",
    "runtime/README.md",
    "values/README.md",
    "wire/README.md",
    "worlds/README.md",
    "replication/README.md",
    "docs/architecture.md",
    "tests/README.md",
];

/// Returns the output of the program for these arguments.
#[track_caller]
fn printed(args: &[&str]) -> String {
    let output = Command::new(env!("CARGO_BIN_EXE_switchboard"))
        .args(args)
        .output()
        .unwrap_or_else(|error| panic!("the program does not run: {error}"));
    assert!(output.status.success(), "{args:?}: {output:?}");
    String::from_utf8_lossy(&output.stdout).into_owned()
}

fn document() -> Value {
    serde_json::from_str(&printed(&["openapi"]))
        .unwrap_or_else(|error| panic!("it is not JSON: {error}"))
}

/// The banned words of a text, in any case, as whole words. A name with underscores, as of a test, is one word.
pub(super) fn banned(text: &str) -> Vec<&'static str> {
    let lower = text.to_lowercase();
    let words: Vec<&str> = lower
        .split(|letter: char| !letter.is_alphanumeric() && letter != '\'' && letter != '_')
        .filter(|word| !word.is_empty())
        .collect();
    let spaced = format!(" {} ", words.join(" "));
    let has = |word: &&str| spaced.contains(&format!(" {word} "));
    BANNED.into_iter().filter(has).collect()
}

/// The places of a comment that name a rule of a document by its number: readers of the repository do not have it.
fn citations(text: &str) -> Vec<String> {
    let mut cited = Vec::new();
    let mut document = "";
    for word in text.split_whitespace() {
        let name = word.trim_end_matches(|letter: char| !letter.is_alphanumeric());
        let is_outside = match document.to_lowercase().as_str() {
            "interface" | "seed" => ["A", "B"].contains(&name),
            "decision" | "requirement" | "rule" => name.parse::<u16>().is_ok(),
            _ => false,
        };
        if is_outside {
            cited.push(format!("{document} {name}"));
        }
        document = word;
    }
    cited
}

/// `place: text` for each text with a banned word.
fn wrong<'t>(texts: impl IntoIterator<Item = (String, &'t str)>) -> Vec<String> {
    let mut wrong = Vec::new();
    for (place, text) in texts {
        let words = banned(text);
        if !words.is_empty() {
            wrong.push(format!("{place}: {words:?} in «{}»", text.trim()));
        }
    }
    wrong
}

/// The texts of a document that people read, each with the pointer to it.
fn texts<'d>(value: &'d Value, at: &str, found: &mut Vec<(String, &'d str)>) {
    match value {
        Value::Object(fields) => {
            for (name, field) in fields {
                let at = format!("{at}/{name}");
                let is_text = ["summary", "description", "title"].contains(&name.as_str());
                let is_example = ["example", "examples"].contains(&name.as_str());
                if let (true, Some(text)) = (is_text, field.as_str()) {
                    found.push((at, text));
                } else if !is_example {
                    texts(field, &at, found);
                }
            }
        }
        Value::Array(items) => items.iter().for_each(|item| texts(item, at, found)),
        Value::Null | Value::Bool(_) | Value::Number(_) | Value::String(_) => {}
    }
}

/// The help of a command and of all commands below it.
pub(super) fn help(path: &[String], found: &mut Vec<(String, String)>) {
    let mut args: Vec<&str> = path.iter().map(String::as_str).collect();
    args.push("--help");
    let text = printed(&args);
    let commands = text
        .split_once("\nCommands:\n")
        .map_or("", |(_, list)| list);
    let names: BTreeSet<&str> = commands
        .lines()
        .take_while(|line| !line.is_empty())
        .filter(|line| line.starts_with("  ") && !line.starts_with("   "))
        .filter_map(|line| line.split_whitespace().next())
        .filter(|name| *name != "help")
        .collect();
    for name in names {
        help(&[path, &[name.to_owned()]].concat(), found);
    }
    found.push((format!("switchboard {}", path.join(" ")), text));
}

/// The texts of the console in a language, line by line, each with its file and without its key.
fn console(language: &str) -> Vec<(String, String)> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("ui/src/words");
    let ending = format!(".{language}.ts");
    let mut entries = Vec::new();
    for entry in fs::read_dir(folder).into_iter().flatten().flatten() {
        let file = entry.file_name().to_string_lossy().into_owned();
        if file.ends_with(&ending) {
            let lines = fs::read_to_string(entry.path()).unwrap_or_default();
            let texts = lines
                .lines()
                .filter_map(|line| line.split_once(['\'', '`']));
            entries.extend(texts.map(|(_, text)| (file.clone(), text.to_owned())));
        }
    }
    assert!(entries.len() > 400, "{language}: {}", entries.len());
    entries
}

/// The first word of a text that begins as one of these does.
fn other_word(text: &str, others: &[&str]) -> Option<String> {
    let lower = text.to_lowercase();
    let mut words = lower.split(|letter: char| !letter.is_alphanumeric());
    words
        .find(|word| others.iter().any(|other| word.starts_with(*other)))
        .map(str::to_owned)
}

#[test]
fn summaries_are_imperative() {
    let document = document();
    let paths = document["paths"].as_object().unwrap();
    let methods = paths.values().filter_map(Value::as_object).flatten();
    let summaries: Vec<&str> = methods
        .filter_map(|(_, operation)| operation["summary"].as_str())
        .collect();
    assert!(summaries.len() > 90, "{}", summaries.len());
    let other: Vec<String> = summaries
        .into_iter()
        .filter(|summary| {
            !summary
                .split(' ')
                .next()
                .is_some_and(|word| VERBS.contains(&word))
        })
        .map(str::to_owned)
        .collect();
    none(&other, "begin the summary with a verb of the list");
}

#[test]
fn the_openapi_document_is_plain_english() {
    let document = document();
    let mut descriptions = Vec::new();
    texts(&document, "", &mut descriptions);
    assert!(descriptions.len() > 500, "{}", descriptions.len());
    none(
        &wrong(descriptions),
        "write these in plain English: name the subject, use the term of docs/glossary.md",
    );
}

#[test]
fn the_help_of_commands_is_plain_english() {
    let mut pages = Vec::new();
    help(&[], &mut pages);
    assert!(pages.len() > 30, "{}", pages.len());
    let lines = pages
        .iter()
        .flat_map(|(place, text)| text.lines().map(move |line| (place.clone(), line)));
    none(
        &wrong(lines),
        "write these in plain English: name the subject, use the term of docs/glossary.md",
    );
}

#[test]
fn string_literals_are_plain_english() {
    let mut texts = Vec::new();
    for source in sources().iter().filter(|source| !source.is_test()) {
        let result = literals::texts(&source.text);
        let literals = result.unwrap_or_else(|error| panic!("{}: {error}", source.path));
        texts.extend(literals.into_iter().map(|text| (source.path.clone(), text)));
    }
    assert!(texts.len() > 3_000, "{}", texts.len());
    let lines = texts
        .iter()
        .map(|(path, text)| (path.clone(), text.as_str()));
    none(
        &wrong(lines),
        "write these in plain English: name the subject, use the term of docs/glossary.md",
    );
    let stray = texts.iter().flat_map(|(path, text)| {
        let lines = literals::stray_blanks(text).into_iter();
        lines.map(move |line| format!("{path}: «{line}»"))
    });
    none(
        &stray.collect::<Vec<_>>(),
        "end the line of the source with a backslash: the blanks are part of the text",
    );
}

#[test]
fn pages_are_plain_english() {
    let mut names = PAGES.map(str::to_owned).to_vec();
    names.extend(documents::pages("docs"));
    names.extend(documents::pages("docs/decisions"));
    assert!(names.len() > 40, "{}", names.len());
    let texts = names.into_iter().map(|page| (documents::text(&page), page));
    let pages: Vec<(String, String)> = texts.collect();
    let lines = pages
        .iter()
        .flat_map(|(text, page)| text.lines().map(move |line| (page.clone(), line)));
    none(
        &wrong(lines),
        "write these in plain English: name the subject, use the term of docs/glossary.md",
    );
}

#[test]
fn comments_are_plain_english() {
    let sources = sources();
    let lines = sources.iter().flat_map(|source| {
        let comments = (source.text.lines()).filter(|line| line.trim_start().starts_with("//"));
        comments.map(|line| (source.path.clone(), line))
    });
    none(
        &wrong(lines),
        "write these comments in plain English: name the subject, use the term of docs/glossary.md",
    );
}

#[test]
fn comments_cite_only_this_repository() {
    let mut cited = Vec::new();
    for source in sources() {
        let lines = source.text.lines().map(str::trim_start);
        let comments = lines.filter_map(|line| line.strip_prefix("//"));
        let text: String = comments
            .flat_map(|line| [line.trim_start_matches(['/', '!']), " "])
            .collect();
        cited.extend(
            citations(&text)
                .into_iter()
                .map(|words| format!("{}: «{words}»", source.path)),
        );
    }
    none(
        &cited,
        "say the rule in words, or name a page of the repository, as docs/compatibility.md",
    );
}

#[test]
fn the_console_is_plain_english() {
    let texts = console("en");
    let lines = texts
        .iter()
        .map(|(file, text)| (file.clone(), text.as_str()));
    none(
        &wrong(lines),
        "write these in plain English: name the subject, use the term of docs/glossary.md",
    );
}

#[test]
fn the_console_has_one_word_for_one_thing() {
    let mut wrong = Vec::new();
    for (language, others) in OTHER_WORDS {
        for (file, text) in console(language) {
            if let Some(word) = other_word(&text, others) {
                wrong.push(format!("{file}: «{word}» in «{}»", text.trim()));
            }
        }
    }
    none(
        &wrong,
        "use the word that this language of the console has for it",
    );
}

#[test]
fn a_planted_word_is_found() {
    let word = other_word("Повторить вызовы", &["вызов", "служб"]);
    assert_eq!(word.as_deref(), Some("вызовы"));
    assert_eq!(other_word("Повторить вебхуки", &["вызов"]), None);
}

#[test]
fn a_planted_sentence_is_found() {
    let entries = [("here".to_owned(), "Whoever asks is told so.")];
    assert_eq!(
        wrong(entries),
        ["here: [\"told\", \"whoever\"] in «Whoever asks is told so.»"]
    );
    assert!(banned("The service answers 429; retry after 3 s.").is_empty());
    assert!(banned("`somebody_is_told` is a test").is_empty());
    let text = "Interface B, rights rule 6: as rule one. At the interface. A client";
    assert_eq!(citations(text), ["Interface B", "rule 6"]);
}
