//! The variables of the environment: each thing has one name, everywhere in the project.

use std::collections::BTreeSet;
use std::fs;
use std::path::Path;

use super::documents::text;
use super::none;

/// The places that declare them, for commands and for tested programs, and the page that lists them.
const DECLARED: [&str; 3] = [
    "src/variables.rs",
    "worlds/src/dev/scenario/program.rs",
    "exam/src/stage.rs",
];
const LISTED: &str = "docs/quick-start.md";
/// That of kits and of the console's cases: the program.
const PROGRAM: &str = "SWITCHBOARD_BIN";
const PREFIX: &str = "SWITCHBOARD_";
/// Settings have two underlines (`SWITCHBOARD_SERVER__LISTEN`); the service itself refuses an unknown one.
const SETTING: &str = "__";
/// Names without the prefix that stood for the same things once.
const BARE: [&str; 6] = [
    "BASE_URL",
    "CHANNEL_ID",
    "CHANNEL_SECRET",
    "ACCOUNT_ID",
    "SCOPE_ID",
    "OPERATOR_TOKEN",
];

/// The folder of the tests with wrong spellings.
const SPELLINGS: &str = "tests/service/config/";

/// The files that people and programs read or run.
const ROOTS: [&str; 26] = [
    "README.md",
    "config.toml",
    "docs",
    "examples",
    "kits",
    "packaging",
    "src",
    "actors/src",
    "bridges",
    "runtime/src",
    "connections/src",
    "gate/src",
    "http/src",
    "exam/src",
    "worlds/src",
    "dispatch/src",
    "domain/src",
    "erasures/src",
    "push/src",
    "values/src",
    "wire/src",
    "tests/service",
    "tests/support",
    "tests/embedded",
    "ui/src",
    "ui/tests",
];

/// All texts of the project below [`ROOTS`], by their paths.
fn texts() -> Vec<(String, String)> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let mut waiting: Vec<_> = ROOTS.iter().map(|path| root.join(path)).collect();
    let mut texts = Vec::new();
    while let Some(path) = waiting.pop() {
        if path.is_dir() {
            let is_foreign = path.file_name().is_some_and(|name| name == "node_modules");
            let entries = fs::read_dir(&path).into_iter().flatten().flatten();
            waiting.extend(entries.map(|entry| entry.path()).filter(|_| !is_foreign));
        } else if let Ok(text) = fs::read_to_string(&path) {
            let path = path.strip_prefix(root).unwrap_or(&path);
            if !path.starts_with(SPELLINGS) {
                texts.push((path.display().to_string(), text));
            }
        }
    }
    assert!(texts.len() > 300, "the texts were not found");
    texts
}

/// The names of letters, digits and underlines in a text.
fn names(text: &str) -> impl Iterator<Item = &str> {
    text.split(|letter: char| letter != '_' && !letter.is_ascii_alphanumeric())
}

/// The names that the code declares.
fn declared() -> BTreeSet<String> {
    let texts = DECLARED.map(text);
    let quoted = texts
        .iter()
        .flat_map(|text| text.split('"').skip(1).step_by(2));
    let names: BTreeSet<String> = quoted
        .filter(|name| name.starts_with(PREFIX))
        .map(str::to_owned)
        .collect();
    assert!(names.len() > 8, "{names:?}");
    names
}

#[test]
fn each_thing_has_one_variable_everywhere() {
    let declared = declared();
    let is_known = |name: &str| {
        declared.contains(name) || name == PROGRAM || name == PREFIX || name.contains(SETTING)
    };
    let mut wrong = Vec::new();
    for (path, text) in texts() {
        let names_in_text: BTreeSet<&str> = names(&text)
            .filter(|name| name.starts_with(PREFIX))
            .collect();
        let unknown = names_in_text.into_iter().filter(|name| !is_known(name));
        wrong.extend(unknown.map(|name| format!("{path}: {name}")));
        let is_for_people = ["docs/", "examples/", "kits/", "packaging/"]
            .iter()
            .any(|folder| path.starts_with(folder));
        let bare_names: BTreeSet<&str> = names(&text).filter(|name| BARE.contains(name)).collect();
        let bare = bare_names.into_iter().filter(|_| is_for_people);
        wrong.extend(bare.map(|name| format!("{path}: {name} without {PREFIX}")));
    }
    none(&wrong, "use a name of src/variables.rs");
}

#[test]
fn the_quick_start_lists_every_variable() {
    let page = text(LISTED);
    let Some((_, section)) = page.split_once("\n## Variables\n") else {
        panic!("{LISTED} has no section «Variables»");
    };
    let section = section.split("\n## ").next().unwrap_or_default();
    let rows = section.lines().filter(|line| line.starts_with('|'));
    let table: BTreeSet<String> = rows
        .flat_map(names)
        .filter(|name| name.starts_with(PREFIX))
        .map(str::to_owned)
        .collect();
    assert_eq!(table, declared());
}
