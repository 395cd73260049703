//! Fields that an operator or the configuration sets: each is declared once, with the sentence that describes it.
//!
//! From a declaration by `fields!` follow what is stored, what a change may hold, how a change is made, what the
//! audit log says of it, and [`Field`]: what other layers read bodies, options and configuration keys by, and describe
//! them with. `given!` declares the fields of what is stored in a form of its own.

mod declare;

use serde::Serialize;
use serde_json::Value;

use crate::audit::AuditEntry;
pub(crate) use crate::field::declare::{fields, given, number_fields, text_fields};

/// The value for a field, whatever source it is read from.
#[derive(Clone, Copy, Debug)]
pub enum Given<'a> {
    /// Nothing is to be there.
    Null,
    /// Text.
    Text(&'a str),
    /// True or false.
    Switch(bool),
    /// A whole number.
    Whole(i64),
    /// Several texts.
    Texts(&'a [&'a str]),
}

/// The form of a value.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Shape {
    /// Text of one line, of 1 to so many characters.
    Line(u32),
    /// Text with a rule of its own.
    Text,
    /// An address that callbacks go to.
    Address,
    /// An address that browsers open; the service sends nothing there.
    Link,
    /// One of these words.
    Words(&'static [&'static str]),
    /// True or false.
    Switch,
    /// A whole number from the first to the second.
    Whole(i64, i64),
    /// The number of something, from 1.
    Number,
    /// The ids of accounts, or `*` alone for all.
    Accounts,
}

/// The occasions on which a field can be set.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum When {
    /// The configuration declares it.
    Declared,
    /// It is new.
    New,
    /// A change of what is there already.
    Update,
}

/// The types that can be the value of a field.
pub trait FieldValue: Serialize + Sized {
    /// Its form.
    const SHAPE: Shape;
    /// True when the value may be null.
    const NULLABLE: bool = false;

    /// The value that is given.
    ///
    /// # Errors
    /// What to give instead.
    fn given(given: Given<'_>) -> Result<Self, String>;

    /// The value as a body holds it.
    fn shown(&self) -> Value {
        serde_json::to_value(self).unwrap_or_default()
    }

    /// The value as the audit log holds it.
    fn audited(&self) -> Value {
        self.shown()
    }
}

/// The description of a field.
#[derive(Clone, Copy, Debug)]
pub struct Field {
    /// Its name in bodies and as a key of the configuration.
    pub name: &'static str,
    /// The meaning of the field, a sentence.
    pub description: &'static str,
    /// A value that it may have; empty when it need not be given.
    pub example: &'static str,
    /// The meaning of null; empty when the field always has a value.
    pub nothing: &'static str,
    /// The word in place of `null`, where there is none, as on the command line.
    pub null_word: &'static str,
    /// The form of its values.
    pub shape: Shape,
    /// True when the value may be null.
    pub nullable: bool,
    /// The occasions on which it can be set.
    pub when: &'static [When],
    /// The default; `None` when the field is required.
    pub default: fn() -> Option<Value>,
    /// The value that is given, as a body holds it.
    pub read: fn(Given<'_>) -> Result<Value, String>,
}

impl Field {
    /// A field of values of this type that is never empty.
    #[must_use]
    pub const fn new<T: FieldValue>(
        name: &'static str,
        description: &'static str,
        default: fn() -> Option<Value>,
    ) -> Self {
        Self {
            name,
            description,
            example: "",
            nothing: "",
            null_word: NONE,
            shape: T::SHAPE,
            nullable: T::NULLABLE,
            when: &[When::Declared, When::New, When::Update],
            default,
            read: |given| T::given(given).map(|value| value.shown()),
        }
    }

    /// Returns whether the field is required.
    #[must_use]
    pub fn is_needed(&self) -> bool {
        (self.default)().is_none()
    }
}

/// The types with fields.
pub trait HasFields {
    /// The descriptions of the fields.
    const FIELDS: &'static [Field];

    /// Their values as the audit log holds them, in the order of [`Self::FIELDS`].
    fn audited(&self) -> Vec<Value>;
}

/// The fields that can be given at a time.
pub fn given_when<T: HasFields>(when: When) -> impl Iterator<Item = &'static Field> {
    T::FIELDS
        .iter()
        .filter(move |field| field.when.contains(&when))
}

/// Notes every field that is different; `None` is before there was anything.
#[must_use]
pub(crate) fn audited<T: HasFields>(
    before: Option<&T>,
    after: &T,
    audit: AuditEntry,
) -> AuditEntry {
    let mut before = before.map(|before| before.audited().into_iter());
    let fields = T::FIELDS.iter().zip(after.audited());
    fields.fold(audit, |audit, (field, after)| {
        let before = before.as_mut().and_then(Iterator::next);
        audit.change(field.name, before.unwrap_or_default(), after)
    })
}

/// A source of fields.
pub trait FieldSource {
    /// Returns the occasion.
    fn when(&self) -> When;

    /// Returns the value for this field; `None` when there is none, or when it is wrong, which the source then reports.
    fn take<T: FieldValue>(&mut self, field: &Field) -> Option<T>;
}

/// A value that is made of fields.
pub trait FromFields: Sized {
    /// The thing that has these fields.
    type Of: HasFields;

    /// Reads the fields; `None` when one is missing that has to be given, which the source then reports.
    fn from_fields(source: &mut impl FieldSource) -> Option<Self>;
}

/// The word for nothing, unless a field has one of its own.
pub const NONE: &str = "none";

/// Returns the error for a value of another form than the field has.
pub(crate) fn unfit<T>(shape: Shape) -> Result<T, String> {
    Err(match shape {
        Shape::Line(_) | Shape::Text | Shape::Address | Shape::Link | Shape::Words(_) => {
            "expected a text".to_owned()
        }
        Shape::Switch => "expected true or false".to_owned(),
        Shape::Whole(..) | Shape::Number => "expected a whole number".to_owned(),
        Shape::Accounts => "expected a list".to_owned(),
    })
}

impl FieldValue for bool {
    const SHAPE: Shape = Shape::Switch;

    fn given(given: Given<'_>) -> Result<Self, String> {
        match given {
            Given::Switch(on) => Ok(on),
            Given::Null | Given::Text(_) | Given::Whole(_) | Given::Texts(_) => unfit(Self::SHAPE),
        }
    }
}

impl<T: FieldValue> FieldValue for Option<T> {
    const SHAPE: Shape = T::SHAPE;
    const NULLABLE: bool = true;

    fn given(given: Given<'_>) -> Result<Self, String> {
        match given {
            Given::Null => Ok(None),
            Given::Text(_) | Given::Switch(_) | Given::Whole(_) | Given::Texts(_) => {
                T::given(given).map(Some)
            }
        }
    }

    fn audited(&self) -> Value {
        self.as_ref().map_or(Value::Null, T::audited)
    }
}
