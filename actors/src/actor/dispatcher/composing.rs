//! What is sent of a message: its bytes as they are at this moment, signed as bytes.

use crate::domain::chat::channel::HookVersion;
use crate::domain::chat::outgoing::OutgoingContent;
use crate::domain::conversation::Replied;
use crate::domain::dispatch::lane::LaneId;
use crate::domain::installation::channels::Channel;
use crate::domain::signature::sign_body;
use crate::domain::time::UnixMillis;
use crate::port::Attempt;
use crate::wire::callback::{OutgoingCallback, v1, v2};

/// Why a message has no form that could be sent.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Unsendable {
    /// The channel has no address for the version.
    NoAddress,
    /// Version 1 has no room for it: no id of the integration's for the conversation, or a reaction.
    NoRoom,
}

/// The attempt with this number, made now. Everything but `time` in the body is the same in every attempt.
pub(crate) fn compose(
    channel: &Channel,
    lane: &LaneId,
    replied: &Replied,
    version: HookVersion,
    number: u32,
    now: UnixMillis,
) -> Result<Attempt, Unsendable> {
    let url = channel.webhook(version, &lane.scope);
    let url = url.ok_or(Unsendable::NoAddress)?;
    let callback = OutgoingCallback::of(lane.scope.account(), lane.conversation, replied);
    let body = match version {
        HookVersion::V1 if matches!(callback.content, OutgoingContent::Sign(_)) => {
            return Err(Unsendable::NoRoom);
        }
        HookVersion::V1 => v1::body(&callback).map_err(|_no_room| Unsendable::NoRoom)?,
        HookVersion::V2 => v2::body(&callback, now),
    };
    Ok(Attempt {
        url,
        signature: sign_body(channel.signing_secret(now), &body).to_string(),
        body: body.into(),
        message: replied.id,
        attempt: number,
        at: now,
        timeout: channel.timeout(),
    })
}
