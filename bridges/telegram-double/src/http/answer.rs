//! Answers: whole ones, halves, and none.

use std::future::Future as _;
use std::pin::Pin;
use std::task::{Context, Poll};
use std::time::Duration;

use bytes::Bytes;
use hyper::body::{Body, Frame, SizeHint};
use hyper::header::{CONTENT_LENGTH, CONTENT_TYPE, HeaderValue, RETRY_AFTER};
use hyper::{Response, StatusCode};
use serde_json::Value;
use tokio::time::Sleep;

use crate::state::files::Content as FileContent;

/// The connection is closed without an answer.
#[derive(Debug, thiserror::Error)]
#[error("the answer is lost by order")]
pub(crate) struct AnswerLostError;

/// The time in which the first half of an answer leaves, before the connection is closed.
const HALF_WITHIN: Duration = Duration::from_millis(50);
const PIECE: usize = 64 << 10;

/// The body of an answer.
pub(crate) enum Content {
    Whole(Option<Bytes>),
    /// So many zeros.
    Zeros(u64),
    /// A half, then the end of the connection.
    Half(Option<Bytes>, Pin<Box<Sleep>>),
}

impl Body for Content {
    type Data = Bytes;
    type Error = AnswerLostError;

    fn poll_frame(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
    ) -> Poll<Option<Result<Frame<Bytes>, AnswerLostError>>> {
        match &mut *self {
            Self::Whole(bytes) => Poll::Ready(bytes.take().map(|bytes| Ok(Frame::data(bytes)))),
            Self::Zeros(0) => Poll::Ready(None),
            Self::Zeros(left) => {
                static ZEROS: [u8; PIECE] = [0; PIECE];
                let size = usize::try_from(*left).unwrap_or(PIECE).min(PIECE);
                *left = left.saturating_sub(u64::try_from(size).unwrap_or(0));
                let piece = Bytes::from_static(&ZEROS).slice(..size);
                Poll::Ready(Some(Ok(Frame::data(piece))))
            }
            Self::Half(bytes, sleep) => match bytes.take() {
                Some(bytes) => Poll::Ready(Some(Ok(Frame::data(bytes)))),
                None => match sleep.as_mut().poll(context) {
                    Poll::Pending => Poll::Pending,
                    Poll::Ready(()) => Poll::Ready(Some(Err(AnswerLostError))),
                },
            },
        }
    }

    fn size_hint(&self) -> SizeHint {
        let length = |bytes: &Option<Bytes>| bytes.as_ref().map_or(0, Bytes::len);
        match self {
            Self::Whole(bytes) => SizeHint::with_exact(u64::try_from(length(bytes)).unwrap_or(0)),
            Self::Zeros(left) => SizeHint::with_exact(*left),
            Self::Half(_, _) => SizeHint::default(),
        }
    }

    fn is_end_stream(&self) -> bool {
        matches!(self, Self::Whole(None) | Self::Zeros(0))
    }
}

fn response(status: u16, kind: &str, content: Content) -> Response<Content> {
    let mut response = Response::new(content);
    *response.status_mut() =
        StatusCode::from_u16(status).unwrap_or(StatusCode::INTERNAL_SERVER_ERROR);
    let plain = HeaderValue::from_static("application/octet-stream");
    let kind = HeaderValue::from_str(kind).unwrap_or(plain);
    response.headers_mut().insert(CONTENT_TYPE, kind);
    response
}

/// Builds an answer of JSON with its status.
pub(crate) fn json(status: u16, body: &Value) -> Response<Content> {
    let text = Bytes::from(body.to_string());
    let mut response = response(status, "application/json", Content::Whole(Some(text)));
    let wait = body
        .pointer("/parameters/retry_after")
        .and_then(Value::as_i64);
    if let Some(seconds) = wait {
        response.headers_mut().insert(RETRY_AFTER, seconds.into());
    }
    response
}

/// Builds an answer with a text.
pub(crate) fn text(kind: &str, text: String) -> Response<Content> {
    bytes(kind, Bytes::from(text))
}

/// Builds an answer with bytes.
pub(crate) fn bytes(kind: &str, bytes: Bytes) -> Response<Content> {
    response(200, kind, Content::Whole(Some(bytes)))
}

/// Builds the first half of an answer of JSON, which announces the whole.
pub(crate) fn half(status: u16, body: &Value) -> Response<Content> {
    let text = Bytes::from(body.to_string());
    let length = text.len();
    let content = Content::Half(
        Some(text.slice(..length / 2)),
        Box::pin(tokio::time::sleep(HALF_WITHIN)),
    );
    let mut response = response(status, "application/json", content);
    response.headers_mut().insert(CONTENT_LENGTH, length.into());
    response
}

/// Builds the answer to a download.
pub(crate) fn file(content: FileContent, kind: Option<&str>, is_half: bool) -> Response<Content> {
    let length = content.len();
    let half = length / 2;
    let body = match (content, is_half) {
        (FileContent::Bytes(bytes), false) => Content::Whole(Some(bytes)),
        (FileContent::Size(size), false) => Content::Zeros(size),
        (FileContent::Bytes(bytes), true) => {
            let bytes = bytes.slice(..usize::try_from(half).unwrap_or(0).min(bytes.len()));
            Content::Half(Some(bytes), Box::pin(tokio::time::sleep(HALF_WITHIN)))
        }
        (FileContent::Size(_), true) => {
            let size = usize::try_from(half).unwrap_or(PIECE).min(PIECE);
            let bytes = Bytes::from(vec![0; size]);
            Content::Half(Some(bytes), Box::pin(tokio::time::sleep(HALF_WITHIN)))
        }
    };
    let mut response = response(200, kind.unwrap_or("application/octet-stream"), body);
    response.headers_mut().insert(CONTENT_LENGTH, length.into());
    response
}
