//! The kinds of value that the tree holds, as the types that settings want.

use std::fmt::Display;
use std::ops::RangeInclusive;
use std::str::FromStr;

use super::tree::{ConfigNode, Origin, Value};

/// A value of the wrong kind or out of range.
pub(super) struct InvalidValue {
    /// Goes on after the value: «is not …».
    pub(super) why: String,
    /// What to write instead.
    pub(super) help: String,
}

impl InvalidValue {
    pub(super) fn new(why: impl Into<String>, help: impl Into<String>) -> Self {
        Self {
            why: why.into(),
            help: help.into(),
        }
    }
}

/// Text, as it stands.
pub(super) fn text(node: &ConfigNode) -> Result<&str, InvalidValue> {
    match &node.value {
        Value::Text(text) => Ok(text),
        Value::Whole(_)
        | Value::Switch(_)
        | Value::List(_)
        | Value::Table(_)
        | Value::Foreign(_) => Err(InvalidValue::new("is not text", "write it in quotes")),
    }
}

/// Text that a type knows how to read.
pub(super) fn parsed<T: FromStr<Err: Display>>(node: &ConfigNode) -> Result<T, InvalidValue> {
    let text = text(node)?;
    text.parse()
        .map_err(|error: T::Err| InvalidValue::new("is not valid", error.to_string()))
}

/// The word for a value that is not set.
pub(super) const NONE: &str = "none";

/// The value, or the word for nothing.
pub(super) fn or_none<T>(
    parse: impl FnOnce(&ConfigNode) -> Result<T, InvalidValue>,
) -> impl FnOnce(&ConfigNode) -> Result<Option<T>, InvalidValue> {
    move |node| match &node.value {
        Value::Text(word) if word == NONE => Ok(None),
        Value::Text(_)
        | Value::Whole(_)
        | Value::Switch(_)
        | Value::List(_)
        | Value::Table(_)
        | Value::Foreign(_) => parse(node).map(Some),
    }
}

/// `true` or `false`.
pub(super) fn switch(node: &ConfigNode) -> Result<bool, InvalidValue> {
    match &node.value {
        Value::Switch(on) => Ok(*on),
        Value::Text(word) if loose(node) && word == "true" => Ok(true),
        Value::Text(word) if loose(node) && word == "false" => Ok(false),
        Value::Text(_) | Value::Whole(_) | Value::List(_) | Value::Table(_) | Value::Foreign(_) => {
            Err(InvalidValue::new(
                "is neither true nor false",
                "write true or false, without quotes",
            ))
        }
    }
}

/// A whole number of a range, in the type that the setting has.
pub(super) fn whole<T: TryFrom<i64>>(
    range: RangeInclusive<i64>,
) -> impl FnOnce(&ConfigNode) -> Result<T, InvalidValue> {
    move |node| {
        let (least, most) = (range.start(), range.end());
        let wrong = |why: &str| {
            InvalidValue::new(why, format!("write a whole number from {least} to {most}"))
        };
        let number = match &node.value {
            Value::Whole(number) => *number,
            Value::Text(digits) if loose(node) => match digits.parse() {
                Ok(number) => number,
                Err(_) => return Err(wrong("is not a whole number")),
            },
            Value::Text(_)
            | Value::Switch(_)
            | Value::List(_)
            | Value::Table(_)
            | Value::Foreign(_) => {
                return Err(wrong("is not a whole number"));
            }
        };
        if !range.contains(&number) {
            return Err(wrong("is out of range"));
        }
        match T::try_from(number) {
            Ok(number) => Ok(number),
            Err(_) => Err(wrong("is out of range")),
        }
    }
}

/// A list of texts; in a variable they are separated by commas.
pub(super) fn words(node: &ConfigNode) -> Result<Vec<&str>, InvalidValue> {
    match &node.value {
        Value::List(items) => items.iter().map(text).collect(),
        Value::Text(list) if loose(node) => {
            let words = list.split(',').map(str::trim);
            Ok(words.filter(|word| !word.is_empty()).collect())
        }
        Value::Text(_)
        | Value::Whole(_)
        | Value::Switch(_)
        | Value::Table(_)
        | Value::Foreign(_) => Err(InvalidValue::new(
            "is not a list",
            "write it as [\"one\", \"two\"]",
        )),
    }
}

/// Variables and flags know no types but text.
fn loose(node: &ConfigNode) -> bool {
    !matches!(node.origin, Origin::Line(_))
}
