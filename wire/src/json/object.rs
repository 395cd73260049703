//! Takes typed fields out of objects and reports every one that is missing or wrong.

mod choices;
mod list;

use std::fmt::Display;
use std::ops::RangeInclusive;
use std::str::FromStr;

use crate::domain::violation::ViolationCode;
use crate::json::node::{Node, Object};
use crate::json::path::{Path, Report};
use crate::json::value::{as_number, item_of};

pub use self::list::ListReader;
pub use crate::json::value::JsonType;

/// The meaning of a field of `null`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Nulls {
    /// A value of the wrong type.
    Refused,
    /// The same as no field at all.
    Absent,
}

/// The message about a required field that is missing.
pub const MISSING: &str = "this field is missing";

/// Reads one object.
///
/// Each method reads one field. A `required_*` method reports a missing field, an `optional_*` method does not; both
/// report a field that is there and wrong. They return `None` then: the caller goes on to the next field, and the
/// report decides in the end.
#[derive(Clone, Copy)]
pub struct ObjectReader<'r, 'a> {
    object: &'r Object<'a>,
    path: Path<'r>,
    nulls: Nulls,
    report: &'r Report,
}

impl<'r, 'a> ObjectReader<'r, 'a> {
    /// A reader of `object`, which is found at `path`.
    #[must_use]
    pub fn new(object: &'r Object<'a>, path: Path<'r>, nulls: Nulls, report: &'r Report) -> Self {
        Self {
            object,
            path,
            nulls,
            report,
        }
    }

    /// The same reader with another meaning of `null`, for the fields where it differs.
    #[must_use]
    pub fn with_nulls(self, nulls: Nulls) -> Self {
        Self { nulls, ..self }
    }

    /// The field as it is, `null` included, without any check.
    #[must_use]
    pub fn raw(&self, name: &str) -> Option<&'r Node<'a>> {
        self.object.get(name)
    }

    /// Returns whether the field is null.
    #[must_use]
    pub fn is_null(&self, name: &str) -> bool {
        self.raw(name) == Some(&Node::Null)
    }

    /// Returns whether the field is there.
    #[must_use]
    pub fn has(&self, name: &str) -> bool {
        self.find(name).is_some()
    }

    /// The names of all fields.
    pub fn keys(&self) -> impl Iterator<Item = &'r str> {
        let object: &'r Object<'a> = self.object;
        object.keys()
    }

    /// Reports the field `name` in words of the caller's own.
    pub fn reject(&self, name: &str, code: ViolationCode, detail: String) {
        self.report.add(&self.path.key(name), code, detail);
    }

    /// Reports every field that is none of `known`.
    pub fn refuse_unknown(&self, known: &[&str]) {
        self.refuse_unknown_but(known, &[]);
    }

    /// Reports every field that is none of `known`, but for those that were reported already.
    pub fn refuse_unknown_but(&self, known: &[&str], reported: &[&str]) {
        let others = self.object.keys();
        for key in others.filter(|key| !known.contains(key) && !reported.contains(key)) {
            let detail = format!("unknown key, expected only {}", known.join(", "));
            self.reject(key, ViolationCode::InvalidValue, detail);
        }
    }

    /// A string that must be there.
    pub fn required_string(&self, name: &str) -> Option<&'r str> {
        let node = self.required(name)?;
        self.text(name, node)
    }

    /// A string that may be there.
    pub fn optional_string(&self, name: &str) -> Option<&'r str> {
        self.text(name, self.find(name)?)
    }

    /// A string that must be there and be a `T`.
    pub fn required_parsed<T: FromStr<Err: Display>>(&self, name: &str) -> Option<T> {
        self.parsed(name, self.required_string(name)?)
    }

    /// A string that may be there and then must be a `T`.
    pub fn optional_parsed<T: FromStr<Err: Display>>(&self, name: &str) -> Option<T> {
        self.parsed(name, self.optional_string(name)?)
    }

    /// A string that may be there and then must be a `T`; the empty string stands for none.
    pub fn optional_unless_empty<T: FromStr<Err: Display>>(&self, name: &str) -> Option<T> {
        match self.optional_string(name)? {
            "" => None,
            text => self.parsed(name, text),
        }
    }

    /// A string that may be there. What is no `T`, even without the blanks around it, is left out, and that is noted; blanks
    /// alone stand for none.
    pub fn optional_or_left_out<T: FromStr<Err: Display>>(&self, name: &str) -> Option<T> {
        let text = self.optional_string(name)?;
        if text.trim().is_empty() {
            return None;
        }
        match text.parse().or_else(|_as_it_is| text.trim().parse()) {
            Ok(value) => Some(value),
            Err(error) => {
                self.note_left_out(name, format!("left out: {error}"));
                None
            }
        }
    }

    /// The object in a field whose form was checked: one of another form is not reported again.
    pub fn inner<'s>(&'s self, name: &'s str) -> Option<ObjectReader<'s, 'a>> {
        let node = self.find(name)?;
        matches!(node, Node::Object(_)).then(|| self.object(name, node))?
    }

    /// Notes what was not taken over of the field `name`.
    pub fn note_left_out(&self, name: &str, detail: String) {
        self.report.leave_out(&self.path.key(name), detail);
    }

    /// A string that must be there and be one of `choices`.
    pub fn required_choice<T: Copy>(&self, name: &str, choices: &[(&str, T)]) -> Option<T> {
        self.choice(name, self.required_string(name)?, choices)
    }

    /// A string that may be there and then must be one of `choices`.
    pub fn optional_choice<T: Copy>(&self, name: &str, choices: &[(&str, T)]) -> Option<T> {
        self.choice(name, self.optional_string(name)?, choices)
    }

    /// A whole number that must be there and lie in `range`.
    pub fn required_integer(&self, name: &str, range: RangeInclusive<i64>) -> Option<i64> {
        let node = self.required(name)?;
        self.integer(name, node, &range)
    }

    /// A whole number that may be there and then must lie in `range`.
    pub fn optional_integer(&self, name: &str, range: RangeInclusive<i64>) -> Option<i64> {
        self.integer(name, self.find(name)?, &range)
    }

    /// One of a few numbers that must be there, as what it stands for.
    pub fn required_numbered<T: Copy>(&self, name: &str, choices: &[(i64, T)]) -> Option<T> {
        let node = self.required(name)?;
        let numbers: Vec<String> = choices.iter().map(|(it, _)| it.to_string()).collect();
        let numbers_text = numbers.join(", ");
        let number = match node {
            Node::Unsigned(number) => i64::try_from(*number).ok(),
            Node::Negative(number) => Some(*number),
            Node::Null
            | Node::Bool(_)
            | Node::Float(_)
            | Node::Text(_)
            | Node::List(_)
            | Node::Object(_) => {
                return self.wrong_type(name, &format!("one of the numbers {numbers_text}"), node);
            }
        };
        let choice = choices.iter().find(|(it, _)| Some(*it) == number);
        if choice.is_none() {
            let detail = format!("expected one of the numbers {numbers_text}");
            self.reject(name, ViolationCode::NotSupportedChoice, detail);
        }
        choice.map(|(_, value)| *value)
    }

    /// A number, whole or not, that must be there and lie in `range`.
    pub fn required_number(&self, name: &str, range: RangeInclusive<f64>) -> Option<f64> {
        let node = self.required(name)?;
        self.number(name, node, &range)
    }

    /// A number, whole or not, that may be there and then must lie in `range`.
    pub fn optional_number(&self, name: &str, range: RangeInclusive<f64>) -> Option<f64> {
        self.number(name, self.find(name)?, &range)
    }

    fn number(&self, name: &str, node: &Node<'_>, range: &RangeInclusive<f64>) -> Option<f64> {
        let Some(number) = as_number(node) else {
            return self.wrong_type(name, "a number", node);
        };
        if range.contains(&number) {
            return Some(number);
        }
        let detail = format!(
            "expected a number from {} to {}",
            range.start(),
            range.end()
        );
        self.reject(name, ViolationCode::InvalidValue, detail);
        None
    }

    /// A boolean that may be there.
    pub fn optional_bool(&self, name: &str) -> Option<bool> {
        self.boolean(name, self.find(name)?)
    }

    /// An object that must be there.
    pub fn required_object<'s>(&'s self, name: &'s str) -> Option<ObjectReader<'s, 'a>> {
        let node = self.required(name)?;
        self.object(name, node)
    }

    /// An object that may be there.
    pub fn optional_object<'s>(&'s self, name: &'s str) -> Option<ObjectReader<'s, 'a>> {
        self.object(name, self.find(name)?)
    }

    /// An array of objects that must be there.
    pub fn required_list<'s>(&'s self, name: &'s str) -> Option<ListReader<'s, 'a>> {
        let node = self.required(name)?;
        self.list(name, node)
    }

    /// An array of objects that may be there.
    pub fn optional_list<'s>(&'s self, name: &'s str) -> Option<ListReader<'s, 'a>> {
        self.list(name, self.find(name)?)
    }

    /// An array of strings that may be there; each of them must be a `T`.
    pub fn optional_parsed_list<T: FromStr<Err: Display>>(&self, name: &str) -> Option<Vec<T>> {
        let node = self.find(name)?;
        self.items(name, node, item_of)
    }

    /// The numbers of an array, each of something.
    pub fn numbers(&self, name: &str, node: &Node<'_>) -> Option<Vec<u64>> {
        self.items(name, node, |item| {
            if let Node::Unsigned(number) = item
                && (1..=u64::MAX / 2).contains(number)
            {
                return Ok(*number);
            }
            let detail = format!("expected the number of something, found {}", item.kind());
            Err((ViolationCode::InvalidType, detail))
        })
    }

    /// The result of `read` for each item of an array. What is wrong with an item is reported at its place.
    fn items<T>(
        &self,
        name: &str,
        node: &Node<'_>,
        read: impl Fn(&Node<'_>) -> Result<T, (ViolationCode, String)>,
    ) -> Option<Vec<T>> {
        let Node::List(items) = node else {
            return self.wrong_type(name, "an array", node);
        };
        let list = self.path.key(name);
        let values: Vec<Option<T>> = items
            .iter()
            .enumerate()
            .map(|(index, item)| {
                read(item)
                    .map_err(|(code, detail)| self.report.add(&list.item(index), code, detail))
                    .ok()
            })
            .collect();
        values.into_iter().collect()
    }

    /// Only checks the type of a field that may be there and whose value does not matter.
    pub fn check_shape(&self, name: &str, shape: JsonType) {
        let Some(node) = self.find(name) else { return };
        let (fits, wanted) = match shape {
            JsonType::Text => (matches!(node, Node::Text(_)), "a string"),
            JsonType::Integer => (
                matches!(node, Node::Unsigned(_) | Node::Negative(_)),
                "a whole number",
            ),
            JsonType::Number => (as_number(node).is_some(), "a number"),
            JsonType::Object => (matches!(node, Node::Object(_)), "an object"),
        };
        if !fits {
            self.wrong_type::<()>(name, wanted, node);
        }
    }

    /// The field, if something is given.
    pub fn find(&self, name: &str) -> Option<&'r Node<'a>> {
        match self.object.get(name) {
            Some(Node::Null) if self.nulls == Nulls::Absent => None,
            found => found,
        }
    }

    /// The field that must be there; reports it when nothing is given.
    pub fn required(&self, name: &str) -> Option<&'r Node<'a>> {
        let node = self.find(name);
        if node.is_none() {
            self.reject(name, ViolationCode::FieldMissing, MISSING.to_owned());
        }
        node
    }

    fn wrong_type<T>(&self, name: &str, wanted: &str, found: &Node<'_>) -> Option<T> {
        let detail = format!("expected {wanted}, found {}", found.kind());
        self.reject(name, ViolationCode::InvalidType, detail);
        None
    }

    /// The string in the field `name`.
    pub fn text(&self, name: &str, node: &'r Node<'a>) -> Option<&'r str> {
        let Node::Text(text) = node else {
            return self.wrong_type(name, "a string", node);
        };
        Some(text)
    }

    /// The boolean in the field `name`.
    pub fn boolean(&self, name: &str, node: &Node<'_>) -> Option<bool> {
        let Node::Bool(value) = node else {
            return self.wrong_type(name, "true or false", node);
        };
        Some(*value)
    }

    /// Parses a string of the field `name`.
    pub fn parsed<T: FromStr<Err: Display>>(&self, name: &str, text: &str) -> Option<T> {
        match text.parse() {
            Ok(value) => Some(value),
            Err(error) => {
                self.reject(name, ViolationCode::InvalidValue, error.to_string());
                None
            }
        }
    }

    /// The whole number in the field `name`, within `range`.
    pub fn integer(&self, name: &str, node: &Node<'_>, range: &RangeInclusive<i64>) -> Option<i64> {
        let number = match node {
            Node::Unsigned(number) => i64::try_from(*number).ok(),
            Node::Negative(number) => Some(*number),
            Node::Null | Node::Bool(_) | Node::Float(_) => return self.not_whole(name, node),
            Node::Text(_) | Node::List(_) | Node::Object(_) => return self.not_whole(name, node),
        };
        let inside = number.filter(|number| range.contains(number));
        if inside.is_none() {
            let detail = format!(
                "expected a whole number from {} to {}",
                range.start(),
                range.end()
            );
            self.reject(name, ViolationCode::InvalidValue, detail);
        }
        inside
    }

    fn not_whole(&self, name: &str, found: &Node<'_>) -> Option<i64> {
        self.wrong_type(name, "a whole number", found)
    }

    /// The object in the field `name`.
    pub fn object<'s>(&'s self, name: &'s str, node: &'s Node<'a>) -> Option<ObjectReader<'s, 'a>> {
        let Node::Object(object) = node else {
            return self.wrong_type(name, "an object", node);
        };
        let path = self.path.key(name);
        Some(ObjectReader::new(object, path, self.nulls, self.report))
    }

    /// The array of objects in the field `name`.
    pub fn list<'s>(&'s self, name: &'s str, node: &'s Node<'a>) -> Option<ListReader<'s, 'a>> {
        let Node::List(items) = node else {
            return self.wrong_type(name, "an array", node);
        };
        Some(ListReader {
            items,
            path: self.path.key(name),
            nulls: self.nulls,
            report: self.report,
        })
    }
}
