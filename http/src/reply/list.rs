//! Lists of the operator's interface and of the inbox: `{"<name>": […]}`, with `next` where they have pages.

use actix_web::HttpResponse;
use schemars::JsonSchema;
use serde::ser::SerializeMap;
use serde::{Serialize, Serializer};

use crate::openapi::{Operation, Schema, must};

/// 200 with all entries.
pub fn all(name: &'static str, entries: impl Iterator<Item: Serialize>) -> HttpResponse {
    let next = None::<()>;
    HttpResponse::Ok().json(Listed(name, entries.collect::<Vec<_>>(), next))
}

/// 200 with a page, and where the one after it begins.
pub fn page(
    name: &'static str,
    entries: impl Iterator<Item: Serialize>,
    next: Option<impl Serialize>,
) -> HttpResponse {
    HttpResponse::Ok().json(Listed(name, entries.collect::<Vec<_>>(), Some(next)))
}

struct Listed<T, N>(&'static str, Vec<T>, Option<N>);

impl<T: Serialize, N: Serialize> Serialize for Listed<T, N> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let Self(name, entries, next) = self;
        let mut map = serializer.serialize_map(None)?;
        map.serialize_entry(name, entries)?;
        if let Some(next) = next {
            map.serialize_entry("next", next)?;
        }
        map.end()
    }
}

impl Operation {
    /// All entries of a list.
    pub(crate) fn answers_list<T: JsonSchema>(self, name: &'static str, says: &str) -> Self {
        let entries = must(name, Schema::list(Schema::for_type::<T>()));
        self.answers(200, says, Schema::object([entries]))
    }

    /// A page of a list that goes on at `next`.
    pub(crate) fn answers_next<T: JsonSchema>(self, name: &'static str, says: &str) -> Self {
        let entries = must(name, Schema::list(Schema::for_type::<T>()));
        let next = must("next", Schema::text().or_null());
        self.answers(200, says, Schema::object([entries, next]))
    }
}
