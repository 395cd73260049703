//! The health of an endpoint, in words for people and in fields for programs.

use switchboard_actors::domain::dispatch::endpoint::EndpointState;
use switchboard_actors::domain::dispatch::reason::{Reason, ReasonFields};
use switchboard_actors::domain::time::UnixMillis;
use switchboard_actors::system::metrics::{HEALTHS, health_name};

use crate::openapi::Seconds;

view! {
    /// The health of an address for callbacks.
    pub(crate) struct EndpointHealth(health: &EndpointState) [let facts = facts(health);] {
        #[schemars(extend("enum" = HEALTHS))]
        health: &'static str = health_name(*health),
        #[serde(flatten)]
        reason: ReasonFields = Reason::fields(Reason::of_health(health).as_ref()),
        /// The number of callbacks that it is sent at once.
        in_flight_max ?: u16 = facts.0,
        next_probe_at ?: Seconds = facts.1.map(Seconds::from),
        failed_probes ?: u32 = facts.2,
    }
}

/// The limit in flight, the time of the next probe, and the number of failed probes: where that says something.
fn facts(health: &EndpointState) -> (Option<u16>, Option<UnixMillis>, Option<u32>) {
    match *health {
        EndpointState::SlowStart { in_flight_max } => (Some(in_flight_max), None, None),
        EndpointState::Open {
            next_probe,
            failed_probes,
        } => (None, Some(next_probe), Some(failed_probes)),
        EndpointState::Failing {
            next_probe: Some(at),
            ..
        }
        | EndpointState::Paused { until: at } => (None, Some(at), None),
        EndpointState::Healthy
        | EndpointState::Failing { .. }
        | EndpointState::Disabled { .. }
        | EndpointState::ChannelPaused
        | EndpointState::NoAddress => (None, None, None),
    }
}
