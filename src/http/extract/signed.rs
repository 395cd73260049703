//! A body that is proven to come from the owner of a channel: the signature is checked on the raw bytes, before
//! anything else looks at them.

use actix_web::{HttpRequest, web};
use bytes::Bytes;
use switchboard_actors::KnownChannel;
use switchboard_actors::domain::installation::channels::Channel;
use switchboard_actors::domain::signature::doctor;

use crate::http::extract::body::{self, Unread};
use crate::http::reply::chat_error::ChatError;
use crate::http::state::AppState;

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
    channel: &KnownChannel,
    state: &AppState,
) -> Result<SignedBody, ChatError> {
    let limit = state.body_limit();
    let body = body::read(request, payload, limit)
        .await
        .map_err(|unread| match unread {
            Unread::TooLarge => ChatError::TooLarge(limit),
            Unread::TooSlow => ChatError::BodyTooSlow,
            Unread::BrokenOff(why) => ChatError::NotJson(format!("the body broke off: {why}")),
        })?;
    let mut signatures = request.headers().get_all(HEADER);
    let signature = signatures.next().map(|value| value.as_bytes());
    let only = signatures.next().is_none();
    let verify = |signature| channel.verify(&body, signature, state.now());
    let right = only && signature.is_some_and(verify);
    if !right {
        return Err(ChatError::Signature {
            hint: state
                .signature_hints()
                .then(|| hint(state, &channel.channel, &body, signature))
                .flatten(),
        });
    }
    if !body::is_json(request) {
        return Err(ChatError::UnsupportedMediaType);
    }
    Ok(SignedBody(body))
}

const HEADER: &str = "x-signature";

/// What the signer probably did wrong. Only for somebody whose signature was refused.
fn hint(
    state: &AppState,
    channel: &Channel,
    body: &[u8],
    signature: Option<&[u8]>,
) -> Option<String> {
    let now = state.now();
    let old = channel.rotating(now).map(|rotation| &rotation.old);
    let mistake = std::iter::once(&channel.secret)
        .chain(old)
        .find_map(|secret| doctor::examine(secret, body, signature));
    if let Some(mistake) = mistake {
        return Some(mistake.hint().to_owned());
    }
    let signature = signature?;
    let others = state.system().channels();
    let other = others
        .iter()
        .filter(|other| other.id != channel.id)
        .take(CHANNELS_MAX);
    let other = other
        .into_iter()
        .find(|other| doctor::is_of(&other.secret, body, signature))?;
    Some(format!(
        "this is signed with the secret of the channel «{}»",
        other.name
    ))
}

/// How many other channels' secrets are tried.
const CHANNELS_MAX: usize = 100;
