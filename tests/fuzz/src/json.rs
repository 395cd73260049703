//! The reader of JSON documents, against that of serde: what it takes means the same there, and what it refuses is either
//! no JSON there or beyond a limit that only ours has.

use serde_json::Value;
use switchboard_actors::wire::json::node::{self, Node};

/// The faults that our reader refuses and serde accepts.
const OUR_LIMITS: [&str; 4] = [
    "byte order mark",
    "levels of nesting",
    "values",
    "is given twice",
];

/// Reads the bytes as a document.
pub fn check(data: &[u8]) {
    let theirs = serde_json::from_slice::<Value>(data);
    match (node::parse(data), theirs) {
        (Ok(ours), theirs) => assert_eq!(value(&ours), theirs.unwrap()),
        (Err(error), theirs) => {
            let lines = data.split(|byte| *byte == b'\n').count();
            match error.place {
                Some((line, column)) => {
                    assert!((1..=lines).contains(&line), "{error}");
                    assert!(column >= 1, "{error}");
                }
                None => assert!(data.trim_ascii().is_empty(), "{error}"),
            }
            let ours_only = OUR_LIMITS.iter().any(|limit| error.reason.contains(limit));
            assert!(theirs.is_err() || ours_only, "{error}");
        }
    }
}

fn value(node: &Node<'_>) -> Value {
    match node {
        Node::Null => Value::Null,
        Node::Bool(value) => (*value).into(),
        Node::Unsigned(value) => (*value).into(),
        Node::Negative(value) => (*value).into(),
        Node::Float(value) => (*value).into(),
        Node::Text(text) => text.as_ref().into(),
        Node::List(items) => items.iter().map(value).collect(),
        Node::Object(object) => object
            .keys()
            .map(|key| (key.to_owned(), value(object.get(key).unwrap())))
            .collect(),
    }
}
