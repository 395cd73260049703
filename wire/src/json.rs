//! Reads small JSON documents strictly, and reports what is wrong with them.
//!
//! Reading has two steps. [`node::parse`] turns bytes into a tree that borrows from them, or fails with line
//! and column. An [`object::ObjectReader`] then takes typed fields out of the tree and reports every one that
//! is missing or wrong, each with its path. [`read`] does both:
//!
//! ```
//! use switchboard_wire::json::{self, BodyError, object::Nulls};
//!
//! struct Point { x: i64, label: Option<String> }
//!
//! let point = json::read(br#"{"x": 3, "at": {"label": "A"}}"#, Nulls::Refused, |body| {
//!     let x = body.required_integer("x", 0..=9);
//!     let at = body.optional_object("at");
//!     let label = at.and_then(|at| at.optional_string("label").map(str::to_owned));
//!     Some(Point { x: x?, label })
//! });
//! assert!(point.is_ok_and(|point| point.x == 3 && point.label.as_deref() == Some("A")));
//!
//! let wrong = json::read(br#"{"at": []}"#, Nulls::Refused, |body| {
//!     let (x, _) = (body.required_integer("x", 0..=9), body.optional_object("at"));
//!     x
//! });
//! let Err(BodyError::Invalid(violations)) = wrong else { panic!("two fields are wrong") };
//! assert_eq!(violations.kept()[0].to_string(), "x: this field is missing");
//! assert_eq!(violations.kept()[1].to_string(), "at: expected an object, found an array");
//! ```
//!
//! The rule for closures: ask for every field first, use `?` last. What was asked is checked; a `?` in between
//! would hide the violations after it.
//!
//! Why not derived `Deserialize`: it takes an array for an object and `null` for an absent field, stops at the
//! first mistake and names our types in its messages.

pub mod error;
pub mod fields;
mod meant;
pub mod node;
pub mod object;
pub mod path;
mod value;

use crate::domain::violation::{Violation, ViolationCode, Violations};
use crate::json::error::JsonError;
use crate::json::node::Node;
use crate::json::object::{Nulls, ObjectReader};
use crate::json::path::{Path, Report};

/// The error of a body that cannot be read.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum BodyError {
    /// It is no JSON document, or one beyond the limits.
    #[error("{0}")]
    NotJson(JsonError),
    /// It is JSON with wrong fields: all of them.
    #[error("{0}")]
    Invalid(Violations),
}

/// Reads a body that must be one object: `take` asks for its fields.
///
/// The value that `take` returns counts only when nothing was reported. `take` returns `None` only after a report; if
/// it does so without one, the body is refused nevertheless.
///
/// # Errors
/// [`BodyError::NotJson`] for what is no JSON, otherwise [`BodyError::Invalid`] with all that was reported.
pub fn read<T>(
    body: &[u8],
    nulls: Nulls,
    take: impl FnOnce(&ObjectReader<'_, '_>) -> Option<T>,
) -> Result<T, BodyError> {
    read_leniently(body, nulls, take).map(|read| read.value)
}

/// A value, and the optional fields that were left out because of their form.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct LenientRead<T> {
    /// The value.
    pub value: T,
    /// The fields that are not in it, each with what is wrong with it.
    pub left_out: Violations,
}

/// As [`read`], with the fields that were left out.
///
/// # Errors
/// As [`read`].
pub fn read_leniently<T>(
    body: &[u8],
    nulls: Nulls,
    take: impl FnOnce(&ObjectReader<'_, '_>) -> Option<T>,
) -> Result<LenientRead<T>, BodyError> {
    let root = node::parse(body).map_err(BodyError::NotJson)?;
    read_object(&root, nulls, take).map_err(BodyError::Invalid)
}

/// Reads a part of a document that must be one object, as [`read`] does with a whole one; paths begin at that object.
///
/// # Errors
/// All that was reported.
pub fn read_node<T>(
    node: &Node<'_>,
    nulls: Nulls,
    take: impl FnOnce(&ObjectReader<'_, '_>) -> Option<T>,
) -> Result<T, Violations> {
    read_object(node, nulls, take).map(|read| read.value)
}

fn read_object<T>(
    node: &Node<'_>,
    nulls: Nulls,
    take: impl FnOnce(&ObjectReader<'_, '_>) -> Option<T>,
) -> Result<LenientRead<T>, Violations> {
    let Node::Object(object) = node else {
        return Err(Violations::from(Violation {
            path: String::new(),
            code: ViolationCode::InvalidType,
            detail: format!("expected an object, found {}", node.kind()),
        }));
    };
    let report = Report::default();
    let value = take(&ObjectReader::new(object, Path::ROOT, nulls, &report));
    let left_out = report.take_left_out();
    report
        .settle(value)
        .map(|value| LenientRead { value, left_out })
}

#[cfg(test)]
mod tests;
