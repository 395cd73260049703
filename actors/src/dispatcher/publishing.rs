//! The log of the dispatcher: one line for each event that may concern the operator.

use crate::domain::dispatch::effect::DispatchEvent;
use crate::domain::dispatch::endpoint::EndpointId;
use crate::domain::dispatch::reason::Reason;
use switchboard_runtime::live::event::{Audience, Health, LiveEvent, What};
use switchboard_runtime::live::feed::Feed;

/// Logs an event, and passes it to the feed if it concerns account users.
pub(super) fn publish(dispatch_event: &DispatchEvent, feed: &Feed) {
    if let Some(event) = live(dispatch_event) {
        feed.publish(event);
    }
    match dispatch_event {
        DispatchEvent::EndpointOpened { endpoint } => {
            tracing::warn!(channel = %endpoint.channel, version = %endpoint.version, "callbacks fail and are held; the address is probed");
        }
        DispatchEvent::EndpointRecovered { endpoint } => {
            tracing::info!(channel = %endpoint.channel, version = %endpoint.version, "the callback queue accepts callbacks again");
        }
        DispatchEvent::EndpointStillFails { endpoint, probed } => {
            let hours = probed.as_secs() / 3_600;
            tracing::warn!(channel = %endpoint.channel, version = %endpoint.version, hours, "callbacks still fail and are held; the address is probed");
        }
        DispatchEvent::EndpointDisabled { endpoint, why } => {
            let why = Reason::of_disabled(*why);
            tracing::error!(channel = %endpoint.channel, version = %endpoint.version, %why, "callbacks are held until an operator switches the address on again");
        }
        DispatchEvent::MessageWaits {
            queue,
            number,
            held,
        } => {
            // Each message of a long queue waits; the log has one warning for their endpoint.
            let why = held.map(|why| Reason::of_hold(why, queue.conversation).to_string());
            tracing::debug!(conversation = %queue.conversation, number = number.0, why, "a callback waits");
        }
        DispatchEvent::MessageDied {
            queue,
            number,
            reason,
        } => {
            tracing::warn!(conversation = %queue.conversation, number = number.0, why = %reason, "a callback was given up");
        }
    }
}

/// The event for account users: the health of an address of their channels. The outcome of a message is stored, and
/// reported from its record.
fn live(dispatch_event: &DispatchEvent) -> Option<LiveEvent> {
    let event = |endpoint: &EndpointId, health| LiveEvent {
        number: None,
        audience: Audience::Channel(endpoint.channel.clone()),
        what: What::Health(endpoint.version, health),
    };
    match dispatch_event {
        DispatchEvent::EndpointOpened { endpoint } => Some(event(endpoint, Health::Failing)),
        DispatchEvent::EndpointRecovered { endpoint } => Some(event(endpoint, Health::Recovered)),
        DispatchEvent::EndpointDisabled { endpoint, .. } => Some(event(endpoint, Health::Disabled)),
        DispatchEvent::EndpointStillFails { .. }
        | DispatchEvent::MessageWaits { .. }
        | DispatchEvent::MessageDied { .. } => None,
    }
}
