//! The tree of a document, borrowed from its bytes, and how bytes become one.

use std::borrow::Cow;
use std::collections::BTreeSet;
use std::fmt;

use serde::de::{DeserializeSeed, Deserializer, Error, MapAccess, SeqAccess, Visitor};

use crate::json::error::JsonError;
use crate::json::path::{push_key, push_step};

/// The depth to which arrays and objects may be nested, the outermost one included.
pub const DEPTH_MAX: usize = 16;
/// The number of values that a document may hold, arrays and objects and the values in them all counted.
pub const NODES_MAX: usize = 10_000;

/// One value of a document.
#[derive(Clone, Debug, PartialEq)]
pub enum Node<'a> {
    /// `null`.
    Null,
    /// `true` or `false`.
    Bool(bool),
    /// A whole number from 0, written without fraction and exponent.
    Unsigned(u64),
    /// A whole number below 0, written without fraction and exponent.
    Negative(i64),
    /// Any other number: with a fraction, an exponent, or beyond 64 bits.
    Float(f64),
    /// A string; borrowed unless it holds escapes.
    Text(Cow<'a, str>),
    /// An array.
    List(Vec<Node<'a>>),
    /// An object.
    Object(Object<'a>),
}

impl Node<'_> {
    /// The kind of the value, for people: «a string».
    #[must_use]
    pub fn kind(&self) -> &'static str {
        match self {
            Self::Null => "null",
            Self::Bool(true) => "true",
            Self::Bool(false) => "false",
            Self::Unsigned(_) | Self::Negative(_) => "a whole number",
            Self::Float(_) => "a number that is not whole",
            Self::Text(_) => "a string",
            Self::List(_) => "an array",
            Self::Object(_) => "an object",
        }
    }
}

/// The fields of an object, in their order, each key once.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Object<'a> {
    fields: Vec<(Cow<'a, str>, Node<'a>)>,
}

impl<'a> Object<'a> {
    /// The value of the field `key`. Looks through the fields: our objects have few.
    #[must_use]
    pub fn get(&self, key: &str) -> Option<&Node<'a>> {
        self.fields
            .iter()
            .find_map(|(name, node)| (name == key).then_some(node))
    }

    /// The keys, in their order.
    pub fn keys(&self) -> impl Iterator<Item = &str> {
        self.fields.iter().map(|(key, _)| key.as_ref())
    }

    /// Returns whether there are no fields.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.fields.is_empty()
    }
}

/// Reads a document.
///
/// # Errors
/// Input that is not UTF-8 or not JSON, begins with a byte order mark, goes on after its value, names a key twice in
/// one object, or is beyond [`DEPTH_MAX`] or [`NODES_MAX`], also in parts that no caller will read.
pub fn parse(bytes: &[u8]) -> Result<Node<'_>, JsonError> {
    let text = match std::str::from_utf8(bytes) {
        Ok(text) => text,
        Err(error) => {
            let offset = error.valid_up_to();
            return Err(JsonError::at(bytes, offset, "expected text in UTF-8"));
        }
    };
    if text.trim_ascii().is_empty() {
        return Err(JsonError::empty());
    }
    if text.starts_with('\u{feff}') {
        return Err(JsonError::at(bytes, 0, "expected no byte order mark"));
    }
    let mut reading = Reading::default();
    let mut parser = serde_json::Deserializer::from_str(text);
    let root = NodeSeed(&mut reading).deserialize(&mut parser);
    root.and_then(|root| parser.end().map(|()| root))
        .map_err(|error| JsonError::translated(&error, reading.failure.map(NodeError::reason)))
}

/// The state of reading a document.
#[derive(Default)]
struct Reading {
    depth: usize,
    nodes: usize,
    failure: Option<NodeError>,
}

impl Reading {
    /// Notes what our own rules refuse and gives the error that stops the parser.
    fn refuse<E: Error>(&mut self, what: NodeLimitError) -> E {
        self.failure = Some(NodeError {
            what,
            steps: Vec::new(),
        });
        E::custom("")
    }

    fn enter<E: Error>(&mut self) -> Result<(), E> {
        self.depth += 1;
        if self.depth > DEPTH_MAX {
            return Err(self.refuse(NodeLimitError::Depth));
        }
        Ok(())
    }

    fn count<E: Error>(&mut self) -> Result<(), E> {
        self.nodes += 1;
        if self.nodes > NODES_MAX {
            return Err(self.refuse(NodeLimitError::Size));
        }
        Ok(())
    }

    /// On the way out of a failure: the innermost step of its path comes first.
    fn left_through(&mut self, step: impl FnOnce() -> String) {
        if let Some(failure) = &mut self.failure {
            failure.steps.push(step());
        }
    }
}

enum NodeLimitError {
    Depth,
    Size,
    Duplicate,
}

struct NodeError {
    what: NodeLimitError,
    steps: Vec<String>,
}

impl NodeError {
    fn reason(self) -> String {
        let mut path = String::new();
        for step in self.steps.iter().rev() {
            push_step(&mut path, step);
        }
        match self.what {
            NodeLimitError::Depth => format!("expected at most {DEPTH_MAX} levels of nesting"),
            NodeLimitError::Size => format!("expected at most {NODES_MAX} values"),
            NodeLimitError::Duplicate => format!("the key {path} is given twice"),
        }
    }
}

struct NodeSeed<'r>(&'r mut Reading);

impl<'a> DeserializeSeed<'a> for NodeSeed<'_> {
    type Value = Node<'a>;

    fn deserialize<D: Deserializer<'a>>(self, parser: D) -> Result<Node<'a>, D::Error> {
        self.0.count()?;
        parser.deserialize_any(self)
    }
}

impl<'a> Visitor<'a> for NodeSeed<'_> {
    type Value = Node<'a>;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a value")
    }

    fn visit_unit<E>(self) -> Result<Node<'a>, E> {
        Ok(Node::Null)
    }

    fn visit_bool<E>(self, value: bool) -> Result<Node<'a>, E> {
        Ok(Node::Bool(value))
    }

    fn visit_u64<E>(self, value: u64) -> Result<Node<'a>, E> {
        Ok(Node::Unsigned(value))
    }

    fn visit_i64<E>(self, value: i64) -> Result<Node<'a>, E> {
        Ok(Node::Negative(value))
    }

    fn visit_f64<E>(self, value: f64) -> Result<Node<'a>, E> {
        Ok(Node::Float(value))
    }

    fn visit_borrowed_str<E>(self, value: &'a str) -> Result<Node<'a>, E> {
        Ok(Node::Text(Cow::Borrowed(value)))
    }

    fn visit_str<E>(self, value: &str) -> Result<Node<'a>, E> {
        Ok(Node::Text(Cow::Owned(value.to_owned())))
    }

    fn visit_seq<A: SeqAccess<'a>>(self, mut list: A) -> Result<Node<'a>, A::Error> {
        let reading = self.0;
        reading.enter()?;
        let mut items = Vec::new();
        loop {
            match list.next_element_seed(NodeSeed(reading)) {
                Ok(Some(item)) => items.push(item),
                Ok(None) => break,
                Err(error) => {
                    reading.left_through(|| items.len().to_string());
                    return Err(error);
                }
            }
        }
        reading.depth -= 1;
        Ok(Node::List(items))
    }

    fn visit_map<A: MapAccess<'a>>(self, mut map: A) -> Result<Node<'a>, A::Error> {
        let reading = self.0;
        reading.enter()?;
        let mut fields = Vec::with_capacity(8);
        let mut keys = SeenKeys::default();
        while let Some(key) = map.next_key_seed(KeySeed)? {
            if !keys.is_new(&key, &fields) {
                let duplicate = reading.refuse(NodeLimitError::Duplicate);
                reading.left_through(|| key_step(&key));
                return Err(duplicate);
            }
            match map.next_value_seed(NodeSeed(reading)) {
                Ok(value) => fields.push((key, value)),
                Err(error) => {
                    reading.left_through(|| key_step(&key));
                    return Err(error);
                }
            }
        }
        reading.depth -= 1;
        Ok(Node::Object(Object { fields }))
    }
}

fn key_step(key: &str) -> String {
    let mut step = String::new();
    push_key(&mut step, key);
    step
}

/// Detects repeated keys. Small objects are searched, large ones get an ordered set, so that the work stays in
/// proportion to the body whatever the keys are.
#[derive(Default)]
struct SeenKeys {
    many: BTreeSet<Box<str>>,
}

impl SeenKeys {
    const FEW: usize = 16;

    fn is_new(&mut self, key: &str, fields: &[(Cow<'_, str>, Node<'_>)]) -> bool {
        if fields.len() < Self::FEW {
            return fields.iter().all(|(name, _)| name != key);
        }
        if self.many.is_empty() {
            self.many = fields
                .iter()
                .map(|(name, _)| name.as_ref().into())
                .collect();
        }
        self.many.insert(key.into())
    }
}

struct KeySeed;

impl<'a> DeserializeSeed<'a> for KeySeed {
    type Value = Cow<'a, str>;

    fn deserialize<D: Deserializer<'a>>(self, parser: D) -> Result<Cow<'a, str>, D::Error> {
        parser.deserialize_str(self)
    }
}

impl<'a> Visitor<'a> for KeySeed {
    type Value = Cow<'a, str>;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a key")
    }

    fn visit_borrowed_str<E>(self, key: &'a str) -> Result<Cow<'a, str>, E> {
        Ok(Cow::Borrowed(key))
    }

    fn visit_str<E>(self, key: &str) -> Result<Cow<'a, str>, E> {
        Ok(Cow::Owned(key.to_owned()))
    }
}
