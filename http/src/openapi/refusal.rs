//! Errors, as the document has them.

use crate::reply::{chat_error, problem};
use switchboard_actors::wire::schema::Schema;

/// The media type and the body of an error of the chat interface, or of all others.
pub(crate) fn form(of_the_chat: bool) -> (&'static str, Schema) {
    if of_the_chat {
        ("application/json", chat_error::schema())
    } else {
        (problem::MEDIA_TYPE, problem::schema())
    }
}

/// The header that an error of this status has beside its body.
pub(crate) fn header(status: u16) -> Option<(&'static str, &'static str)> {
    match status {
        401 => Some(("WWW-Authenticate", "`Bearer`.")),
        429 | 503 => Some(("Retry-After", "When to retry, in seconds.")),
        _ => None,
    }
}
