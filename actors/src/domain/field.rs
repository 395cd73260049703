//! Fields that an operator or the configuration sets: each is declared once, with the sentence that describes it.
//!
//! From a declaration by `fields!` follow what is stored, what a change may hold, how a change is made, what the
//! audit log says of it, and [`Field`]: what other layers read bodies, options and configuration keys by, and describe
//! them with.

use serde::Serialize;
use serde_json::Value;

/// What is given for a field, whatever it was read from.
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
    /// An address that callbacks go to.
    Address,
    /// One of these words.
    Words(&'static [&'static str]),
    /// True or false.
    Switch,
    /// A whole number from the first to the second.
    Whole(i64, i64),
    /// The ids of accounts, or `*` alone for all.
    Accounts,
}

/// What may stand in a field.
pub trait FieldValue: Serialize + Sized {
    /// Its form.
    const SHAPE: Shape;
    /// Whether there may be nothing.
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
    fn told(&self) -> Value {
        self.shown()
    }
}

/// What is known of a field.
#[derive(Clone, Copy, Debug)]
pub struct Field {
    /// Its name in bodies and as a key of the configuration.
    pub name: &'static str,
    /// What it is, a sentence.
    pub says: &'static str,
    /// A value that it may have; empty when it need not be given.
    pub example: &'static str,
    /// What it means that there is nothing; empty when there always is something.
    pub nothing: &'static str,
    /// The word that stands for nothing where there is no `null`.
    pub nothing_is: &'static str,
    /// The form of its values.
    pub shape: Shape,
    /// Whether there may be nothing.
    pub nullable: bool,
    /// What is there at first; `None` when it has to be given.
    pub at_first: fn() -> Option<Value>,
    /// The value that is given, as a body holds it.
    pub read: fn(Given<'_>) -> Result<Value, String>,
}

impl Field {
    /// A field of values of this type that is never empty.
    #[must_use]
    pub const fn of<T: FieldValue>(
        name: &'static str,
        says: &'static str,
        at_first: fn() -> Option<Value>,
    ) -> Self {
        Self {
            name,
            says,
            example: "",
            nothing: "",
            nothing_is: NONE,
            shape: T::SHAPE,
            nullable: T::NULLABLE,
            at_first,
            read: |given| T::given(given).map(|value| value.shown()),
        }
    }

    /// Whether it has to be given.
    #[must_use]
    pub fn is_needed(&self) -> bool {
        (self.at_first)().is_none()
    }
}

/// What has fields.
pub trait HasFields {
    /// What is known of them.
    const FIELDS: &'static [Field];
}

/// Where fields are read from.
pub trait Source {
    /// What is given for this field; `None` when nothing is, or when it is wrong, which the source then reports.
    fn take<T: FieldValue>(&mut self, field: &Field) -> Option<T>;
}

/// The word for nothing, unless a field has one of its own.
pub const NONE: &str = "none";

/// Whether something is given that a field of another form would want.
pub(crate) fn unfit<T>(shape: Shape) -> Result<T, String> {
    Err(match shape {
        Shape::Line(_) | Shape::Address | Shape::Words(_) => "expected a text".to_owned(),
        Shape::Switch => "expected true or false".to_owned(),
        Shape::Whole(..) => "expected a whole number".to_owned(),
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

    fn told(&self) -> Value {
        self.as_ref().map_or(Value::Null, T::told)
    }
}

/// Makes types that are read from text values of fields.
macro_rules! text_fields {
    ($($kind:ty: $shape:expr;)+) => {$(
        impl $crate::domain::field::FieldValue for $kind {
            const SHAPE: $crate::domain::field::Shape = $shape;

            fn given(given: $crate::domain::field::Given<'_>) -> Result<Self, String> {
                use $crate::domain::field::Given;
                match given {
                    Given::Text(text) => text.parse().map_err(|wrong| format!("{wrong}")),
                    Given::Null | Given::Switch(_) | Given::Whole(_) | Given::Texts(_) => {
                        $crate::domain::field::unfit(Self::SHAPE)
                    }
                }
            }
        }
    )+};
}
pub(crate) use text_fields;

/// Declares the fields of something: what it holds, and what a change of it may hold.
///
/// Those under `given` have to be given, each with a value that it may have; those under `usual` are at first what is
/// written there. One that may be empty says what that means, `null "for no callbacks"`, and, where the word for it is not
/// [`NONE`], by which word: `as "any"`.
macro_rules! fields {
    (
        $(#[$doc:meta])* pub struct $all:ident;
        $(#[$change_doc:meta])* pub struct $change:ident;
        given { $($given:ident: $given_kind:ty, $given_says:literal, like $example:literal;)* }
        usual { $($name:ident: $kind:ty = $at_first:expr, $says:literal $(, null $nothing:literal $(as $word:literal)?)?;)* }
    ) => {
        $(#[$doc])*
        #[derive(Clone, Debug, PartialEq, Eq, serde::Serialize, serde::Deserialize)]
        #[serde(from = "stored::Stored")]
        pub struct $all {
            $(#[doc = $given_says] pub $given: $given_kind,)*
            $(#[doc = $says] pub $name: $kind,)*
        }

        $(#[$change_doc])*
        #[derive(Clone, Debug, Default, PartialEq, Eq)]
        pub struct $change {
            $(#[doc = $given_says] pub $given: Option<$given_kind>,)*
            $(#[doc = $says] pub $name: Option<$kind>,)*
        }

        mod stored {
            use super::*;

            /// The fields as they are stored: one that came later is not in older records.
            #[derive(serde::Deserialize)]
            pub(super) struct Stored {
                $($given: $given_kind,)*
                $($name: Option<$kind>,)*
            }

            impl From<Stored> for $all {
                fn from(stored: Stored) -> Self {
                    Self::new($(stored.$given),*).with($change {
                        $($name: stored.$name,)*
                        ..$change::default()
                    })
                }
            }
        }

        impl $crate::domain::field::HasFields for $all {
            const FIELDS: &'static [$crate::domain::field::Field] = &[
                $($crate::domain::field::Field {
                    example: $example,
                    ..$crate::domain::field::Field::of::<$given_kind>(stringify!($given), $given_says, || None)
                },)*
                $($crate::domain::field::Field {
                    $(nothing: $nothing, $(nothing_is: $word,)?)?
                    ..$crate::domain::field::Field::of::<$kind>(stringify!($name), $says, || {
                        let value: $kind = $at_first;
                        Some($crate::domain::field::FieldValue::shown(&value))
                    })
                },)*
            ];
        }

        impl $all {
            /// These, and all others as they are at first.
            #[must_use]
            pub fn new($($given: $given_kind),*) -> Self {
                Self { $($given,)* $($name: $at_first,)* }
            }

            /// The same with what the change holds.
            #[must_use]
            pub fn with(self, change: $change) -> Self {
                Self {
                    $($given: change.$given.unwrap_or(self.$given),)*
                    $($name: change.$name.unwrap_or(self.$name),)*
                }
            }

            /// What is otherwise than it was last.
            #[must_use]
            pub fn since(&self, last: Option<&Self>) -> $change {
                let Some(last) = last else {
                    return self.clone().into();
                };
                $change {
                    $($given: (last.$given != self.$given).then(|| self.$given.clone()),)*
                    $($name: (last.$name != self.$name).then(|| self.$name.clone()),)*
                }
            }

            /// Notes what is different.
            #[must_use]
            pub(crate) fn audited(
                before: Option<&Self>,
                after: &Self,
                audit: $crate::domain::audit::AuditEntry,
            ) -> $crate::domain::audit::AuditEntry {
                use $crate::domain::field::FieldValue;
                let nothing = serde_json::Value::Null;
                audit
                    $(.change(
                        stringify!($given),
                        before.map_or(nothing.clone(), |before| before.$given.told()),
                        after.$given.told(),
                    ))*
                    $(.change(
                        stringify!($name),
                        before.map_or(nothing.clone(), |before| before.$name.told()),
                        after.$name.told(),
                    ))*
            }
        }

        impl From<$all> for $change {
            fn from(all: $all) -> Self {
                Self {
                    $($given: Some(all.$given),)*
                    $($name: Some(all.$name),)*
                }
            }
        }

        impl $change {
            /// Reads every field; what is wrong with them, the source reports.
            pub fn read(source: &mut impl $crate::domain::field::Source) -> Self {
                let mut fields = <$all as $crate::domain::field::HasFields>::FIELDS.iter();
                Self {
                    $($given: fields.next().and_then(|field| source.take(field)),)*
                    $($name: fields.next().and_then(|field| source.take(field)),)*
                }
            }

            /// The fields, with what is there at first where nothing is given; `None` when one is missing that has to be
            /// given.
            #[must_use]
            pub fn complete(self) -> Option<$all> {
                Some($all {
                    $($given: self.$given?,)*
                    $($name: self.$name.unwrap_or($at_first),)*
                })
            }
        }
    };
}
pub(crate) use fields;
