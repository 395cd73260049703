//! What answers look like. The only place that knows status codes.

pub(crate) mod chat_error;
pub(crate) mod hal;
pub(crate) mod health;
pub(crate) mod problem;
pub(crate) mod reason;
pub(crate) mod unavailable;

use actix_web::{HttpResponse, ResponseError};

use self::chat_error::ChatError;
use self::problem::Problem;

/// A refusal in the form of the interface that was asked.
pub(crate) fn refusal(of_the_chat: bool, chat: ChatError, account: Problem) -> HttpResponse {
    if of_the_chat {
        chat.response()
    } else {
        account.error_response()
    }
}
