//! The final states of messages that did not arrive.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::dispatch::record::DeliveryState;
use crate::time::UnixMillis;

/// The final state of a message that did not arrive and is not tried any more. The number is stored, so it never
/// changes.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[schemars(
    inline,
    description = "The final state of a callback that was not delivered."
)]
#[serde(rename_all = "snake_case")]
pub enum Fate {
    /// It was given up.
    Dead,
    /// It was cancelled.
    Cancelled,
}

impl Fate {
    /// All of them.
    pub const ALL: [Self; 2] = [Self::Dead, Self::Cancelled];

    /// The stored number.
    #[must_use]
    pub fn code(self) -> u8 {
        match self {
            Self::Dead => 1,
            Self::Cancelled => 2,
        }
    }

    /// The fate in a state, and since when; `None` when the message arrived or may still arrive.
    #[must_use]
    pub fn from_state(state: &DeliveryState) -> Option<(Self, UnixMillis)> {
        match state {
            DeliveryState::Dead { at, .. } => Some((Self::Dead, *at)),
            DeliveryState::Cancelled { at, .. } => Some((Self::Cancelled, *at)),
            DeliveryState::Queued
            | DeliveryState::Waiting { .. }
            | DeliveryState::Held { .. }
            | DeliveryState::Delivered { .. } => None,
        }
    }
}
