//! Bodies of several items in every form that clients of the counterpart send: an array, an object whose keys number the
//! items (`{"0": {…}}`), and a single item as it is. One item that is wrong refuses all.

use std::collections::BTreeSet;

use crate::account_body::batch::{self, BatchError, Called, ItemError};
use crate::body;
use crate::body::Body;
use crate::body::value::Number;
use crate::domain::violation::ViolationCode;
use crate::json::node::Node;
use crate::json::object::{Nulls, ObjectReader};
use crate::json::read_node;
use crate::schema::{Field, Schema};

/// The number of leads or contacts that one request adds, or changes.
pub const ENTRIES_MAX: usize = 250;

/// An item with its name.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Item<T> {
    /// The client's id of the item: its `request_id`, else its key or its place in the body, from 0.
    pub request_id: String,
    /// The value of the item.
    pub value: T,
}

/// The items of a body, in their order.
pub(super) struct Items<'n, 'a>(Vec<(String, &'n Node<'a>)>);

impl<'n, 'a> Items<'n, 'a> {
    /// The items of a body, at most `max`.
    pub(super) fn new(
        root: &'n Node<'a>,
        what: &'static str,
        max: usize,
    ) -> Result<Self, BatchError> {
        let items: Vec<(String, &Node<'_>)> = match root {
            Node::List(items) => {
                let places = (0_usize..).map(|place| place.to_string());
                places.zip(items).collect()
            }
            Node::Object(object) => {
                let is_number = |key: &str| key.bytes().all(|byte| byte.is_ascii_digit());
                if object.keys().all(is_number) {
                    let keys = object.keys();
                    keys.filter_map(|key| Some((key.to_owned(), object.get(key)?)))
                        .collect()
                } else {
                    vec![("0".to_owned(), root)]
                }
            }
            Node::Null
            | Node::Bool(_)
            | Node::Unsigned(_)
            | Node::Negative(_)
            | Node::Float(_)
            | Node::Text(_) => return Err(batch::wrong_root(root, "an array or an object")),
        };
        match items.len() {
            0 => Err(BatchError::Empty),
            found if found > max => Err(BatchError::TooMany { what, max, found }),
            _ => Ok(Self(items)),
        }
    }

    /// Reads every item, also after one that is wrong.
    pub(super) fn read<T>(
        &self,
        mut take: impl FnMut(&ObjectReader<'_, '_>) -> Option<T>,
    ) -> Result<Vec<Item<T>>, BatchError> {
        let mut values = Vec::with_capacity(self.0.len());
        let mut wrong = Vec::new();
        for (key, node) in &self.0 {
            let read = read_node(node, Nulls::Absent, |item| {
                let item_name = Called::take(item);
                let value = take(item);
                Some((item_name?.name(), value?))
            });
            match read {
                Ok((name, value)) => values.push(Item {
                    request_id: name.unwrap_or_else(|| key.clone()),
                    value,
                }),
                Err(violations) => wrong.push(ItemError {
                    request_id: batch::name_of(node).unwrap_or_else(|| key.clone()),
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

    /// The items themselves.
    pub(super) fn nodes(&self) -> impl Iterator<Item = &'n Node<'a>> {
        self.0.iter().map(|(_, node)| *node)
    }
}

body!(
    /// The number of what an item changes or deletes.
    #[derive(Clone, Copy, Debug, PartialEq, Eq)]
    #[body(open)]
    pub struct WithId {
        id: Number,
    }
);

/// Finds the entry that an item names by its `id`, and reports one that there is not. `find` returns one that the caller may
/// see.
pub(super) fn named<T>(
    item: &ObjectReader<'_, '_>,
    kind: &str,
    find: impl FnOnce(u64) -> Option<T>,
) -> Option<T> {
    let entry = find(WithId::take(item)?.id.0);
    if entry.is_none() {
        let detail = format!("expected the id of a {kind} of this account that you may see");
        item.reject("id", ViolationCode::NotSupportedChoice, detail);
    }
    entry
}

/// Reports an item that names in its `field` what an earlier item names.
pub(super) fn once<T: Ord>(
    item: &ObjectReader<'_, '_>,
    field: &str,
    kind: &str,
    id: T,
    seen: &mut BTreeSet<T>,
) {
    if !seen.insert(id) {
        let detail = format!("the {kind} is named twice");
        item.reject(field, ViolationCode::InvalidValue, detail);
    }
}

/// The schema of a body of several items: at most `max`, each with these fields, others ignored.
#[must_use]
pub fn schema(fields: impl IntoIterator<Item = Field>, max: usize) -> Schema {
    Schema::few(Schema::object(fields).open(), 1, max)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(body: &str) -> Result<Vec<(String, i64)>, BatchError> {
        let root = batch::parse(body.as_bytes())?;
        let items = Items::new(&root, "things", 2)?;
        let read = items.read(|item| item.required_integer("n", 1..=9))?;
        Ok(read
            .into_iter()
            .map(|item| (item.request_id, item.value))
            .collect())
    }

    fn named(name: &str, number: i64) -> (String, i64) {
        (name.to_owned(), number)
    }

    #[test]
    fn an_array_a_keyed_object_and_a_single_item_are_read_alike() {
        let two = vec![named("0", 1), named("b", 2)];
        assert_eq!(read(r#"[{"n":1},{"n":2,"request_id":"b"}]"#), Ok(two));
        let keyed = vec![named("3", 1), named("4", 2)];
        assert_eq!(read(r#"{"3":{"n":1},"4":{"n":2}}"#), Ok(keyed));
        assert_eq!(read(r#"{"n":5}"#), Ok(vec![named("0", 5)]));
    }

    #[test]
    fn every_wrong_item_is_named_as_the_client_names_it() {
        for (body, names) in [
            (r#"[{"n":0},7]"#, vec!["0", "1"]),
            (
                r#"{"5":{"n":0},"6":{"n":0,"request_id":"x"}}"#,
                vec!["5", "x"],
            ),
            (r#"{"m":1}"#, vec!["0"]),
            ("7", vec!["0"]),
        ] {
            let Err(BatchError::Wrong(wrong)) = read(body) else {
                panic!("{body} was taken");
            };
            let request_ids: Vec<_> = wrong.iter().map(|item| item.request_id.as_str()).collect();
            assert_eq!(request_ids, names, "{body}");
        }
    }

    #[test]
    fn nothing_and_too_much_are_refused() {
        assert_eq!(read("[]"), Err(BatchError::Empty));
        assert_eq!(read("{}"), Err(BatchError::Empty));
        let three = read(r#"[{"n":1},{"n":1},{"n":1}]"#);
        assert!(matches!(three, Err(BatchError::TooMany { max: 2, .. })));
        let long = format!(r#"[{{"n":1,"request_id":"{}"}}]"#, "x".repeat(256));
        assert!(matches!(read(&long), Err(BatchError::Wrong(_))));
    }
}
