//! A body that is proven to come from the owner of a channel: the signature is checked on the raw bytes, before
//! anything else looks at them.

use actix_web::{HttpRequest, web};
use bytes::Bytes;
use switchboard_actors::domain::installation::channels::Channel;
use switchboard_actors::domain::signature::verify_body;

use crate::http::extract::body::{self, Unread};
use crate::http::reply::chat_error::ChatError;

/// A body whose signature was right. There is no other way to get one than [`read`].
pub(crate) struct SignedBody(Bytes);

impl SignedBody {
    /// The bytes that were signed.
    pub(crate) fn bytes(&self) -> &Bytes {
        &self.0
    }
}

/// Reads the body and checks its signature, then its content type.
pub(crate) async fn read(
    request: &HttpRequest,
    payload: web::Payload,
    channel: &Channel,
    limit: usize,
) -> Result<SignedBody, ChatError> {
    let body = body::read(request, payload, limit)
        .await
        .map_err(|unread| match unread {
            Unread::TooLarge => ChatError::TooLarge(limit),
            Unread::TooSlow => ChatError::BodyTooSlow,
            Unread::BrokenOff(why) => ChatError::NotJson(format!("the body broke off: {why}")),
        })?;
    let mut signatures = request.headers().get_all("x-signature");
    let (Some(signature), None) = (signatures.next(), signatures.next()) else {
        return Err(ChatError::Signature);
    };
    if !verify_body(&channel.secret, &body, signature.as_bytes()) {
        return Err(ChatError::Signature);
    }
    if !body::is_json(request) {
        return Err(ChatError::UnsupportedMediaType);
    }
    Ok(SignedBody(body))
}
