//! Values of answers whose meaning their type in Rust does not say: times and addresses.

use std::borrow::Cow;

use schemars::{JsonSchema, SchemaGenerator};
use serde::Serialize;
use switchboard_actors::domain::chat::message::ContentKind;
use switchboard_actors::domain::time::UnixMillis;

use crate::openapi::Schema;

/// Declares a value that is written as what it holds, with this schema.
macro_rules! values {
    ($($(#[$doc:meta])* $name:ident $(<$kind:ident>)? ($holds:ty) = $schema:expr;)+) => {$(
        $(#[$doc])*
        #[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
        #[serde(transparent)]
        pub(crate) struct $name $(<$kind>)? (pub(crate) $holds);

        impl $(<$kind>)? JsonSchema for $name $(<$kind>)? {
            fn inline_schema() -> bool {
                true
            }

            fn schema_name() -> Cow<'static, str> {
                stringify!($name).into()
            }

            fn json_schema(_: &mut SchemaGenerator) -> schemars::Schema {
                $schema.plain()
            }
        }
    )+};
}

values! {
    /// A moment.
    Seconds(u64) = Schema::seconds();
    /// A moment, to the millisecond.
    Millis(u64) = Schema::millis();
    /// The kind of a message, as the chat interface names it.
    Kind(&'static str) = Schema::choice(&ContentKind::NAMES);
    /// An absolute address.
    Url<T>(T) = Schema::url();
}

/// A value or null, of a field that may be left out besides.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[serde(transparent)]
pub(crate) struct Nullable<T>(pub(crate) Option<T>);

impl<T: JsonSchema> JsonSchema for Nullable<T> {
    fn inline_schema() -> bool {
        true
    }

    fn schema_name() -> Cow<'static, str> {
        Option::<T>::schema_name()
    }

    fn json_schema(generator: &mut SchemaGenerator) -> schemars::Schema {
        Option::<T>::json_schema(generator)
    }
}

impl From<UnixMillis> for Seconds {
    fn from(at: UnixMillis) -> Self {
        Self(at.secs())
    }
}

impl From<UnixMillis> for Millis {
    fn from(at: UnixMillis) -> Self {
        Self(at.get())
    }
}

impl From<ContentKind> for Kind {
    fn from(kind: ContentKind) -> Self {
        Self(kind.as_str())
    }
}

impl<T> From<T> for Url<T> {
    fn from(address: T) -> Self {
        Self(address)
    }
}
