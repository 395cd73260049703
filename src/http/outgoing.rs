//! The body of an answer on its way out: in slices, so that an answer that nobody reads is not copied as a whole into the
//! buffer of its connection.

use std::pin::Pin;
use std::task::{Context, Poll};

use actix_web::body::{BodySize, BoxBody, MessageBody};
use bytes::Bytes;

use crate::http::server::intake::Answering;

/// How much of a body is copied at once, in bytes; also what a connection buffers before it writes.
pub(crate) const SLICE: usize = 16 << 10;

/// The body of an answer.
pub(crate) struct Outgoing {
    content: Content,
    /// Dropped with the body: then the next request of the connection is taken.
    _answering: Option<Answering>,
}

enum Content {
    /// All of it, as it may be shared with other answers.
    Whole { rest: Bytes, size: BodySize },
    /// What is made while it is sent.
    Stream(BoxBody),
}

impl Outgoing {
    pub(crate) fn new(body: impl MessageBody + 'static, answering: Option<Answering>) -> Self {
        let size = body.size();
        let content = match body.try_into_bytes() {
            Ok(rest) => Content::Whole { rest, size },
            Err(stream) => Content::Stream(stream.boxed()),
        };
        Self {
            content,
            _answering: answering,
        }
    }
}

impl MessageBody for Outgoing {
    type Error = Box<dyn std::error::Error>;

    fn size(&self) -> BodySize {
        match &self.content {
            Content::Whole { size, .. } => *size,
            Content::Stream(body) => body.size(),
        }
    }

    fn poll_next(
        self: Pin<&mut Self>,
        context: &mut Context<'_>,
    ) -> Poll<Option<Result<Bytes, Self::Error>>> {
        match &mut self.get_mut().content {
            Content::Whole { rest, .. } if rest.is_empty() => Poll::Ready(None),
            Content::Whole { rest, .. } => {
                let slice = rest.split_to(rest.len().min(SLICE));
                Poll::Ready(Some(Ok(slice)))
            }
            Content::Stream(body) => Pin::new(body).poll_next(context),
        }
    }
}
