//! Single values: their types, numbers, and items of arrays of strings.

use std::fmt::Display;
use std::str::FromStr;

use crate::domain::violation::ViolationCode;
use crate::json::node::Node;

/// A JSON type, to check fields whose value does not matter.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum JsonType {
    /// A string.
    Text,
    /// A whole number within 64 bits.
    Integer,
    /// Any number.
    Number,
    /// An object.
    Object,
}

/// The item of an array of strings, or what is wrong with it.
pub(super) fn item_of<T: FromStr<Err: Display>>(
    node: &Node<'_>,
) -> Result<T, (ViolationCode, String)> {
    let Node::Text(text) = node else {
        let detail = format!("expected a string, found {}", node.kind());
        return Err((ViolationCode::InvalidType, detail));
    };
    text.parse()
        .map_err(|why: T::Err| (ViolationCode::InvalidValue, why.to_string()))
}

/// The number in a node; a whole number counts as one, since many writers drop the fraction of `37.0`.
#[expect(
    clippy::as_conversions,
    clippy::cast_precision_loss,
    reason = "readers of JSON take the nearest number"
)]
pub(super) fn as_number(node: &Node<'_>) -> Option<f64> {
    match node {
        Node::Float(number) => Some(*number),
        Node::Unsigned(number) => Some(*number as f64),
        Node::Negative(number) => Some(*number as f64),
        Node::Null | Node::Bool(_) | Node::Text(_) | Node::List(_) | Node::Object(_) => None,
    }
}
