//! Reasons why a request to `/dev/v1` is refused.

use hyper::StatusCode;

/// A refusal: becomes a problem document.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct DevError {
    pub(super) status: StatusCode,
    pub(super) detail: String,
}

impl DevError {
    /// Something in the request is wrong; `detail` names what there is instead.
    pub(super) fn wrong(detail: impl Into<String>) -> Self {
        Self::new(StatusCode::BAD_REQUEST, detail)
    }

    /// There is no such thing.
    pub(super) fn unknown(detail: impl Into<String>) -> Self {
        Self::new(StatusCode::NOT_FOUND, detail)
    }

    /// The address takes other methods.
    pub(super) fn not_allowed(allowed: &str) -> Self {
        let why = format!("this address takes {allowed}");
        Self::new(StatusCode::METHOD_NOT_ALLOWED, why)
    }

    pub(super) fn new(status: StatusCode, detail: impl Into<String>) -> Self {
        Self {
            status,
            detail: detail.into(),
        }
    }
}
