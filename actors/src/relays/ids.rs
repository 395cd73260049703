//! The ids of messages that a relay answered before they went up: the bridge knows them by ids of ours, the counterpart by its own.

use std::borrow::Cow;

use bytes::Bytes;

use crate::domain::id::MessageId;
use crate::domain::keys;
use crate::domain::relays::{COUNTERPART, RelayChat, RelayId, RelayQueueId, RelayTarget};
use switchboard_engine::runtime::kernel::decode;
use switchboard_engine::state::State as _;
use switchboard_relay::deliveries::RelayDeliveryEvent;
use switchboard_relay::hooks::{RelayedHooks, RelayedHooksEvent};
use switchboard_relay::ids;
use switchboard_runtime::error::UnavailableError;
use switchboard_runtime::shared::Kernel;

/// The reason that an id cannot be exchanged now.
#[derive(Debug)]
enum ExchangeError {
    /// The message has not gone up yet.
    Waits,
    /// Something cannot be read.
    Unavailable(UnavailableError),
}

impl From<UnavailableError> for ExchangeError {
    fn from(error: UnavailableError) -> Self {
        Self::Unavailable(error)
    }
}

/// A request of a bridge with the ids of the counterpart in the place of ours.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum RealIds {
    /// It names none of ours.
    Same,
    /// It names the counterpart's now.
    Exchanged {
        /// The path with its query.
        target: String,
        /// The body.
        body: Bytes,
    },
    /// It names a message that the counterpart has not answered yet.
    Waits,
}

/// Returns the request with the ids of the counterpart. What waits in the conversation `behind` is no reason to wait: the request goes
/// up after it.
pub(crate) fn real_ids(
    kernel: &Kernel,
    relay: RelayId,
    target: &str,
    body: &Bytes,
    behind: Option<RelayChat>,
) -> Result<RealIds, UnavailableError> {
    let real = |id: &str| real_id(kernel, relay, id, behind);
    let exchange = || {
        let target = ids::in_target(target, real)?;
        Ok((target, ids::in_body(body, real)?))
    };
    match exchange() {
        Ok((Cow::Borrowed(_), None)) => Ok(RealIds::Same),
        Ok((target, other)) => Ok(RealIds::Exchanged {
            target: target.into_owned(),
            body: other.unwrap_or_else(|| body.clone()),
        }),
        Err(ExchangeError::Waits) => Ok(RealIds::Waits),
        Err(ExchangeError::Unavailable(error)) => Err(error),
    }
}

/// Returns the body with our ids in the place of those of the counterpart; none when it names no message of which the bridge has another
/// id.
pub(crate) fn own_ids(
    kernel: &Kernel,
    relay: RelayId,
    body: &[u8],
) -> Result<Option<Bytes>, UnavailableError> {
    ids::in_body(body, |id| {
        let key = keys::relays::real_id(relay, id);
        let answer = kernel.record::<RelayedHooksEvent>(key)?;
        Ok(answer.and_then(|record| match record.event {
            RelayedHooksEvent::Answered { own, .. } => Some(own.to_string()),
            RelayedHooksEvent::Received(_) | RelayedHooksEvent::Erased { .. } => None,
        }))
    })
}

/// The counterpart's id of a message that the bridge knows by an id of ours; none when it is none of ours, or when the counterpart never
/// gave one.
fn real_id(
    kernel: &Kernel,
    relay: RelayId,
    id: &str,
    behind: Option<RelayChat>,
) -> Result<Option<String>, ExchangeError> {
    let Ok(own) = id.parse::<MessageId>() else {
        return Ok(None);
    };
    let key = keys::relays::own_id(relay, own);
    let Some(position) = kernel.index.find(key).map_err(UnavailableError::from)? else {
        return Ok(None);
    };
    let record = kernel
        .reader
        .read(position)
        .map_err(UnavailableError::from)?;
    let event: RelayedHooksEvent = decode(&record)?;
    let (RelayedHooksEvent::Received(hook), Some(chat)) =
        (event, RelayedHooks::id_of(&record.stream))
    else {
        return Ok(None);
    };
    let answer = keys::relays::answer(chat, hook.number);
    if let Some(record) = kernel.record::<RelayedHooksEvent>(answer)?
        && let RelayedHooksEvent::Answered { real, .. } = record.event
    {
        return Ok(Some(real));
    }
    if behind == Some(chat) {
        return Ok(None);
    }
    let delivery = keys::relays::delivery(queue_of_posts(chat), hook.number);
    let newest = kernel.record::<RelayDeliveryEvent>(delivery)?;
    let is_final = newest.is_some_and(|it| it.event.delivery().record.state.is_final());
    if is_final {
        Ok(None)
    } else {
        Err(ExchangeError::Waits)
    }
}

/// The queue of the posts of a conversation.
pub(crate) fn queue_of_posts(chat: RelayChat) -> RelayQueueId {
    RelayQueueId {
        target: RelayTarget {
            relay: chat.relay,
            place: COUNTERPART,
        },
        chat: chat.chat,
    }
}
