//! One attempt: the bytes and headers as they came, to the address as it is now.

use std::fmt::Write as _;
use std::sync::Arc;

use crate::domain::dispatch::delivery_queue::OutNumber;
use crate::domain::dispatch::outcome::AttemptFailure;
use crate::domain::keys;
use crate::domain::relays::{ACCOUNT_HOOKS, COUNTERPART, RelayChat, RelayQueueId};
use crate::domain::signature::Signer;
use crate::relays::job::{AttemptResult, RelayJob};
use crate::relays::{ids, post};
use bytes::Bytes;
use switchboard_relay::hooks::{RelayedHook, RelayedHooksEvent};
use switchboard_runtime::error::UnavailableError;
use switchboard_runtime::port::{CallbackSender, RelayAttempt};
use switchboard_runtime::shared::Kernel;

/// Makes the attempt.
pub(super) async fn make(
    kernel: Kernel,
    sender: Arc<dyn CallbackSender>,
    job: RelayJob,
) -> AttemptResult {
    let began = kernel.clock.now();
    let unsent = |failure, why| AttemptResult::unsent(began, failure, why);
    let (mut hook, body) = match stored_hook(&kernel, job.queue.of_relay(), job.number) {
        Ok(Some(hook)) => hook,
        // Its customer was erased, and with them what it said.
        Ok(None) => return unsent(AttemptFailure::NotExpressible, "the hook was erased"),
        Err(error) => {
            tracing::warn!(%error, number = job.number.0, "a relayed hook cannot be read back");
            return unsent(AttemptFailure::Unknown, "the hook cannot be read back");
        }
    };
    if job.queue.target.place == COUNTERPART {
        return post::make(kernel, sender, job, hook, body).await;
    }
    // Who asked for another delivery wants it, whatever its age.
    if !job.is_replay && hook.is_stale(began) {
        return AttemptResult {
            is_stale: true,
            ..unsent(AttemptFailure::NotExpressible, "too old to be of use")
        };
    }
    let body = match with_own_ids(&kernel, job.queue, &mut hook, body) {
        Ok(body) => body,
        Err(error) => {
            tracing::warn!(%error, number = job.number.0, "the ids of a hook cannot be read back");
            return unsent(AttemptFailure::Unknown, "the ids cannot be read back");
        }
    };
    let Some(attempt) = attempt_of(&kernel, job.queue, &hook, body, job.attempt) else {
        return unsent(
            AttemptFailure::NoAddress,
            "the relay has no such target any more",
        );
    };
    let (outcome, trace) = sender.send_relayed(attempt).await;
    AttemptResult {
        outcome,
        trace,
        is_stale: false,
    }
}

/// The body of a hook as the bridge understands it. A relay that answers messages before they go up gave the bridge ids of its own: a
/// hook that names such a message by the counterpart's id gets ours, and a signature over the bytes that it has now.
fn with_own_ids(
    kernel: &Kernel,
    queue: RelayQueueId,
    hook: &mut RelayedHook,
    body: Bytes,
) -> Result<Bytes, UnavailableError> {
    let relay = kernel.shared.relays.get(queue.target.relay);
    let settings = relay.map(|relay| &relay.settings);
    let Some(settings) = settings.filter(|it| it.posts_to.is_some()) else {
        return Ok(body);
    };
    let Some(other) = ids::own_ids(kernel, queue.target.relay, &body)? else {
        return Ok(body);
    };
    if queue.target.place != ACCOUNT_HOOKS {
        let signature = Signer::new(&settings.secret).sign(&other);
        hook.envelope.signature = Some(signature.to_string());
    }
    Ok(other)
}

/// The attempt to pass on a hook; none when the relay or its target is gone, and for a post of the bridge.
pub(crate) fn attempt_of(
    kernel: &Kernel,
    queue: RelayQueueId,
    hook: &RelayedHook,
    body: Bytes,
    attempt: u32,
) -> Option<RelayAttempt> {
    let relay = kernel.shared.relays.get(queue.target.relay)?;
    let place = queue.target.place;
    if hook.post.is_some() {
        return None;
    }
    let url = relay.settings.address(place, hook.scope.as_ref())?;
    Some(RelayAttempt {
        url: url.into(),
        body,
        envelope: hook.envelope.clone(),
        id: request_id(queue.of_relay(), hook),
        received: hook.at,
        is_unverified: place == ACCOUNT_HOOKS,
        attempt,
        at: kernel.clock.now(),
        timeout: relay.settings.bounds.timeout,
    })
}

/// A hook with its bytes as it is stored; none when it was erased.
pub(crate) fn stored_hook(
    kernel: &Kernel,
    chat: RelayChat,
    number: OutNumber,
) -> Result<Option<(RelayedHook, Bytes)>, UnavailableError> {
    let record = kernel.record::<RelayedHooksEvent>(keys::relays::hook(chat, number))?;
    Ok(record.and_then(|record| match record.event {
        RelayedHooksEvent::Received(hook) => Some((*hook, record.blob)),
        RelayedHooksEvent::Answered { .. } | RelayedHooksEvent::Erased { .. } => None,
    }))
}

/// The id of a hook, the same in every attempt: the counterpart's id of the message, if a header can have it.
fn request_id(chat: RelayChat, hook: &RelayedHook) -> String {
    let is_plain = |id: &&String| id.bytes().all(|byte| byte.is_ascii_graphic());
    if let Some(id) = hook.message.as_ref().filter(is_plain) {
        return id.clone();
    }
    let mut id = String::with_capacity(40);
    for byte in chat.chat.bytes() {
        // Writing into memory cannot fail.
        write!(id, "{byte:02x}").unwrap_or_default();
    }
    format!("{id}-{}", hook.number.0)
}
