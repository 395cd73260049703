//! The body of `POST /api/v4/talks/{id}/close`.

use crate::wire::json::object::Nulls;
use crate::wire::json::{self, BodyError};

/// Reads how a talk is closed: `force_close` is checked and makes no difference. No body at all is fine.
///
/// # Errors
/// With everything that is wrong.
pub fn parse_close(body: &[u8]) -> Result<(), BodyError> {
    json::read(body, Nulls::Absent, |body| {
        body.optional_bool("force_close");
        Some(())
    })
}
