//! `MarkdownV2`, and the older Markdown, which knows fewer marks and refuses less.

use serde_json::{Map, Value};

use super::{Formatted, Writer, refusal};
use crate::reply::ApiError;

/// The marks, longer ones first, with their entities.
const MARKS: [(&str, &str); 6] = [
    ("__", "underline"),
    ("||", "spoiler"),
    ("*", "bold"),
    ("_", "italic"),
    ("~", "strikethrough"),
    ("[", "text_link"),
];
const OLD_MARKS: [(&str, &str); 3] = [("*", "bold"), ("_", "italic"), ("[", "text_link")];
/// The letters that need a backslash.
const RESERVED: &str = "_*[]()~`>#+-=|{}.!";

struct Open {
    mark: &'static str,
    kind: &'static str,
    began: usize,
    byte: usize,
}

/// Reads a text with marks.
pub(super) fn parse(text: &str, is_new: bool) -> Result<Formatted, ApiError> {
    let marks: &[(&'static str, &'static str)] = if is_new { &MARKS } else { &OLD_MARKS };
    let mut writer = Writer::default();
    let mut open: Vec<Open> = Vec::new();
    let mut rest = text;
    let mut is_line_start = true;
    while let Some(letter) = rest.chars().next() {
        let byte = text.len() - rest.len();
        let after = rest.strip_prefix(letter).unwrap_or_default();
        let at_line_start = std::mem::replace(&mut is_line_start, letter == '\n');
        let link = match letter {
            ']' => open.pop_if(|it| it.mark == "["),
            _ => None,
        };
        if let ('\\', Some(next)) = (letter, after.chars().next().filter(char::is_ascii)) {
            writer.letter(next);
            rest = after.strip_prefix(next).unwrap_or_default();
        } else if letter == '`' {
            rest = code(rest, byte, &mut writer)?;
        } else if let Some(link) = link {
            rest = end_of_link(after, &link, &mut writer)?;
        } else if let Some((mark, kind)) = marks.iter().find(|(mark, _)| rest.starts_with(mark)) {
            rest = rest.strip_prefix(mark).unwrap_or_default();
            match open.pop_if(|it| it.mark == *mark && *mark != "[") {
                Some(begun) => writer.entity(begun.kind, begun.began, None),
                None => open.push(Open {
                    mark,
                    kind,
                    began: writer.units,
                    byte,
                }),
            }
        } else if is_new && RESERVED.contains(letter) && !(letter == '>' && at_line_start) {
            return Err(refusal(format!(
                "Character '{letter}' is reserved and must be escaped with the preceding '\\'"
            )));
        } else {
            writer.letter(letter);
            rest = after;
        }
    }
    match open.pop() {
        Some(Open { kind, byte, .. }) => Err(unclosed(kind, byte)),
        None => Ok(writer.finish()),
    }
}

fn unclosed(kind: &str, byte: usize) -> ApiError {
    refusal(format!(
        "can't find end of the entity {kind} starting at byte offset {byte}"
    ))
}

/// Reads code, up to the mark that it begins with.
fn code<'t>(rest: &'t str, byte: usize, writer: &mut Writer) -> Result<&'t str, ApiError> {
    let (mark, kind) = if rest.starts_with("```") {
        ("```", "pre")
    } else {
        ("`", "code")
    };
    let inner = rest.strip_prefix(mark).unwrap_or_default();
    let began = writer.units;
    let mut inner_rest = inner;
    loop {
        if let Some(after) = inner_rest.strip_prefix(mark) {
            writer.entity(kind, began, None);
            return Ok(after);
        }
        let literal = inner_rest.strip_prefix('\\').unwrap_or(inner_rest);
        let Some(letter) = literal.chars().next() else {
            return Err(unclosed(kind, byte));
        };
        writer.letter(letter);
        inner_rest = literal.strip_prefix(letter).unwrap_or_default();
    }
}

/// Reads `(address)` behind a text in brackets.
fn end_of_link<'t>(after: &'t str, link: &Open, writer: &mut Writer) -> Result<&'t str, ApiError> {
    let inner = after.strip_prefix('(').and_then(|it| it.split_once(')'));
    let Some((address, rest)) = inner else {
        return Err(unclosed(link.kind, link.byte));
    };
    let mut extra = Map::new();
    let address = address.replace('\\', "");
    extra.insert("url".to_owned(), Value::String(address));
    writer.entity(link.kind, link.began, Some(extra));
    Ok(rest)
}
