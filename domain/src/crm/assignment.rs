//! The reasons for which a user is responsible.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// The reason why another user is responsible for a lead, or none.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
#[schemars(inline)]
pub enum AssignmentReason {
    /// A user chose it.
    ByHand,
    /// The user answered first in a conversation for which no user was responsible.
    FirstAnswer,
}

impl AssignmentReason {
    /// The word of the audit log.
    #[must_use]
    pub fn as_str(self) -> &'static str {
        match self {
            Self::ByHand => "by_hand",
            Self::FirstAnswer => "first_answer",
        }
    }
}
