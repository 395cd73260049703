//! Answers to orders.

use bytes::Bytes;
use hyper::StatusCode;
use serde_json::Value;

use crate::dev::problem;
use crate::dev::worlds::error::DevError;

/// The answer to an order.
#[derive(Clone, Debug, PartialEq)]
pub(super) enum Reply {
    /// A JSON document.
    Document(Value),
    /// A text in this form.
    Text(String, MediaType),
}

/// The form of a text.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum MediaType {
    /// One JSON document for each line.
    Lines,
    Plain,
    Html,
}

impl MediaType {
    fn name(self) -> &'static str {
        match self {
            Self::Lines => "application/x-ndjson",
            Self::Plain => "text/plain; charset=utf-8",
            Self::Html => "text/html; charset=utf-8",
        }
    }
}

impl From<Value> for Reply {
    fn from(document: Value) -> Self {
        Self::Document(document)
    }
}

/// An answer as HTTP carries it.
pub(super) struct Carried {
    pub(super) status: StatusCode,
    pub(super) media_type: &'static str,
    pub(super) body: Bytes,
}

impl From<Result<(StatusCode, Reply), DevError>> for Carried {
    fn from(result: Result<(StatusCode, Reply), DevError>) -> Self {
        let (status, body, media_type) = match result {
            Ok((status, Reply::Document(body))) => {
                (status, format!("{body}\n"), "application/json")
            }
            Ok((status, Reply::Text(text, form))) => (status, text, form.name()),
            Err(DevError { status, detail }) => {
                let title = status.canonical_reason().unwrap_or_default();
                let body = problem::problem(status.as_u16(), title, &detail);
                (status, format!("{body}\n"), problem::MEDIA_TYPE)
            }
        };
        Self {
            status,
            media_type,
            body: body.into(),
        }
    }
}
