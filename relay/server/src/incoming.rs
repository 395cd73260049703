//! What the ways of hooks have in common.

use std::time::Duration;

use actix_http::{HttpMessage as _, Payload, Request};
use actix_web::http::Method;
use actix_web::http::header::{self, HeaderName};
use bytes::Bytes;
use switchboard_actors::domain::signature::request::Presented;
use switchboard_actors::error::UnavailableError;
use switchboard_actors::relay::hooks::HookEnvelope;
use switchboard_actors::relay::hooks::receive::{HookReceipt, ReceiveHook};
use switchboard_actors::relay::refusal::HookRefusal;
use switchboard_actors::relay_book::KnownRelay;
use switchboard_http::extract::body::{self, BodyReadError};
use switchboard_http::state::AppState;

use crate::refused::HookRefusedError;

/// The header of the signature.
pub(crate) static SIGNATURE: HeaderName = HeaderName::from_static("x-signature");
/// The header of the digest of a body.
pub(crate) static CONTENT_MD5: HeaderName = HeaderName::from_static("content-md5");
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

/// Refuses a hook that does not come by `POST`.
pub(crate) fn check_method(request: &Request) -> Result<(), HookRefusedError> {
    if request.method() == Method::POST {
        return Ok(());
    }
    Err(HookRefusedError::new(
        HookRefusal::Method,
        "hooks come by POST",
    ))
}

/// Reads the body of a hook.
pub(crate) async fn read_body(
    request: &Request,
    payload: Payload,
    relay: &KnownRelay,
) -> Result<Bytes, HookRefusedError> {
    let limit = relay.settings.bounds.body_bytes_max;
    let reading = body::read(request, payload, limit, true, || {}).await;
    reading.map_err(|unread| unread_body(&unread, limit))
}

/// Stores a hook; gives up after a time.
pub(crate) async fn store(
    state: &AppState,
    relay: &KnownRelay,
    hook: ReceiveHook,
    within: Duration,
) -> Result<HookReceipt, UnavailableError> {
    let storing = state.system().take_hook(relay.id, hook);
    let storage = tokio::time::timeout(within, storing).await;
    storage.unwrap_or(Err(UnavailableError::Busy))
}

/// Returns the refusal of a hook that was not stored in time.
pub(crate) fn not_stored() -> HookRefusedError {
    HookRefusedError::new(HookRefusal::Unavailable, "the hook cannot be stored now")
}

/// Returns the headers of a request that are passed on.
pub(crate) fn envelope(request: &Request) -> HookEnvelope {
    HookEnvelope {
        content_type: text(request, &header::CONTENT_TYPE),
        signature: text(request, &SIGNATURE),
        user_agent: text(request, &header::USER_AGENT),
    }
}

/// Returns the refusal of a hook whose body was not read.
fn unread_body(unread: &BodyReadError, limit: usize) -> HookRefusedError {
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

/// The request as signatures know it.
pub(crate) fn presented<'a>(request: &'a Request, body: &'a [u8]) -> Presented<'a> {
    Presented {
        method: request.method().as_str(),
        path: request.uri().path(),
        query: request.uri().query(),
        host: None,
        content_md5: only(request, &CONTENT_MD5),
        content_type: only(request, &header::CONTENT_TYPE),
        date: only(request, &header::DATE),
        body,
    }
}

/// A header that was sent once.
pub(crate) fn only<'a>(request: &'a Request, name: &HeaderName) -> Option<&'a [u8]> {
    let mut values = request.headers().get_all(name);
    let first = values.next()?;
    values.next().is_none().then_some(first.as_bytes())
}

/// The text of a header that is passed on.
pub(crate) fn text(request: &Request, name: &HeaderName) -> Option<String> {
    let value = request.headers().get(name)?.to_str().ok()?;
    (value.len() <= VALUE_MAX).then(|| value.to_owned())
}
