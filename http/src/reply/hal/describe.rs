//! The descriptions of answers of the account side.

use schemars::JsonSchema;

use crate::extract::query::LIMIT_MAX;
use crate::openapi::{Field, Operation, Schema, must};
use crate::reply::hal::{Links, MEDIA_TYPE, PageLinks};

fn embedded<T: JsonSchema>(name: &'static str) -> Field {
    let entries = must(name, Schema::list(Schema::for_type::<T>()));
    must("_embedded", Schema::object([entries]))
}

fn total() -> Field {
    must("_total_items", Schema::count())
}

impl Operation {
    /// An answer of the account side.
    pub(crate) fn answers_hal(self, status: u16, says: &str, schema: Schema) -> Self {
        self.answers_as(status, says, MEDIA_TYPE, schema)
    }

    /// An answer of the account side with what this type is written as.
    pub(crate) fn gives_hal<T: JsonSchema>(self, status: u16, says: &str) -> Self {
        self.answers_hal(status, says, Schema::for_type::<T>())
    }

    /// The collection of what was made.
    pub(crate) fn answers_created<T: JsonSchema>(self, name: &'static str) -> Self {
        self.answers_several::<T>(201, "The new objects. They are on disk.", name)
    }

    /// A collection of what was made or changed.
    pub(crate) fn answers_several<T: JsonSchema>(
        self,
        status: u16,
        says: &str,
        name: &'static str,
    ) -> Self {
        let collection = Schema::object([total(), embedded::<T>(name)]);
        self.answers_hal(status, says, collection)
    }

    /// A page of a collection whose size is known.
    pub(crate) fn answers_collection<T: JsonSchema>(self, name: &'static str) -> Self {
        let page = Schema::object([
            total(),
            must("_page", Schema::from(1)),
            must("_page_count", Schema::from(1)),
            must("_links", Schema::for_type::<PageLinks>()),
            embedded::<T>(name),
        ]);
        self.answers_hal(200, "A page; past the end, an empty one.", page)
    }

    /// A whole collection, without pages.
    pub(crate) fn answers_whole<T: JsonSchema>(self, name: &'static str) -> Self {
        let links = must("_links", Schema::for_type::<Links>());
        let collection = Schema::object([total(), links, embedded::<T>(name)]);
        self.answers_hal(200, "All of them.", collection)
            .answers_nothing(204, "There are none.")
    }

    /// A list may be empty, which is 204.
    pub(crate) fn or_nothing(self) -> Self {
        self.answers_nothing(204, "The list is empty, or has no such page.")
    }

    /// An entry that may be missing, which is 204; a path that cannot be that of an entry is 404.
    pub(crate) fn gives_entry<T: JsonSchema>(self, says: &str, missing: &str) -> Self {
        self.gives_hal::<T>(200, says)
            .answers_nothing(204, missing)
            .refuses(404, "The path has no number.")
    }

    /// A page of a list that goes on behind its last entry; `next` is there while there is more.
    pub(crate) fn answers_page<T: JsonSchema>(self, name: &'static str) -> Self {
        self.answers_page_within::<T>(name, LIMIT_MAX)
    }

    /// The same, of a list whose pages have at most so many entries.
    pub(crate) fn answers_page_within<T: JsonSchema>(self, name: &'static str, max: u64) -> Self {
        let page = Schema::object([
            must("_page", Schema::from(1)),
            must("_links", Schema::for_type::<PageLinks>()),
            embedded::<T>(name),
        ]);
        let says = "A page. It may be short, even empty, and still have a next one.";
        let after = Schema::text().says("Where the page begins: comes with the links of a list.");
        self.pages_within(max)
            .query("after", after)
            .answers_hal(200, says, page)
    }
}
