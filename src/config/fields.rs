//! Reads the fields of the domain as keys of a section.

use serde_json::Value;
use switchboard_actors::domain::field::{Field, FieldSource, FieldValue, Given, NONE, Shape, When};

use super::kinds::{ValueError, switch, text, whole, words};
use super::reader::Reader;
use super::section::Section;
use super::tree::{self, ConfigNode};

/// A section, and who reports what is wrong with it.
pub(super) struct Fields<'r>(pub(super) &'r mut Reader, pub(super) &'r mut Section);

impl FieldSource for Fields<'_> {
    fn when(&self) -> When {
        When::Declared
    }

    fn take<T: FieldValue>(&mut self, field: &Field) -> Option<T> {
        let Self(reader, section) = self;
        let parse = |node: &ConfigNode| value(node, field);
        match (field.default)() {
            None => {
                let example = match field.shape {
                    Shape::Whole(..) | Shape::Number | Shape::Switch => field.example.to_owned(),
                    Shape::Line(_)
                    | Shape::Text
                    | Shape::Address
                    | Shape::Link
                    | Shape::Words(_)
                    | Shape::Accounts => format!("{:?}", field.example),
                };
                reader.required(section, field.name, &example, parse)
            }
            Some(Value::Null) if field.null_word != NONE => {
                reader.usually(section, field.name, field.null_word.into(), parse)
            }
            Some(default) => reader.usually(section, field.name, default, parse),
        }
    }
}

/// The value of a key. The word for nothing stands for what cannot be left out here: `null`.
fn value<T: FieldValue>(node: &ConfigNode, field: &Field) -> Result<T, ValueError> {
    if field.nullable && matches!(&node.value, tree::Value::Text(text) if text == field.null_word) {
        return T::given(Given::Null).map_err(|why| ValueError::new("is not valid", why));
    }
    let texts;
    let value = match field.shape {
        Shape::Line(_) | Shape::Text | Shape::Address | Shape::Link | Shape::Words(_) => {
            Given::Text(text(node)?)
        }
        Shape::Switch => Given::Switch(switch(node)?),
        Shape::Whole(least, most) => Given::Whole(whole(least..=most)(node)?),
        Shape::Number => Given::Whole(whole(1..=i64::MAX)(node)?),
        Shape::Accounts => {
            texts = words(node)?;
            Given::Texts(&texts)
        }
    };
    T::given(value).map_err(|why| {
        let or_nothing = match field.shape {
            Shape::Words(_) if field.nullable => {
                format!(", or \"{}\" {}", field.null_word, field.nothing)
            }
            Shape::Words(_) | Shape::Line(_) | Shape::Text => String::new(),
            Shape::Address | Shape::Link => String::new(),
            Shape::Switch | Shape::Whole(..) | Shape::Number | Shape::Accounts => String::new(),
        };
        ValueError::new("is not valid", format!("{why}{or_nothing}"))
    })
}
