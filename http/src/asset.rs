//! A file that is part of the program, ready to be sent.

use actix_web::http::StatusCode;
use actix_web::http::header::{self, HeaderName};
use actix_web::{HttpRequest, HttpResponse, HttpResponseBuilder};
use bytes::Bytes;
use sha2::{Digest, Sha256};

use crate::outgoing::packing;

/// A header with its value.
pub(crate) type Header = (HeaderName, &'static str);

/// A file as it is sent.
#[derive(Clone, Debug)]
pub(crate) struct Asset {
    media_type: &'static str,
    /// The file.
    bytes: Bytes,
    /// The same, packed with gzip.
    packed: Bytes,
    /// The entity tag of this content, with its quotation marks.
    tag: String,
}

impl Asset {
    /// The file with this content.
    pub(crate) fn new(media_type: &'static str, bytes: Bytes) -> Self {
        let digest = hex::encode(Sha256::digest(&bytes));
        let tag = digest.get(..32).unwrap_or(&digest);
        Self {
            media_type,
            packed: packing::best(&bytes),
            tag: format!("\"{tag}\""),
            bytes,
        }
    }

    /// The answer to a request for the file: nothing if the client has it already.
    pub(crate) fn answer(&self, request: &HttpRequest, headers: &[Header]) -> HttpResponse {
        let value = request.headers().get(header::IF_NONE_MATCH);
        let tags = value.and_then(|value| value.to_str().ok()).unwrap_or("");
        if tags.split(',').any(|tag| self.has_tag(tag)) {
            return self.builder(StatusCode::NOT_MODIFIED, headers).finish();
        }
        let mut response = self.builder(StatusCode::OK, headers);
        response.content_type(self.media_type);
        if packing::is_taken(request.headers()) {
            response.insert_header((header::CONTENT_ENCODING, "gzip"));
            return response.body(self.packed.clone());
        }
        response.body(self.bytes.clone())
    }

    /// The file as an answer with another status.
    pub(crate) fn with_status(&self, status: StatusCode, headers: &[Header]) -> HttpResponse {
        let mut response = self.builder(status, headers);
        response.content_type(self.media_type);
        response.body(self.bytes.clone())
    }

    /// Returns whether a tag of the client names this content, in any encoding.
    fn has_tag(&self, tag: &str) -> bool {
        let tag = tag.trim();
        tag.strip_prefix("W/").unwrap_or(tag) == self.tag || tag == "*"
    }

    fn builder(&self, status: StatusCode, headers: &[Header]) -> HttpResponseBuilder {
        let mut response = HttpResponse::build(status);
        // Kept, but asked for each time: the names are the same in every release.
        response.insert_header((header::CACHE_CONTROL, "no-cache"));
        for (name, value) in headers {
            response.insert_header((name, *value));
        }
        // Weak: the packed bytes have the same tag.
        response.insert_header((header::ETAG, format!("W/{}", self.tag)));
        response.insert_header((header::VARY, "Accept-Encoding"));
        response
    }
}
