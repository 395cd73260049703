//! The answers to hooks that are refused.

use actix_web::HttpResponse;
use actix_web::http::{StatusCode, header};
use serde_json::json;
use switchboard_actors::relay::refusal::HookRefusal;

/// The time after which a hook that could not be taken may be sent once more, for senders that repeat.
const AGAIN_SECONDS: u64 = 5;

/// A refusal with its reason in words.
#[derive(Debug)]
pub(crate) struct HookRefusedError {
    pub(crate) why: HookRefusal,
    pub(crate) detail: String,
}

impl HookRefusedError {
    pub(crate) fn new(why: HookRefusal, detail: impl Into<String>) -> Self {
        let detail = detail.into();
        Self { why, detail }
    }

    /// The answer.
    pub(crate) fn response(&self) -> HttpResponse {
        let status = StatusCode::from_u16(self.why.status());
        let mut response = HttpResponse::build(status.unwrap_or(StatusCode::SERVICE_UNAVAILABLE));
        match self.why {
            HookRefusal::Full | HookRefusal::Unavailable => {
                response.insert_header((header::RETRY_AFTER, AGAIN_SECONDS.to_string()));
            }
            HookRefusal::Method => {
                response.insert_header((header::ALLOW, "POST"));
            }
            HookRefusal::Unknown
            | HookRefusal::Signature
            | HookRefusal::TooLarge
            | HookRefusal::Broken => {}
        }
        response.json(json!({ "reason": self.why.as_str(), "detail": self.detail }))
    }
}
