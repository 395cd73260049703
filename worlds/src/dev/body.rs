//! Bodies of requests and answers on the way to worlds and to the service.

use std::error::Error;

use bytes::Bytes;
use http_body_util::combinators::UnsyncBoxBody;

/// The body of an answer.
pub(super) type Body = UnsyncBoxBody<Bytes, BodyError>;

/// A body that is passed on to the service.
pub(super) type SentBody = UnsyncBoxBody<Bytes, hyper::Error>;

/// The error of a body whose connection is to break.
pub(super) type BodyError = Box<dyn Error + Send + Sync>;
