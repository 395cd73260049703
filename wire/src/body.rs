//! Request bodies, each declared once.
//!
//! [`body!`](crate::body!) declares a struct. Its fields are those of the body; from them follow the reader, which reports
//! everything that is wrong with a body at once, and the schema. A comment on a field is its description. A field of
//! type `Option<T>` may be left out, every other one has to be there; limits are those of the type ([`value::Value`]).
//!
//! ```
//! use switchboard_wire::body::Body;
//! use switchboard_wire::body::value::Whole;
//! use switchboard_wire::json::BodyError;
//!
//! switchboard_wire::body!(
//!     /// Another secret.
//!     pub struct Rotate {
//!         /// Made when it is left out.
//!         #[body(secret)]
//!         secret: Option<String>,
//!         /// In seconds, at most an hour.
//!         #[body(default(60))]
//!         grace: Whole<0, 3_600>,
//!     }
//! );
//!
//! let rotate = Rotate::read(br#"{"secret": "s3cr3t"}"#).unwrap();
//! assert_eq!((rotate.secret.as_deref(), rotate.grace.get()), (Some("s3cr3t"), 60));
//! let Err(BodyError::Invalid(wrong)) = Rotate::read(br#"{"secret": 7, "grace": 9999}"#) else {
//!     panic!("two fields are wrong")
//! };
//! let paths: Vec<_> = wrong.kept().iter().map(|it| it.path.as_str()).collect();
//! assert_eq!(paths, ["secret", "grace"]);
//! let schema = Rotate::schema().plain().to_value();
//! assert_eq!(schema["properties"]["secret"]["x-secret"], true);
//! ```
//!
//! The declaration above expands to:
//!
//! ```ignore
//! /// Another secret.
//! pub struct Rotate {
//!     pub secret: Option<String>,
//!     pub grace: Whole<0, 3_600>,
//! }
//!
//! impl Body for Rotate {
//!     const OPEN: bool = false;
//!     const NULLS: Nulls = Nulls::Refused;
//!
//!     fn take(object: &ObjectReader<'_, '_>) -> Option<Self> {
//!         let secret = <Option<String> as Value>::from_field(object, "secret");
//!         let grace = Some(<Option<Whole<0, 3_600>> as Value>::from_field(object, "grace")
//!             .flatten()
//!             .unwrap_or_else(|| <Whole<0, 3_600>>::from(60)));
//!         Some(Self { secret: secret?, grace: grace? })
//!     }
//!
//!     fn fields() -> Vec<Field> {
//!         let mut fields = Vec::new();
//!         fields.push(Field::typed::<Option<String>>("secret").secret().described(&[" Made when it is left out."]));
//!         fields.push(Field::typed::<Whole<0, 3_600>>("grace").default_is(60).described(&[" In seconds, at most an hour."]));
//!         fields
//!     }
//! }
//!
//! impl Value for Rotate { /* an object inside another one */ }
//! ```
//!
//! | on a field | |
//! |---|---|
//! | `secret` | the value is a secret: its schema is marked (`x-secret`), and no record has it |
//! | `default(x)` | the value when nothing is given |
//! | `null` | on an `Option`: null stands for nothing |
//! | `needed` | on an `Option`: has to be there, and the body is read on without it, so that all else that is wrong is found |
//! | `key("type")` | the name, where it is no name in Rust |
//! | `schema(x)` | a schema other than that of the type |
//! | `flatten` | the fields of another declared body are fields of this one |
//! | `given(New)`, `given(Update, NAMES)` | so are fields of the domain, or some of them ([`given`]) |
//!
//! | on the struct | |
//! |---|---|
//! | `open` | other fields are ignored; without it they are refused |
//! | `lenient` | null stands for nothing, in every field |
//! | `check(f(a, b))` | `f(object, &a, &b)` is called with what was read of these fields, and reports what contradicts |

pub mod declare;
pub mod given;
pub mod value;

#[cfg(test)]
mod tests;

use crate::json::object::{Nulls, ObjectReader};
use crate::json::{self, BodyError};
use crate::schema::{Field, Schema};

/// A body, or a part of one, that is declared by [`body!`](crate::body!).
pub trait Body: Sized {
    /// True when the reader ignores unknown fields.
    const OPEN: bool;
    /// The meaning of `null`.
    const NULLS: Nulls;

    /// Takes the fields out of an object. Other fields are left alone. Returns `None` only after a report.
    fn take(object: &ObjectReader<'_, '_>) -> Option<Self>;

    /// The fields with their schemas.
    fn fields() -> Vec<Field>;

    /// Reads a whole object; reports fields that are not named, unless they are ignored.
    fn from_object(object: &ObjectReader<'_, '_>) -> Option<Self> {
        if !Self::OPEN {
            let fields = Self::fields();
            object.refuse_unknown(&fields.iter().map(Field::name).collect::<Vec<_>>());
        }
        Self::take(object)
    }

    /// Reads a body.
    ///
    /// # Errors
    /// With everything that is wrong with it.
    fn read(bytes: &[u8]) -> Result<Self, BodyError> {
        Self::read_as(bytes, |_, body| Some(body))
    }

    /// Reads a body, as what `then` makes of it; `then` may report more.
    ///
    /// # Errors
    /// As [`Self::read`].
    fn read_as<T>(
        bytes: &[u8],
        then: impl FnOnce(&ObjectReader<'_, '_>, Self) -> Option<T>,
    ) -> Result<T, BodyError> {
        json::read(bytes, Self::NULLS, |object| {
            then(object, Self::from_object(object)?)
        })
    }

    /// The schema.
    #[must_use]
    fn schema() -> Schema {
        let schema = Schema::object(Self::fields());
        if Self::OPEN { schema.open() } else { schema }
    }
}
