//! Errors of a document that is no JSON, in words for people.

use std::borrow::Cow;
use std::fmt;

/// The place and the reason of an error in a document.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct JsonError {
    /// The line and the column, both from 1, the column counted in bytes; `None` when there is nothing at all.
    pub place: Option<(usize, usize)>,
    /// One clause: what was expected, or what is not allowed.
    pub reason: Cow<'static, str>,
}

impl JsonError {
    /// The error at the byte `offset` of `text`.
    pub(crate) fn at(text: &[u8], offset: usize, reason: &'static str) -> Self {
        let before = text.get(..offset).unwrap_or(text);
        let line_start = before
            .iter()
            .rposition(|byte| *byte == b'\n')
            .map_or(0, |newline| newline.saturating_add(1));
        let lines = before.iter().filter(|byte| **byte == b'\n').count();
        let column = before.len().saturating_sub(line_start).saturating_add(1);
        Self {
            place: Some((lines.saturating_add(1), column)),
            reason: Cow::Borrowed(reason),
        }
    }

    /// There is nothing to read.
    pub(crate) fn empty() -> Self {
        Self {
            place: None,
            reason: Cow::Borrowed("the body is empty"),
        }
    }

    /// The parser's error in our words, or `own` if the failure was ours and only the place is the parser's.
    pub(crate) fn translated(error: &serde_json::Error, own: Option<String>) -> Self {
        let reason = match own {
            Some(own) => Cow::Owned(own),
            None => Cow::Borrowed(in_our_words(error)),
        };
        Self {
            place: Some((error.line().max(1), error.column().max(1))),
            reason,
        }
    }
}

impl std::error::Error for JsonError {}

impl fmt::Display for JsonError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if let Some((line, column)) = self.place {
            write!(f, "line {line}, column {column}: ")?;
        }
        f.write_str(&self.reason)
    }
}

/// The beginnings of the parser's messages, and our words instead. A test meets each of them.
const WORDS: [(&str, &str); 18] = [
    ("EOF while parsing a list", "the body ends inside an array"),
    (
        "EOF while parsing an object",
        "the body ends inside an object",
    ),
    (
        "EOF while parsing a string",
        "the body ends inside a string",
    ),
    (
        "EOF while parsing a value",
        "expected a value, the body ends here",
    ),
    ("expected `:`", "expected a colon after the key"),
    ("expected `,` or `]`", "expected a comma or ] in the array"),
    ("expected `,` or `}`", "expected a comma or } in the object"),
    ("expected ident", "expected true, false or null"),
    ("expected value", "expected a value"),
    (
        "invalid escape",
        "expected one of \" \\ / b f n r t u after a backslash",
    ),
    ("invalid number", "expected a number as JSON writes them"),
    ("number out of range", "the number is too large"),
    (
        "control character",
        "expected control characters in a string to be escaped",
    ),
    ("key must be a string", "expected a key in double quotes"),
    (
        "lone leading surrogate",
        "expected a pair of surrogates in \\u escapes",
    ),
    (
        "trailing comma",
        "expected no comma before the closing bracket",
    ),
    (
        "trailing characters",
        "expected nothing after the end of the value",
    ),
    (
        "unexpected end of hex escape",
        "expected a pair of surrogates in \\u escapes",
    ),
];

fn in_our_words(error: &serde_json::Error) -> &'static str {
    let theirs = error.to_string();
    WORDS
        .iter()
        .find(|(beginning, _)| theirs.starts_with(beginning))
        .map_or("expected well-formed JSON", |(_, ours)| ours)
}
