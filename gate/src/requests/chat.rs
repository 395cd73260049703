//! Requests of the chat interface, recorded with their answers.

use std::time::Duration;

use actix_http::RequestHead;
use bytes::Bytes;
use switchboard_diagnosis::hint::Hint;

use crate::request_id::RequestId;
use crate::requests::kept::{ANSWER_MAX, KeptBody, KeptRequest, LoggedRequest};
use crate::requests::log::{RequestLog, ToKeep};
use crate::requests::sender::Surface;

/// A request of the chat interface.
pub struct ChatRequest<'a> {
    /// Its id.
    pub id: RequestId,
    /// Its head.
    pub head: &'a RequestHead,
    /// The pattern of its address; none where the path names none.
    pub route: Option<&'static str>,
    /// Its whole body.
    pub body: &'a Bytes,
    /// The probable mistake of the sender.
    pub hint: Option<&'a Hint>,
}

/// The answer to a recorded request.
#[derive(Clone, Copy, Debug)]
pub struct LoggedAnswer<'a> {
    /// Its status code.
    pub status: u16,
    /// Its whole body.
    pub body: &'a Bytes,
    /// The time from the request to it.
    pub took: Duration,
}

/// Keeps a request of the chat interface. Its bodies hold no secret, and its signature is checked again when it is shown.
pub fn keep_chat(
    log: &RequestLog,
    slot: ToKeep,
    request: ChatRequest<'_>,
    answer: LoggedAnswer<'_>,
) {
    let body = KeptBody::beginning_of(request.body, log.body_limit());
    log.keep(KeptRequest {
        id: request.id,
        at: slot.at,
        surface: Surface::Chat,
        sender: slot.sender,
        user: None,
        client: None,
        route: request.route,
        asked: LoggedRequest::new(request.head, body),
        hint: request.hint.cloned(),
        status: answer.status,
        answer: KeptBody::beginning_of(answer.body, ANSWER_MAX),
        took: answer.took,
    });
}
