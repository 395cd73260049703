//! What the items of a body that has several of them share.

use crate::openapi::{Field, Schema, may};

/// `request_id`: what a client calls an item.
pub(crate) fn request_id() -> Field {
    let says = "Echoed, at most 255 characters; not stored.";
    may("request_id", Schema::text().or_null().says(says))
}
