//! The form of answers. The only place that knows status codes.

pub mod chat_error;
pub(crate) mod hal;
pub(crate) mod health;
pub mod list;
pub(crate) mod paging;
pub mod problem;
pub(crate) mod token_error;
pub(crate) mod unavailable;

use actix_web::{HttpResponse, ResponseError};

use self::chat_error::ChatError;
use self::problem::Problem;

/// The text about an address that takes other methods than the one that was used.
pub(crate) fn allows_only(allow: &str) -> String {
    let methods = match allow.rsplit_once(", ") {
        Some((others, last)) => format!("{others} and {last}"),
        None => allow.to_owned(),
    };
    format!("this address allows {methods} only")
}

/// A refusal in the form of the interface that was asked.
pub fn refusal(of_the_chat: bool, chat: ChatError, account: Problem) -> HttpResponse {
    if of_the_chat {
        chat.response()
    } else {
        account.error_response()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_methods_of_an_address_read_as_a_sentence() {
        for (allow, says) in [
            ("POST", "this address allows POST only"),
            ("GET, HEAD", "this address allows GET and HEAD only"),
            (
                "GET, HEAD, POST",
                "this address allows GET, HEAD and POST only",
            ),
        ] {
            assert_eq!(allows_only(allow), says);
        }
    }
}
