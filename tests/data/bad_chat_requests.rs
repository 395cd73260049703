//! Reads `bad_chat_requests.txt`, which describes its own format. Included by the tests that need it with
//! `#[path]`, so it uses nothing but the standard library and `serde_json`.
#![expect(
    clippy::expect_used,
    clippy::panic,
    clippy::indexing_slicing,
    reason = "a table that cannot be read fails the test that reads it"
)]

use std::collections::BTreeMap;

const TABLE: &str = include_str!("bad_chat_requests.txt");

/// A bad body and what has to be found in it.
pub(crate) struct Case {
    /// `send`, `connect`, `disconnect` or `delivery_status`.
    pub(crate) operation: String,
    /// The mistake, for people.
    pub(crate) name: String,
    /// The exact bytes.
    pub(crate) body: Vec<u8>,
    /// The answer.
    pub(crate) expected: Expected,
}

/// The refusal that a body must get.
#[derive(Debug, PartialEq, Eq)]
pub(crate) enum Expected {
    /// As no JSON.
    NotJson,
    /// With these violations: path and code, sorted.
    Violations(Vec<(String, String)>),
}

/// All cases of the table.
pub(crate) fn cases() -> Vec<Case> {
    let valid = valid_bodies();
    TABLE
        .split("\n\n")
        .filter(|block| block.starts_with('['))
        .map(|block| case(block, &valid))
        .collect()
}

/// The valid body of each operation, that the cases change.
pub(crate) fn valid_bodies() -> BTreeMap<String, String> {
    TABLE
        .lines()
        .filter_map(|line| line.strip_prefix("valid "))
        .map(|line| line.split_once(' ').expect("valid OPERATION {…}"))
        .map(|(operation, body)| (operation.to_owned(), body.to_owned()))
        .collect()
}

fn case(block: &str, valid: &BTreeMap<String, String>) -> Case {
    let mut lines = block.lines();
    let title = lines.next().and_then(|line| line.strip_prefix('['));
    let (operation, name) = title
        .and_then(|title| title.split_once("] "))
        .unwrap_or_else(|| panic!("[OPERATION] name, not {block}"));
    let mut tree = Tree::from_json(&serde_json::from_str(&valid[operation]).expect("a valid body"));
    let mut body = None;
    let mut violations = Vec::new();
    let mut not_json = false;
    for line in lines {
        if line == "! not json" {
            not_json = true;
        } else if let Some(violation) = line.strip_prefix("! ") {
            let (path, code) = violation.split_once(' ').expect("! path Code");
            let path = if path == "(body)" { "" } else { path };
            violations.push((path.to_owned(), code.to_owned()));
        } else if let Some(text) = line.strip_prefix("body") {
            body = Some(repeated(text.strip_prefix(' ').unwrap_or(text)).into_bytes());
        } else if let Some(digits) = line.strip_prefix("hex ") {
            body = Some(bytes(digits));
        } else if let Some(path) = line.strip_prefix("- ") {
            tree.change(path, None);
        } else if let Some((path, raw)) = line.split_once(" = ") {
            tree.change(path, Some(repeated(raw)));
        } else {
            panic!("{name}: what is {line:?}?");
        }
    }
    violations.sort();
    assert_ne!(not_json, !violations.is_empty(), "{name}: either or");
    Case {
        operation: operation.to_owned(),
        name: name.to_owned(),
        body: body.unwrap_or_else(|| tree.text().into_bytes()),
        expected: if not_json {
            Expected::NotJson
        } else {
            Expected::Violations(violations)
        },
    }
}

/// `${T*N}` stands for the text T repeated N times.
fn repeated(text: &str) -> String {
    let Some((before, rest)) = text.split_once("${") else {
        return text.to_owned();
    };
    let (what, rest) = rest.split_once('*').expect("${T*N}");
    let (times, after) = rest.split_once('}').expect("${T*N}");
    let middle = what.repeat(times.parse().expect("a number of times"));
    format!("{before}{middle}{}", repeated(after))
}

fn bytes(digits: &str) -> Vec<u8> {
    let byte = |pair: &[u8]| {
        let pair = std::str::from_utf8(pair).expect("digits");
        u8::from_str_radix(pair, 16).expect("hexadecimal digits")
    };
    digits.as_bytes().chunks(2).map(byte).collect()
}

/// A body of which single places can be replaced by raw text.
enum Tree {
    Raw(String),
    Object(Vec<(String, Tree)>),
}

impl Tree {
    fn from_json(value: &serde_json::Value) -> Self {
        match value.as_object() {
            Some(fields) => Self::Object(
                fields
                    .iter()
                    .map(|(key, value)| (key.clone(), Self::from_json(value)))
                    .collect(),
            ),
            None => Self::Raw(value.to_string()),
        }
    }

    fn change(&mut self, path: &str, raw: Option<String>) {
        let Self::Object(fields) = self else {
            panic!("{path}: there is no object");
        };
        let (key, deeper) = match path.split_once('.') {
            Some((key, deeper)) => (key, Some(deeper)),
            None => (path, None),
        };
        let place = fields.iter().position(|(name, _)| name == key);
        match (deeper, place, raw) {
            (Some(deeper), Some(place), raw) => fields[place].1.change(deeper, raw),
            (None, Some(place), Some(raw)) => fields[place].1 = Self::Raw(raw),
            (None, None, Some(raw)) => fields.push((key.to_owned(), Self::Raw(raw))),
            (None, Some(place), None) => {
                fields.remove(place);
            }
            (Some(_) | None, None, _) => panic!("{path}: there is no such field"),
        }
    }

    fn text(&self) -> String {
        match self {
            Self::Raw(raw) => raw.clone(),
            Self::Object(fields) => {
                let fields: Vec<String> = fields
                    .iter()
                    .map(|(key, value)| format!("\"{key}\":{}", value.text()))
                    .collect();
                format!("{{{}}}", fields.join(","))
            }
        }
    }
}
