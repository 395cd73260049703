//! The kinds of value that the tree holds, as the types that settings want.

use std::fmt::Display;
use std::ops::RangeInclusive;
use std::path::PathBuf;
use std::str::FromStr;

use ipnet::IpNet;
use url::Url;

use super::tree::{ConfigNode, Origin, Value};
use super::values::{PublicUrl, Secret};
use switchboard_network::host::Host;

/// The word for a value that is not set.
const NONE: &str = "none";

/// A value of the wrong kind or out of range.
pub(super) struct ValueError {
    /// Goes on after the value: «is not …».
    pub(super) why: String,
    /// The advice: what to write instead.
    pub(super) help: String,
}

impl ValueError {
    pub(super) fn new(why: impl Into<String>, help: impl Into<String>) -> Self {
        Self {
            why: why.into(),
            help: help.into(),
        }
    }
}

/// Text, as it stands.
pub(super) fn text(node: &ConfigNode) -> Result<&str, ValueError> {
    node.value
        .as_text()
        .ok_or_else(|| ValueError::new("is not text", "write it in quotes"))
}

/// Text that a type knows how to read.
pub(super) fn parsed<T: FromStr<Err: Display>>(node: &ConfigNode) -> Result<T, ValueError> {
    let text = text(node)?;
    text.parse()
        .map_err(|error: T::Err| ValueError::new("is not valid", error.to_string()))
}

/// The form of a setting that may have no value.
pub(super) struct Choice<P> {
    /// The word for no value; `None`: the key is left out.
    pub(super) unset: Option<&'static str>,
    /// Reads a value.
    pub(super) parse: P,
}

/// A value, or the word for none.
pub(super) const fn or_none<P>(parse: P) -> Choice<P> {
    let unset = Some(NONE);
    Choice { unset, parse }
}

/// A value, or no such key.
pub(super) const fn or_unset<P>(parse: P) -> Choice<P> {
    let unset = None;
    Choice { unset, parse }
}

/// `true` or `false`.
pub(super) fn switch(node: &ConfigNode) -> Result<bool, ValueError> {
    let switch = match &node.value {
        Value::Switch(on) => Some(*on),
        Value::Text(word) if loose(node) => word.parse().ok(),
        Value::Text(_) | Value::Whole(_) | Value::List(_) | Value::Table(_) | Value::Foreign(_) => {
            None
        }
    };
    let help = "write true or false, without quotes";
    switch.ok_or_else(|| ValueError::new("is neither true nor false", help))
}

/// A whole number of a range, in the type that the setting has.
pub(super) fn whole<T: TryFrom<i64>>(
    range: RangeInclusive<i64>,
) -> impl FnOnce(&ConfigNode) -> Result<T, ValueError> {
    move |node| {
        let (least, most) = (range.start(), range.end());
        let wrong = |why: &str| {
            ValueError::new(why, format!("write a whole number from {least} to {most}"))
        };
        let whole_number = match &node.value {
            Value::Whole(number) => Some(*number),
            Value::Text(digits) if loose(node) => digits.parse().ok(),
            Value::Text(_)
            | Value::Switch(_)
            | Value::List(_)
            | Value::Table(_)
            | Value::Foreign(_) => None,
        };
        let number = whole_number.ok_or_else(|| wrong("is not a whole number"))?;
        let in_range = range.contains(&number).then_some(number);
        in_range
            .and_then(|number| T::try_from(number).ok())
            .ok_or_else(|| wrong("is out of range"))
    }
}

/// A list of texts; in a variable they are separated by commas.
pub(super) fn words(node: &ConfigNode) -> Result<Vec<&str>, ValueError> {
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
        | Value::Foreign(_) => Err(ValueError::new(
            "is not a list",
            "write it as [\"one\", \"two\"]",
        )),
    }
}

/// A list of values that a type knows how to read; `wrong` makes the problem of an invalid one.
fn list<T: FromStr>(
    node: &ConfigNode,
    wrong: impl FnOnce(T::Err) -> ValueError,
) -> Result<Vec<T>, ValueError> {
    let items: Result<_, _> = words(node)?.into_iter().map(str::parse).collect();
    items.map_err(wrong)
}

/// A list of networks.
pub(super) fn networks(node: &ConfigNode) -> Result<Vec<IpNet>, ValueError> {
    list(node, |error| {
        let help = format!("write them as in [\"10.1.0.0/16\", \"fd00::/8\"] ({error})");
        ValueError::new("is not a list of networks", help)
    })
}

/// A list of hosts.
pub(super) fn hosts(node: &ConfigNode) -> Result<Vec<Host>, ValueError> {
    list(node, |error| {
        let help = format!("{error}; leave out scheme and port");
        ValueError::new("is not a list of hosts", help)
    })
}

/// The path of a directory.
pub(super) fn directory(node: &ConfigNode) -> Result<PathBuf, ValueError> {
    match text(node)? {
        "" => Err(ValueError::new("is empty", "name a directory")),
        path => Ok(PathBuf::from(path)),
    }
}

/// A scheme, a host and perhaps a port.
pub(super) fn public_url(node: &ConfigNode) -> Result<Url, ValueError> {
    parsed(node).map(|PublicUrl(url)| url)
}

/// A bearer token: what may stand after `Bearer` in a header.
pub(super) fn token(node: &ConfigNode) -> Result<Secret, ValueError> {
    let token = Secret::bearer(text(node)?);
    token.map_err(|help| ValueError::new("cannot be a bearer token", help))
}

/// Variables and flags know no types but text.
fn loose(node: &ConfigNode) -> bool {
    !matches!(node.origin, Origin::Line(_))
}
