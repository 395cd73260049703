//! The body of `POST /api/v4/users/activate` and `POST /api/v4/users/deactivate`.

use std::collections::BTreeSet;

use crate::account_body::batch::{self, BatchError};
use crate::account_body::items;
use crate::body;
use crate::body::Body;
use crate::domain::account::users::create::BATCH_MAX;
use crate::domain::id::UserId;

body!(
    /// A user, by number.
    #[body(open)]
    pub struct NamedUser {
        id: UserId,
    }
);

/// Reads the numbers of the users, each of them once.
///
/// # Errors
/// With everything that is wrong with any of the items.
pub fn parse(body: &[u8]) -> Result<Vec<UserId>, BatchError> {
    let root = batch::parse(body)?;
    let items = batch::items(&root, "users", BATCH_MAX)?;
    let mut ids = BTreeSet::new();
    batch::read_items(items, |item| {
        let NamedUser { id } = NamedUser::take(item)?;
        items::once(item, "id", "user", id, &mut ids);
        Some(id)
    })
}
