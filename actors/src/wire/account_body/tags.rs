//! The body that adds tags.

use crate::domain::text::TagName;
use crate::wire::account_body::batch::{self, BatchError};
use crate::wire::account_body::items::{ENTRIES_MAX, Item, Items};

/// Reads the names of tags.
///
/// # Errors
/// With everything that is wrong with any of them.
pub fn parse(body: &[u8]) -> Result<Vec<Item<TagName>>, BatchError> {
    let root = batch::parse(body)?;
    Items::of(&root, "tags", ENTRIES_MAX)?.read(|tag| tag.required_parsed("name"))
}
