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
    /// The service chose the user, where the channel has `auto_assign`.
    Rule,
    /// The user before is away and gives back what waits.
    GaveBack,
    /// The user before is not here, or not active any more.
    Absent,
}

impl AssignmentReason {
    /// The word of the audit log.
    #[must_use]
    pub fn as_str(self) -> &'static str {
        match self {
            Self::ByHand => "by_hand",
            Self::FirstAnswer => "first_answer",
            Self::Rule => "rule",
            Self::GaveBack => "gave_back",
            Self::Absent => "absent",
        }
    }
}
