//! The reviews of a template: WhatsApp approves it for each source before it can be sent.

use serde::{Deserialize, Serialize};

use crate::id::{ReviewId, SourceNumber};
use crate::text::RejectReason;
use switchboard_values::words;

words! {
    /// The status of a review.
    pub enum ReviewStatus {
        /// Not asked for yet.
        Draft = "draft",
        /// Asked for, and without an answer.
        Review = "review",
        /// The template may be sent.
        Approved = "approved",
        /// The template may not be sent for the time being.
        Paused = "paused",
        /// The template may not be sent.
        Rejected = "rejected",
    }
}

/// A review of a template.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Review {
    /// Its number.
    pub id: ReviewId,
    /// The source that it is for; `None` in an account without sources.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub source: Option<SourceNumber>,
    /// Its status.
    pub status: ReviewStatus,
    /// The reason of a rejection.
    #[serde(default)]
    pub reject_reason: RejectReason,
}
