//! What the dispatcher tells people: one line in the log for each thing that somebody may want to know.

use crate::domain::dispatch::effect::Tidings;
use crate::domain::dispatch::endpoint::EndpointId;
use crate::system::live::feed::Feed;
use crate::system::live::{Audience, Health, LiveEvent, What};

/// Tells it.
pub(super) fn tell(tidings: &Tidings, feed: &Feed) {
    if let Some(event) = live(tidings) {
        feed.tell(event);
    }
    match tidings {
        Tidings::EndpointOpened { endpoint } => {
            tracing::warn!(channel = %endpoint.channel, version = %endpoint.version, "callbacks fail and are held; the address is probed");
        }
        Tidings::EndpointRecovered { endpoint } => {
            tracing::info!(channel = %endpoint.channel, version = %endpoint.version, "callbacks are taken again");
        }
        Tidings::EndpointDisabled { endpoint, why } => {
            tracing::error!(channel = %endpoint.channel, version = %endpoint.version, ?why, "callbacks are held until an operator switches the address on again");
        }
        Tidings::MessageWaits { lane, number, held } => {
            // Each message of a long queue waits; that of its endpoint was told as a warning.
            tracing::debug!(conversation = %lane.conversation, number = number.0, ?held, "a callback waits");
        }
        Tidings::MessageDied { lane, number, why } => {
            tracing::warn!(conversation = %lane.conversation, number = number.0, ?why, "a callback was given up");
        }
    }
}

/// What account users hear of: how the addresses of their channels do. What becomes of a message is stored, and told then.
fn live(tidings: &Tidings) -> Option<LiveEvent> {
    let event = |endpoint: &EndpointId, health| LiveEvent {
        number: None,
        audience: Audience::Channel(endpoint.channel.clone()),
        what: What::Health(endpoint.version, health),
    };
    match tidings {
        Tidings::EndpointOpened { endpoint } => Some(event(endpoint, Health::Failing)),
        Tidings::EndpointRecovered { endpoint } => Some(event(endpoint, Health::Recovered)),
        Tidings::EndpointDisabled { endpoint, .. } => Some(event(endpoint, Health::Disabled)),
        Tidings::MessageWaits { .. } | Tidings::MessageDied { .. } => None,
    }
}
