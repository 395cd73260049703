//! Answers on their way out: with headers that say how they may be kept and read, packed where that pays, and in slices,
//! so that an answer that the client does not read is not copied as a whole into the buffer of its connection.

pub(crate) mod packing;

use std::pin::Pin;
use std::task::{Context, Poll};

use actix_web::HttpResponse;
use actix_web::body::{BodySize, BoxBody, MessageBody};
use actix_web::dev::RequestHead;
use actix_web::http::Method;
use actix_web::http::header::{self, HeaderMap, HeaderValue};
use bytes::Bytes;

use crate::chat;
use switchboard_connections::intake::Answering;

/// The largest piece of a body that is copied at once, in bytes; also what a connection buffers before it writes.
pub(crate) const SLICE: usize = 16 << 10;

/// Shorter bodies are not packed: they fit one packet anyway.
const PACKED_MIN: usize = 1_400;

/// Prepares every answer. Answers of the chat interface stay as they are: its clients are programs that read each
/// answer once, and an answer has hundreds of bytes.
pub(crate) async fn sent(
    request: &RequestHead,
    response: HttpResponse<impl MessageBody + 'static>,
    answering: Option<Answering>,
) -> HttpResponse<Outgoing> {
    let (response, body) = response.into_parts();
    let mut body = Outgoing::new(body, answering);
    let mut response = response.set_body(());
    if !chat::is_chat(request.uri.path()) {
        let packs = is_for_packing(&request.method, response.headers(), &body);
        say_how_to_keep(response.headers_mut());
        if packs {
            let vary = HeaderValue::from_static("Accept-Encoding");
            response.headers_mut().insert(header::VARY, vary);
            if packing::is_taken(&request.headers) && body.pack().await {
                let gzip = HeaderValue::from_static("gzip");
                response
                    .headers_mut()
                    .insert(header::CONTENT_ENCODING, gzip);
            }
        }
    }
    response.set_body(body)
}

/// No cache may keep an answer unless the handler allows it, since it holds personal data. Browsers must not guess its
/// content type.
fn say_how_to_keep(headers: &mut HeaderMap) {
    if !headers.contains_key(header::CACHE_CONTROL) {
        let no_store = HeaderValue::from_static("no-store");
        headers.insert(header::CACHE_CONTROL, no_store);
    }
    let nosniff = HeaderValue::from_static("nosniff");
    headers.insert(header::X_CONTENT_TYPE_OPTIONS, nosniff);
}

/// Returns whether a body is JSON, long, and without a secret.
///
/// The length of a packed body shows whether a guess that it repeats is right (BREACH). For that, an attacker must make
/// a browser send requests again and again with its session, which `SameSite=Strict` prevents for another site; and a
/// secret and text that others chose must be in one body. Bodies that hold a secret are not packed: answers to requests
/// that change something, which show passwords, tokens and secrets once, and answers whose handlers set `no-store`
/// themselves, as that with the CSRF token. No list holds a secret.
fn is_for_packing(method: &Method, headers: &HeaderMap, body: &Outgoing) -> bool {
    let kind = headers.get(header::CONTENT_TYPE);
    let is_json = kind.is_some_and(|kind| kind.as_bytes().ends_with(b"json"));
    let is_guarded = headers
        .get(header::CACHE_CONTROL)
        .is_some_and(|told| told == "no-store");
    *method == Method::GET
        && is_json
        && !is_guarded
        && !headers.contains_key(header::CONTENT_ENCODING)
        && body.length() >= PACKED_MIN
}

/// The body of an answer.
pub struct Outgoing {
    content: Content,
    /// Dropped with the body: then the next request of the connection is taken.
    _answering: Option<Answering>,
}

enum Content {
    /// All of it, as it may be shared with other answers.
    Whole { rest: Bytes, size: BodySize },
    /// A body that is made while it is sent.
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

    /// The number of bytes; 0 when they are still to be made.
    fn length(&self) -> usize {
        match &self.content {
            Content::Whole { rest, .. } => rest.len(),
            Content::Stream(_) => 0,
        }
    }

    /// Packs the body; false when it stays as it was.
    async fn pack(&mut self) -> bool {
        let Content::Whole { rest, size } = &mut self.content else {
            return false;
        };
        let Ok(packed) = packing::quickly(rest).await else {
            return false;
        };
        *size = packed.size();
        *rest = packed;
        true
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
