//! The parts that all errors have: a status, a sentence, and a header at most.

use actix_web::http::StatusCode;
use actix_web::http::header::{HeaderName, RETRY_AFTER};

/// An error as it is answered.
pub(super) struct Row {
    pub(super) status: StatusCode,
    pub(super) detail: String,
    pub(super) header: Option<(HeaderName, String)>,
}

impl Row {
    pub(super) fn new(status: StatusCode, detail: impl Into<String>) -> Self {
        Self {
            status,
            detail: detail.into(),
            header: None,
        }
    }

    pub(super) fn with(self, name: HeaderName, value: impl Into<String>) -> Self {
        let header = Some((name, value.into()));
        Self { header, ..self }
    }

    pub(super) fn retry_after(self, seconds: u64) -> Self {
        self.with(RETRY_AFTER, seconds.to_string())
    }
}

/// A part of the request is too long.
pub(super) fn too_long(status: StatusCode, part: &str, most: usize) -> Row {
    Row::new(status, format!("the {part} is longer than {most} bytes"))
}

/// The body has another media type than the wanted one.
pub(super) fn wanted(media_type: &str) -> Row {
    Row::new(StatusCode::UNSUPPORTED_MEDIA_TYPE, media_type)
}
