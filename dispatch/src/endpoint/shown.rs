//! The state of an endpoint, for people.

use serde::{Deserialize, Serialize};

use crate::record::HoldReason;
use switchboard_values::id::ConversationId;
use switchboard_values::time::UnixMillis;

/// The state of an endpoint, for people.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(tag = "health", rename_all = "snake_case")]
pub enum EndpointState {
    /// It takes messages.
    Healthy,
    /// Its last attempts failed, but messages are still sent.
    Failing {
        /// The conversation whose callbacks fail, when there is but one: only those are held.
        conversation: Option<ConversationId>,
        /// The time of the next probe; none while they are not held.
        next_probe: Option<UnixMillis>,
    },
    /// It takes messages again and is sent more of them step by step.
    SlowStart {
        /// The present number of concurrent requests at most.
        in_flight_max: u16,
    },
    /// It fails and is probed.
    Open {
        /// The time of the next probe.
        next_probe: UnixMillis,
        /// The number of failed probes.
        failed_probes: u32,
    },
    /// It asked for a pause.
    Paused {
        /// The end of the pause.
        until: UnixMillis,
    },
    /// It is left alone until an operator switches it on again.
    Disabled {
        /// The reason.
        why: HoldReason,
    },
    /// An operator paused its channel.
    ChannelPaused,
    /// Its channel has no address for this version.
    NoAddress,
}

impl EndpointState {
    /// Returns whether messages are sent: all of them, but for those of a conversation whose callbacks alone fail.
    #[must_use]
    pub fn takes_messages(&self) -> bool {
        match self {
            Self::Healthy | Self::Failing { .. } | Self::SlowStart { .. } => true,
            Self::Open { .. }
            | Self::Paused { .. }
            | Self::Disabled { .. }
            | Self::ChannelPaused
            | Self::NoAddress => false,
        }
    }
}
