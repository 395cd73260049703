//! The body that adds tags.

use crate::account_body::batch::{self, BatchError};
use crate::account_body::items::{ENTRIES_MAX, Item, Items};
use crate::body;
use crate::body::Body;
use crate::domain::text::TagName;

body!(
    /// A tag to be added.
    #[body(open)]
    pub struct NewTag {
        name: TagName,
    }
);

/// Reads the names of tags.
///
/// # Errors
/// With everything that is wrong with any of them.
pub fn parse(body: &[u8]) -> Result<Vec<Item<TagName>>, BatchError> {
    let root = batch::parse(body)?;
    let items = Items::new(&root, "tags", ENTRIES_MAX)?;
    items.read(|item| NewTag::take(item).map(|tag| tag.name))
}
