//! `Expect: 100-continue`: a client that asks whether to send a body is refused at once when the body is too long.

use actix_http::{Request, Response};
use actix_web::HttpMessage as _;
use actix_web::body::BoxBody;
use actix_web::http::header;

use crate::chat;
use crate::inbox::upload;
use crate::reply::chat_error::ChatError;
use crate::reply::problem::Problem;
use crate::reply::refusal;
use crate::state::AppState;

/// The address that takes more than the others.
const UPLOADS: &str = "/inbox/v1/media";

/// Gives the request back when its body may come. What else there is to refuse is refused behind this.
pub(super) fn met(request: Request, state: &AppState) -> Result<Request, Response<BoxBody>> {
    let value = request.headers().get(header::CONTENT_LENGTH);
    let Some(declared) = value.and_then(|value| value.to_str().ok()?.parse::<u64>().ok()) else {
        return Ok(request);
    };
    let limit = state.body_limit();
    let fits = if request.path() == UPLOADS {
        upload::fits(Some(declared), state)
    } else if usize::try_from(declared).is_ok_and(|declared| declared <= limit) {
        Ok(())
    } else {
        Err(Problem::TooLarge(limit))
    };
    let Err(problem) = fits else {
        return Ok(request);
    };
    let of_the_chat = chat::is_chat(request.path());
    let response = refusal(of_the_chat, ChatError::TooLarge(limit), problem);
    state.requests().answered(response.status());
    Err(response.into())
}
