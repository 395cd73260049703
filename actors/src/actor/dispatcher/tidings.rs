//! What the dispatcher tells people: one line in the log for each thing that somebody may want to know.

use crate::domain::dispatch::effect::Tidings;

/// Tells it.
pub(super) fn tell(tidings: &Tidings) {
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
            tracing::info!(conversation = %lane.conversation, number = number.0, ?held, "a callback waits");
        }
        Tidings::MessageDied { lane, number, why } => {
            tracing::warn!(conversation = %lane.conversation, number = number.0, ?why, "a callback was given up");
        }
    }
}
