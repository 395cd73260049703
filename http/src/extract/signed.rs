//! A body that is proven to come from the owner of a channel: the signature is checked on the raw bytes, before
//! anything else looks at them.

use actix_http::{HttpMessage as _, Payload, Request};
use actix_web::http::Method;
use actix_web::http::header::{self, HeaderName};
use bytes::Bytes;
use switchboard_actors::KnownChannel;
use switchboard_actors::domain::account::throttle::ThrottleError;
use switchboard_actors::domain::generation::Generation;
use switchboard_actors::domain::installation::channels::Channel;
use switchboard_actors::domain::signature::request::Presented;
use switchboard_actors::domain::time::UnixMillis;
use switchboard_actors::error::UnavailableError;
use switchboard_actors::wire::chat_body::Rules;
use switchboard_diagnosis::{self as diagnosis, Mistake};
use switchboard_gate::limits::connection::{BodyOwner, Connection};

use crate::extract::body::{self, BodyReadError};
use crate::extract::origin;
use crate::reply::chat_error::ChatError;
use crate::state::AppState;
use switchboard_diagnosis::hint::{Hint, OtherHint};

/// A body whose signature was right.
///
/// ```
/// use switchboard_http::extract::signed::SignedBody;
///
/// fn parse(_: &SignedBody) {}
/// ```
///
/// Only the check of a signature makes one:
///
/// ```compile_fail,E0451
/// use switchboard_http::extract::signed::SignedBody;
///
/// fn forge(bytes: bytes::Bytes) -> SignedBody {
///     SignedBody { bytes, generation: panic!("not reached") }
/// }
/// ```
pub struct SignedBody {
    bytes: Bytes,
    generation: Generation,
}

impl SignedBody {
    /// The bytes that were signed.
    pub(crate) fn bytes(&self) -> &Bytes {
        &self.bytes
    }

    /// The rules that the body is read by: those of the generation that its signer speaks.
    pub(crate) fn rules(&self) -> Rules {
        Rules::for_generation(self.generation)
    }
}

/// The clock by which the `Date` of a request counts, in place of those of the service: worlds order a wrong one.
#[derive(Clone, Copy, Debug)]
pub struct SignerClock(pub UnixMillis);

/// Reads the body. Nothing may look into it before `proven` has. What is not signed at all is not waited for: nothing
/// that its body may say makes it right.
pub async fn body(
    request: &Request,
    payload: Payload,
    channel: &KnownChannel,
    state: &AppState,
) -> Result<Bytes, ChatError> {
    let limit = state.body_limit();
    let is_signed = request.headers().contains_key(&SIGNATURE);
    let prove = || prove_head(request, channel, state);
    let body = body::read(request, payload, limit, is_signed, prove).await;
    body.map_err(|unread| match unread {
        BodyReadError::TooLarge => ChatError::TooLarge(limit),
        BodyReadError::TooSlow(limit) => ChatError::TooSlow(body::too_slow(limit)),
        BodyReadError::BrokenOff(why) => ChatError::NotJson(why.to_owned()),
        BodyReadError::NotThere => ChatError::Signature {
            hint: state.signature_hints().then(|| Mistake::Missing.into()),
        },
        BodyReadError::GivenUp => ChatError::TooSlow(body::GIVEN_UP.to_owned()),
        BodyReadError::Busy => UnavailableError::Busy.into(),
    })
}

/// Shows the connection whose body is awaited, when the head alone proves it: the current generation signs headers, of which
/// one has the digest of the body.
fn prove_head(request: &Request, channel: &KnownChannel, state: &AppState) {
    let signature = only(request, &SIGNATURE).map(<[u8]>::trim_ascii);
    let (Some(connection), Some(signature)) = (request.conn_data::<Connection>(), signature) else {
        return;
    };
    let presented = presented(request, &[]);
    let mut clocks = clocks(request, state);
    if clocks.any(|now| channel.proves_head(&presented, signature, now)) {
        connection.prove(BodyOwner::Channel(channel.channel.id.clone()));
    }
}

/// Checks the signature of the body, then its content type. `wanted` is the generation that the operation belongs to; both
/// are taken when it is `None`, unless the channel is set to one of them.
pub(crate) fn proven(
    request: &Request,
    body: Bytes,
    channel: &KnownChannel,
    wanted: Option<Generation>,
    state: &AppState,
) -> Result<SignedBody, ChatError> {
    let generation = prove(request, &body, channel, wanted, state)?;
    state.limits().of_channel(&channel.channel.id)?;
    // A request that only reads needs no body, so its content type does not matter.
    if request.method() != Method::GET && !body::is_json(request.headers()) {
        return Err(ChatError::UnsupportedMediaType);
    }
    Ok(SignedBody {
        bytes: body,
        generation,
    })
}

fn prove(
    request: &Request,
    body: &[u8],
    channel: &KnownChannel,
    wanted: Option<Generation>,
    state: &AppState,
) -> Result<Generation, ChatError> {
    let pinned = channel.channel.settings.generation;
    let presented = presented(request, body);
    // Blanks around a value are no part of it, whatever parser has left them there.
    let signature = only(request, &SIGNATURE).map(<[u8]>::trim_ascii);
    let proves = |wanted| {
        let mut clocks = clocks(request, state);
        signature.and_then(|it| clocks.find_map(|now| channel.proves(&presented, it, wanted, now)))
    };
    // A channel that is set to one generation has no operations of the other.
    let possible = pinned.is_none_or(|pinned| wanted.is_none_or(|wanted| wanted == pinned));
    let candidate = wanted.or(pinned);
    if possible && let Some(generation) = proves(candidate) {
        return Ok(generation);
    }
    // Counted only here: a valid signature passes, however many invalid ones there were.
    let address = origin::client_address(request.head(), state);
    let guesses = state.guesses();
    guesses
        .wrong_signature(state.system(), &channel.channel.id, address)
        .map_err(|ThrottleError(wait)| ChatError::TooManyWrong(wait))?;
    let hint = || {
        let count = |name| request.headers().get_all(name).count();
        if let Some(name) = ONCE.into_iter().find(|name| count(*name) > 1) {
            return OtherHint::HeaderTwice { name }.into();
        }
        // How a channel is set is for those only who have its secret.
        if !possible && proves(candidate).is_some() {
            return OtherHint::PinnedTo2019.into();
        }
        let now = clocks(request, state).next().unwrap_or(state.now());
        hint(
            state,
            &channel.channel,
            &presented,
            signature,
            candidate,
            now,
        )
    };
    Err(ChatError::Signature {
        hint: state.signature_hints().then(hint),
    })
}

/// The times by which `Date` counts: one of them has to be near.
fn clocks(request: &Request, state: &AppState) -> impl Iterator<Item = UnixMillis> {
    let ordered = request.extensions().get::<SignerClock>().copied();
    let own = [Some(state.now()), state.machine_time()];
    let times = ordered.map_or(own, |SignerClock(now)| [Some(now), None]);
    times.into_iter().flatten()
}

static SIGNATURE: HeaderName = HeaderName::from_static("x-signature");
static CONTENT_MD5: HeaderName = HeaderName::from_static("content-md5");
/// Headers that may come only once: the service cannot know which of several values the signer used.
const ONCE: [&str; 4] = ["X-Signature", "Content-MD5", "Date", "Content-Type"];

/// The request as signatures know it.
fn presented<'a>(request: &'a Request, body: &'a [u8]) -> Presented<'a> {
    Presented {
        method: request.method().as_str(),
        path: request.uri().path(),
        query: request.uri().query(),
        host: request
            .headers()
            .get(header::HOST)
            .and_then(|host| host.to_str().ok()),
        content_md5: only(request, &CONTENT_MD5),
        content_type: only(request, &header::CONTENT_TYPE),
        date: only(request, &header::DATE),
        body,
    }
}

/// A header that was sent once.
fn only<'a>(request: &'a Request, name: &HeaderName) -> Option<&'a [u8]> {
    let mut values = request.headers().get_all(name);
    let first = values.next()?;
    values.next().is_none().then_some(first.as_bytes())
}

/// The probable mistake of the signer. Only for a caller whose signature was refused.
pub(crate) fn hint(
    state: &AppState,
    channel: &Channel,
    presented: &Presented<'_>,
    signature: Option<&[u8]>,
    wanted: Option<Generation>,
    now: UnixMillis,
) -> Hint {
    let old = channel.rotating(now).map(|rotation| &rotation.old);
    let mistake = std::iter::once(&channel.secret)
        .chain(old)
        .find_map(|secret| diagnosis::diagnose(secret, presented, signature, wanted, now));
    if let Some(mistake) = mistake {
        return mistake.into();
    }
    let signature = signature.unwrap_or_default();
    let channels = state.system().channels();
    let mut others = channels
        .iter()
        .filter(|other| other.id != channel.id)
        .take(CHANNELS_MAX.min(HASHED_MAX / presented.body.len().max(1)));
    match others.find(|other| diagnosis::is_of(&other.secret, presented, signature)) {
        Some(other) => OtherHint::OtherChannel {
            channel: other.settings.name.to_string(),
        },
        None => OtherHint::UnexplainedSignature {
            compared: diagnosis::unexplained(presented.body),
        },
    }
    .into()
}

/// The most secrets of other channels that are tried.
const CHANNELS_MAX: usize = 100;
/// The most bytes that are hashed for that: a caller without a secret must not cause much work.
const HASHED_MAX: usize = 128 * 1_024;
