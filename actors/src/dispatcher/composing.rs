//! The request for a message: its bytes as they are at this moment, signed as bytes.

use crate::domain::conversation::Outgoing;
use crate::domain::dispatch::delivery_queue::QueueId;
use crate::domain::hook_version::HookVersion;
use crate::domain::time::UnixMillis;
use crate::wire::callback::{OutgoingCallback, action, v1, v2};
use switchboard_runtime::caches::read_cache::KnownChannel;
use switchboard_runtime::port::Attempt;

/// The reason why a message has no form that could be sent.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum ComposeError {
    /// The channel has no address for the version.
    NoAddress,
    /// Version 1 has no room for it: no id of the integration's for the conversation, or a reaction.
    NoRoom,
}

/// The attempt with this number, made now. Everything but `time` in the body is the same in every attempt.
pub(crate) fn compose(
    channel: &KnownChannel,
    queue: &QueueId,
    outgoing: &Outgoing,
    version: HookVersion,
    number: u32,
    now: UnixMillis,
) -> Result<Attempt, ComposeError> {
    let url = channel
        .webhook(version, &queue.scope)
        .ok_or(ComposeError::NoAddress)?;
    let (account, conversation) = (queue.scope.account(), queue.conversation);
    let of = |replied| OutgoingCallback::from_replied(account, conversation, replied);
    let body = match (outgoing, version) {
        (Outgoing::Message(replied), HookVersion::V1) => {
            v1::body(&of(replied)).map_err(|_no_room| ComposeError::NoRoom)?
        }
        (Outgoing::Message(replied), HookVersion::V2) => v2::body(&of(replied), now),
        (Outgoing::Reaction(_), HookVersion::V1) => return Err(ComposeError::NoRoom),
        (Outgoing::Reaction(reaction), HookVersion::V2) => {
            action::reaction(account, conversation, reaction, now)
        }
    };
    Ok(Attempt {
        url,
        signature: channel.sign(&body, now).to_string(),
        body: body.into(),
        message: outgoing.id(),
        attempt: number,
        at: now,
        timeout: channel.channel.timeout(),
    })
}
