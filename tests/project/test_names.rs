//! Names of tests: short enough for one line of a report, and in the terms of docs/glossary.md.

use super::texts::banned;
use super::{none, sources};

/// The longest name of a test, in characters.
const LENGTH_MAX: usize = 60;

/// The attributes that make a function a test, without their arguments.
const ATTRIBUTES: [&str; 3] = ["#[test]", "#[tokio::test", "#[actix::test"];

/// The names of the tests of a source file.
fn tests(text: &str) -> Vec<&str> {
    let mut names = Vec::new();
    let mut is_test = false;
    for line in text.lines().map(str::trim_start) {
        is_test |= ATTRIBUTES.iter().any(|start| line.starts_with(start));
        if let (true, Some(name)) = (is_test, function(line)) {
            names.push(name);
            is_test = false;
        }
    }
    names
}

/// The name of the function that begins on this line.
fn function(line: &str) -> Option<&str> {
    let line = line.strip_prefix("async ").unwrap_or(line);
    let (name, _) = line.strip_prefix("fn ")?.split_once('(')?;
    Some(name)
}

fn problems(name: &str) -> Vec<String> {
    let length = name.chars().count();
    let long = (length > LENGTH_MAX).then(|| format!("{name}: {length} characters"));
    let words = banned(&name.replace('_', " "));
    let vague = (!words.is_empty()).then(|| format!("{name}: {words:?}"));
    long.into_iter().chain(vague).collect()
}

#[test]
fn names_of_tests_are_short_and_plain_english() {
    let mut count = 0;
    let mut wrong = Vec::new();
    for source in sources() {
        for name in tests(&source.text) {
            count += 1;
            let problems = problems(name).into_iter();
            wrong.extend(problems.map(|problem| format!("{}: {problem}", source.path)));
        }
    }
    assert!(count > 1_000, "{count} tests were found");
    none(
        &wrong,
        "name the test in at most 60 characters, in the terms of docs/glossary.md; the promise in full stands in its doc comment",
    );
}

#[test]
fn a_long_name_and_a_banned_word_are_found() {
    let text =
        "#[tokio::test(start_paused = true)]\nasync fn nobody_is_told() {}\n\nfn not_a_test() {}\n";
    assert_eq!(tests(text), ["nobody_is_told"]);
    assert_eq!(
        problems("nobody_is_told"),
        ["nobody_is_told: [\"told\", \"nobody\"]"]
    );
    let long = "a".repeat(LENGTH_MAX + 1);
    assert_eq!(problems(&long), [format!("{long}: 61 characters")]);
    assert!(problems("a_repeated_msgid_stores_one_message").is_empty());
}
