//! One attempt: what is sent is made from what is stored, signed as bytes, handed to the sender.

use std::future::Future;
use std::pin::Pin;
use std::sync::Arc;

use bytes::Bytes;

use crate::domain::chat::channel::HookVersion;
use crate::domain::conversation::{ConversationEvent, Replied};
use crate::domain::dispatch::lane::{LaneId, OutNumber};
use crate::domain::dispatch::outcome::{Failure, Outcome};
use crate::domain::dispatch::record::Trace;
use crate::domain::dispatch::retry::Jitter;
use crate::domain::signature::sign_body;
use crate::domain::time::UnixMillis;
use crate::domain::{Recorded, keys};
use crate::port::{Attempt, CallbackSender};
use crate::runtime::env::Env;
use crate::wire::callback;

/// What came of an attempt, and its facts.
type Exchange = Pin<Box<dyn Future<Output = (Outcome, Trace)>>>;

/// An attempt that is made once it is awaited.
pub(super) struct Sending {
    pub(super) exchange: Exchange,
    /// When the message was accepted; `None` when it cannot be read.
    pub(super) accepted: Option<UnixMillis>,
}

/// Makes the attempt.
pub(super) fn exchange(
    env: &Env,
    sender: &Arc<dyn CallbackSender>,
    lane: &LaneId,
    version: HookVersion,
    number: OutNumber,
    attempt: u32,
) -> Sending {
    let now = env.clock.now();
    match prepare(env, lane, version, number, attempt) {
        Ok((attempt, accepted)) => Sending {
            exchange: sender.send(attempt),
            accepted: Some(accepted),
        },
        Err((failure, why)) => {
            tracing::warn!(conversation = %lane.conversation, number = number.0, why, "a callback cannot be sent");
            let nothing = (Outcome::Failed(failure), nothing_sent(now, why));
            Sending {
                exchange: Box::pin(std::future::ready(nothing)),
                accepted: None,
            }
        }
    }
}

/// A random number for the waits, out of random bytes.
pub(super) fn jitter(random: [u8; 16]) -> Jitter {
    let [a, b, c, d, ..] = random;
    Jitter(u32::from_le_bytes([a, b, c, d]))
}

fn prepare(
    env: &Env,
    lane: &LaneId,
    version: HookVersion,
    number: OutNumber,
    attempt: u32,
) -> Result<(Attempt, UnixMillis), (Failure, &'static str)> {
    let found = env.record(keys::outgoing(lane.conversation, number.0));
    let Ok(Some(Recorded {
        event: ConversationEvent::Replied(replied),
        ..
    })) = found
    else {
        return Err((Failure::Unknown, "the message cannot be read back"));
    };
    let channels = env.facts.channels();
    let channel = channels
        .get(lane.scope.channel())
        .ok_or((Failure::Dns, "the channel is gone"))?;
    let url = channel
        .webhook(version, &lane.scope)
        .ok_or((Failure::Dns, "the channel has no address for this version"))?;
    let now = env.clock.now();
    let body = body(lane, &replied, version, now).ok_or((
        Failure::ForbiddenAddress,
        "version 1 cannot carry a conversation that the integration has no id of",
    ))?;
    let attempt = Attempt {
        url,
        signature: sign_body(channel.signing_secret(now), &body).to_string(),
        body,
        message: replied.id,
        attempt,
        at: now,
        timeout: channel.timeout(),
    };
    Ok((attempt, replied.at))
}

/// The bytes of the callback. Everything but `time` is the same in every attempt.
fn body(lane: &LaneId, replied: &Replied, version: HookVersion, now: UnixMillis) -> Option<Bytes> {
    let callback = callback::OutgoingCallback::of(lane.scope.account(), lane.conversation, replied);
    let body = match version {
        HookVersion::V1 => callback::v1::body(&callback).ok()?,
        HookVersion::V2 => callback::v2::body(&callback, now),
    };
    Some(Bytes::from(body))
}

fn nothing_sent(began: UnixMillis, why: &str) -> Trace {
    Trace {
        began,
        address: None,
        connected_ms: None,
        answered_ms: None,
        took_ms: 0,
        excerpt: why.to_owned(),
    }
}
