//! What the ways of hooks have in common.

use actix_http::{HttpMessage as _, Request};
use actix_web::http::header::HeaderName;
use bytes::Bytes;
use switchboard_actors::relay::refusal::HookRefusal;
use switchboard_http::extract::body::{self, BodyReadError};

use crate::refused::HookRefusedError;

/// Longer values of headers are not passed on.
const VALUE_MAX: usize = 1_024;

/// A hook that is on disk.
pub(crate) struct TakenHook {
    pub(crate) body: Bytes,
    /// True when it was there already.
    pub(crate) repeated: bool,
    /// True when `switchboard relay check` sent it: it goes nowhere.
    pub(crate) is_check: bool,
    /// True when its shapes may be news.
    pub(crate) has_news: bool,
}

/// Returns the refusal of a hook whose body was not read.
pub(crate) fn unread_body(unread: &BodyReadError, limit: usize) -> HookRefusedError {
    match unread {
        BodyReadError::TooLarge => HookRefusedError::new(
            HookRefusal::TooLarge,
            format!("the body is longer than {limit} bytes"),
        ),
        BodyReadError::TooSlow(limit) => {
            HookRefusedError::new(HookRefusal::Broken, body::too_slow(*limit))
        }
        BodyReadError::BrokenOff(why) => HookRefusedError::new(HookRefusal::Broken, *why),
        BodyReadError::NotThere | BodyReadError::GivenUp => {
            HookRefusedError::new(HookRefusal::Broken, "the body came too slowly")
        }
        BodyReadError::Busy => {
            HookRefusedError::new(HookRefusal::Unavailable, "the service is busy")
        }
    }
}

/// The text of a header that is passed on.
pub(crate) fn text(request: &Request, name: &HeaderName) -> Option<String> {
    let value = request.headers().get(name)?.to_str().ok()?;
    (value.len() <= VALUE_MAX).then(|| value.to_owned())
}
