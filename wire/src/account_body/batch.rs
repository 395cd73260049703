//! Bodies of several items: each is read on its own, and one that is wrong refuses all.

use std::str::FromStr;

use crate::body::value::Found;
use crate::domain::violation::{Violation, ViolationCode, Violations};
use crate::json::error::JsonError;
use crate::json::node::{self, Node};
use crate::json::object::{Nulls, ObjectReader};
use crate::json::read_node;
use crate::schema::Schema;
use crate::{body, body_values};

/// The longest `request_id`, in characters.
const REQUEST_ID_MAX: usize = 255;

/// The rejection of a body.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum BatchError {
    /// It is no JSON document, or one beyond the limits.
    #[error("{0}")]
    NotJson(JsonError),
    /// There is nothing in it.
    #[error("Request data can not be empty")]
    Empty,
    /// There are too many items in it.
    #[error("at most {max} {what} fit into one request, this one has {found}")]
    TooMany {
        /// The name of the items.
        what: &'static str,
        /// The number of items that fit.
        max: usize,
        /// The number of entries.
        found: usize,
    },
    /// Items are wrong: all of them, in their order.
    #[error("{} of the items are invalid", .0.len())]
    Wrong(Vec<ItemError>),
}

/// An item, with everything that is wrong with it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ItemError {
    /// The client's id of the item; without one, its place in the body, from 0.
    pub request_id: String,
    /// The mistakes, with paths from the item on.
    pub violations: Violations,
}

impl ItemError {
    /// An item with one wrong field.
    #[must_use]
    pub fn field(request_id: &str, path: &str, code: ViolationCode, detail: String) -> Self {
        let violation = Violation {
            path: path.to_owned(),
            code,
            detail,
        };
        Self {
            request_id: request_id.to_owned(),
            violations: Violations::from(violation),
        }
    }
}

/// Reads a body into its tree.
pub(super) fn parse(body: &[u8]) -> Result<Node<'_>, BatchError> {
    node::parse(body).map_err(BatchError::NotJson)
}

/// The items of a body that is an array of at most `max`.
pub(super) fn items<'n, 'a>(
    root: &'n Node<'a>,
    what: &'static str,
    max: usize,
) -> Result<&'n [Node<'a>], BatchError> {
    let Node::List(items) = root else {
        return Err(wrong_root(root, "an array"));
    };
    match items.len() {
        0 => Err(BatchError::Empty),
        found if found > max => Err(BatchError::TooMany { what, max, found }),
        _ => Ok(items),
    }
}

/// The body as a whole has another type than the wanted one.
pub(super) fn wrong_root(root: &Node<'_>, wanted: &str) -> BatchError {
    let detail = format!("expected {wanted}, found {}", root.kind());
    let code = ViolationCode::InvalidType;
    BatchError::Wrong(vec![ItemError::field("0", "", code, detail)])
}

/// Reads every item, also after one that is wrong.
pub(super) fn read_items<T>(
    items: &[Node<'_>],
    mut take: impl FnMut(&ObjectReader<'_, '_>) -> Option<T>,
) -> Result<Vec<T>, BatchError> {
    let mut values = Vec::with_capacity(items.len());
    let mut wrong = Vec::new();
    for (place, item) in items.iter().enumerate() {
        match read_node(item, Nulls::Refused, &mut take) {
            Ok(value) => values.push(value),
            Err(violations) => wrong.push(ItemError {
                request_id: name_of(item).unwrap_or_else(|| place.to_string()),
                violations,
            }),
        }
    }
    if wrong.is_empty() {
        Ok(values)
    } else {
        Err(BatchError::Wrong(wrong))
    }
}

/// Reads a body that is one object.
pub(super) fn one<T>(
    root: &Node<'_>,
    take: impl FnOnce(&ObjectReader<'_, '_>) -> Option<T>,
) -> Result<T, BatchError> {
    match root {
        Node::Object(object) if object.is_empty() => return Err(BatchError::Empty),
        Node::Object(_) => {}
        Node::Null | Node::Bool(_) | Node::Unsigned(_) | Node::Negative(_) | Node::Float(_) => {
            return Err(wrong_root(root, "an object"));
        }
        Node::Text(_) | Node::List(_) => return Err(wrong_root(root, "an object")),
    }
    read_node(root, Nulls::Refused, take).map_err(|violations| {
        BatchError::Wrong(vec![ItemError {
            request_id: name_of(root).unwrap_or_else(|| "0".to_owned()),
            violations,
        }])
    })
}

/// The client's name for an item, if it can be read.
pub(super) fn name_of(item: &Node<'_>) -> Option<String> {
    let Node::Object(object) = item else {
        return None;
    };
    match object.get("request_id") {
        Some(Node::Text(name)) if name.chars().nth(REQUEST_ID_MAX).is_none() => {
            Some(name.to_string())
        }
        _ => None,
    }
}

body!(
    /// The client's name for an item.
    #[derive(Clone, Debug, PartialEq, Eq)]
    #[body(open)]
    pub struct Called {
        /// Echoed, at most 255 characters; not stored.
        #[body(null)]
        request_id: Option<RequestId>,
    }
);

/// The name of an item in a request.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RequestId(pub String);

body_values! {
    RequestId: Schema::text(), Found::parsed;
}

impl FromStr for RequestId {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        if text.chars().nth(REQUEST_ID_MAX).is_some() {
            return Err(format!("expected at most {REQUEST_ID_MAX} characters"));
        }
        Ok(Self(text.to_owned()))
    }
}

impl Called {
    /// The name, if there is one.
    #[must_use]
    pub fn name(self) -> Option<String> {
        self.request_id.map(|RequestId(name)| name)
    }
}
