//! HTML with the few tags of the Bot API.

use serde_json::{Map, Value};

use super::{Formatted, Writer, refusal};
use crate::reply::ApiError;

/// The tags, with their entities.
const TAGS: [(&str, &str); 13] = [
    ("b", "bold"),
    ("strong", "bold"),
    ("i", "italic"),
    ("em", "italic"),
    ("u", "underline"),
    ("ins", "underline"),
    ("s", "strikethrough"),
    ("strike", "strikethrough"),
    ("del", "strikethrough"),
    ("tg-spoiler", "spoiler"),
    ("code", "code"),
    ("pre", "pre"),
    ("blockquote", "blockquote"),
];
const LETTERS: [(&str, char); 4] = [
    ("&lt;", '<'),
    ("&gt;", '>'),
    ("&amp;", '&'),
    ("&quot;", '"'),
];

struct Open<'t> {
    name: &'t str,
    kind: &'static str,
    began: usize,
    address: Option<String>,
}

/// Reads a text with tags.
pub(super) fn parse(text: &str) -> Result<Formatted, ApiError> {
    let mut writer = Writer::default();
    let mut open: Vec<Open<'_>> = Vec::new();
    let mut rest = text;
    while let Some(letter) = rest.chars().next() {
        let byte = text.len() - rest.len();
        let after = rest.strip_prefix(letter).unwrap_or_default();
        if letter == '<' {
            let Some((tag, next)) = after.split_once('>') else {
                return Err(refusal(format!("unclosed start tag at byte offset {byte}")));
            };
            rest = next;
            match tag.strip_prefix('/') {
                Some(name) => close(name.trim(), byte, &mut open, &mut writer)?,
                None => open.push(start(tag, byte, writer.units)?),
            }
        } else if let Some((name, plain)) = LETTERS.iter().find(|(name, _)| rest.starts_with(name))
        {
            writer.letter(*plain);
            rest = rest.strip_prefix(name).unwrap_or_default();
        } else {
            writer.letter(letter);
            rest = after;
        }
    }
    match open.pop() {
        Some(tag) => Err(refusal(format!(
            "can't find end tag corresponding to start tag \"{}\"",
            tag.name
        ))),
        None => Ok(writer.finish()),
    }
}

fn start(tag: &str, byte: usize, began: usize) -> Result<Open<'_>, ApiError> {
    let (name, attributes) = tag.split_once(' ').unwrap_or((tag, ""));
    if name == "a" {
        let address = attributes
            .trim()
            .strip_prefix("href=")
            .map(|it| it.trim_matches(['"', '\'']).replace("&amp;", "&"));
        return Ok(Open {
            name,
            kind: "text_link",
            began,
            address,
        });
    }
    let kind = TAGS.iter().find(|(known, _)| *known == name);
    let Some((_, kind)) = kind else {
        return Err(refusal(format!(
            "unsupported start tag \"{name}\" at byte offset {byte}"
        )));
    };
    Ok(Open {
        name,
        kind,
        began,
        address: None,
    })
}

fn close(
    name: &str,
    byte: usize,
    open: &mut Vec<Open<'_>>,
    writer: &mut Writer,
) -> Result<(), ApiError> {
    let Some(tag) = open.pop().filter(|it| it.name == name) else {
        return Err(refusal(format!(
            "unexpected end tag \"{name}\" at byte offset {byte}"
        )));
    };
    let extra = match (tag.kind, tag.address) {
        ("text_link", None) => return Ok(()),
        (_, Some(address)) => {
            let mut extra = Map::new();
            extra.insert("url".to_owned(), Value::String(address));
            Some(extra)
        }
        (_, None) => None,
    };
    writer.entity(tag.kind, tag.began, extra);
    Ok(())
}
