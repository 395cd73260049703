//! The quotas of queued callbacks. The service refuses a writer before it writes anything, so a refusal leaves no
//! partial write.

use std::time::Duration;

use crate::endpoint::EndpointState;
use switchboard_values::words;

const RETRY_MIN: Duration = Duration::from_secs(1);
const RETRY_MAX: Duration = Duration::from_secs(3_600);
/// The wait when nothing leaves the queue before an operator acts: that time is unknown, and another request costs
/// little.
const RETRY_HELD: Duration = Duration::from_secs(60);

/// The most that may be queued at once.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Quotas {
    /// In one queue.
    pub queue: u64,
    /// In one scope.
    pub scope: u64,
    /// For one endpoint.
    pub endpoint: u64,
    /// On the whole node.
    pub node: u64,
}

impl Default for Quotas {
    fn default() -> Self {
        Self {
            queue: 1_000,
            scope: 20_000,
            endpoint: 100_000,
            node: 2_000_000,
        }
    }
}

/// The present backlog, and the rate at which it leaves.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Backlog {
    /// In the queue.
    pub queue: Load,
    /// In the scope.
    pub scope: Load,
    /// For the endpoint.
    pub endpoint: Load,
    /// On the node.
    pub node: Load,
}

/// The backlog of one part.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Load {
    /// Messages that are not final.
    pub queued: u64,
    /// Messages that became final in the last minute.
    pub drained_per_minute: u64,
}

words! {
    /// The quota that was reached, by the name that people read.
    pub enum Quota {
        /// That of the queue.
        Queue = "conversation",
        /// That of the scope.
        Scope = "scope",
        /// That of the endpoint.
        Endpoint = "endpoint",
        /// That of the node.
        Node = "node",
    }
}

impl Quota {
    /// Returns whether the node itself is full: 503 rather than 429.
    #[must_use]
    pub fn is_of_the_node(self) -> bool {
        match self {
            Self::Queue | Self::Scope | Self::Endpoint => false,
            Self::Node => true,
        }
    }
}

/// The rejection of a callback while a quota is reached.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error(
    "backpressure: {queued} of at most {} callbacks are queued in the {}; {}",
    .limit, .quota.as_str(), what_frees(*.quota, .health)
)]
pub struct QuotaRejection {
    /// The quota that was reached, the narrowest if several were.
    pub quota: Quota,
    /// Its limit, in messages.
    pub limit: u64,
    /// The number of callbacks that count against it now.
    pub queued: u64,
    /// The time until the next attempt: backlog ÷ drain rate, between a second and an hour; a minute when an operator
    /// has to act first.
    pub retry_after: Duration,
    /// The state of the endpoint.
    pub health: EndpointState,
}

/// Returns the event that makes room again, as a clause.
fn what_frees(quota: Quota, health: &EndpointState) -> &'static str {
    match health {
        _ if quota.is_of_the_node() => "they leave as the integrations take them",
        EndpointState::ChannelPaused => {
            "an operator paused the channel, and they leave when it is resumed"
        }
        EndpointState::NoAddress => {
            "the channel has no address for them, and they leave when an operator sets one"
        }
        EndpointState::Disabled { .. } => {
            "the address is left alone, and they leave when an operator switches it on again"
        }
        EndpointState::Healthy
        | EndpointState::Failing { .. }
        | EndpointState::SlowStart { .. }
        | EndpointState::Open { .. }
        | EndpointState::Paused { .. } => "they leave as the integration takes them",
    }
}

/// Decides whether `adding` more messages may be queued. The health is asked for only when they may not.
///
/// # Errors
/// The narrowest quota that they would exceed.
pub fn admit(
    quotas: &Quotas,
    backlog: &Backlog,
    adding: u64,
    health: impl FnOnce() -> EndpointState,
) -> Result<(), QuotaRejection> {
    let table = [
        (Quota::Queue, quotas.queue, backlog.queue),
        (Quota::Scope, quotas.scope, backlog.scope),
        (Quota::Endpoint, quotas.endpoint, backlog.endpoint),
        (Quota::Node, quotas.node, backlog.node),
    ];
    for (quota, limit, load) in table {
        if load.queued.saturating_add(adding) > limit {
            let health = health();
            let needs_operator = matches!(
                health,
                EndpointState::ChannelPaused
                    | EndpointState::NoAddress
                    | EndpointState::Disabled { .. }
            );
            return Err(QuotaRejection {
                quota,
                limit,
                queued: load.queued,
                retry_after: if needs_operator && !quota.is_of_the_node() {
                    RETRY_HELD
                } else {
                    drain_time(load)
                },
                health,
            });
        }
    }
    Ok(())
}

/// Returns the time in which the backlog leaves at the present rate.
fn drain_time(load: Load) -> Duration {
    let minutes_as_secs = load.queued.saturating_mul(60);
    let secs = minutes_as_secs.checked_div(load.drained_per_minute);
    secs.map_or(RETRY_MAX, Duration::from_secs)
        .clamp(RETRY_MIN, RETRY_MAX)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn load(queued: u64, drained_per_minute: u64) -> Load {
        Load {
            queued,
            drained_per_minute,
        }
    }

    fn admitted(backlog: Backlog) -> Result<(), QuotaRejection> {
        admit(&Quotas::default(), &backlog, 1, || EndpointState::Healthy)
    }

    #[test]
    fn each_quota_accepts_its_last_message_and_refuses_the_next() {
        let with = |quota, queued| {
            let mut backlog = Backlog::default();
            match quota {
                Quota::Queue => backlog.queue = load(queued, 60),
                Quota::Scope => backlog.scope = load(queued, 60),
                Quota::Endpoint => backlog.endpoint = load(queued, 60),
                Quota::Node => backlog.node = load(queued, 60),
            }
            admitted(backlog)
        };
        let table = [
            (Quota::Queue, 1_000, false),
            (Quota::Scope, 20_000, false),
            (Quota::Endpoint, 100_000, false),
            (Quota::Node, 2_000_000, true),
        ];
        for (quota, limit, of_the_node) in table {
            assert_eq!(with(quota, limit - 1), Ok(()));
            let refusal = with(quota, limit).unwrap_err();
            assert_eq!(
                (refusal.quota, refusal.limit, refusal.queued),
                (quota, limit, limit)
            );
            assert_eq!(quota.is_of_the_node(), of_the_node);
        }
    }

    #[test]
    fn retry_after_is_the_backlog_divided_by_the_drain_rate() {
        let table = [
            (1_000, 60, 1_000),
            (1_000, 600, 100),
            (1_000, 6_000_000, 1),
            (1_000, 1, 3_600),
            (1_000, 0, 3_600),
            (u64::MAX, 1, 3_600),
        ];
        for (queued, drained, secs) in table {
            let refusal = admitted(Backlog {
                queue: load(queued, drained),
                ..Backlog::default()
            });
            assert_eq!(refusal.unwrap_err().retry_after, Duration::from_secs(secs));
        }
    }

    /// A queue that waits for an operator gives a `Retry-After` of one minute, and the response gives the reason.
    #[test]
    fn a_paused_channel_answers_retry_after_one_minute_and_why() {
        let full = |health| {
            let backlog = Backlog {
                queue: load(1_000, 0),
                ..Backlog::default()
            };
            admit(&Quotas::default(), &backlog, 1, || health).unwrap_err()
        };
        let paused = full(EndpointState::ChannelPaused);
        assert_eq!(paused.retry_after, RETRY_HELD);
        assert_eq!(
            paused.to_string(),
            "backpressure: 1000 of at most 1000 callbacks are queued in the conversation; an operator paused the channel, \
             and they leave when it is resumed"
        );
        assert_eq!(full(EndpointState::NoAddress).retry_after, RETRY_HELD);
        assert_eq!(full(EndpointState::Healthy).retry_after, RETRY_MAX);
    }

    #[test]
    fn the_narrowest_quota_is_named_with_the_endpoint_health() {
        let full = load(u64::MAX, 0);
        let backlog = Backlog {
            queue: load(1, 1),
            scope: full,
            endpoint: full,
            node: full,
        };
        let refusal =
            admit(&Quotas::default(), &backlog, 1, || EndpointState::NoAddress).unwrap_err();
        assert_eq!(refusal.quota, Quota::Scope);
        assert_eq!(refusal.health, EndpointState::NoAddress);
    }
}
