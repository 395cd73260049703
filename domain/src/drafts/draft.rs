//! A draft.

use std::time::Duration;

use serde::{Deserialize, Serialize};

use crate::id::{MediaId, UserId};
use crate::text::MessageText;
use crate::time::UnixMillis;

/// The time for which a draft is shown.
pub const KEPT: Duration = Duration::from_secs(30 * 86_400);

/// The kind of text that a draft becomes.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum DraftKind {
    /// A reply to the customer.
    Reply,
    /// A note of the team.
    Note,
}

impl DraftKind {
    /// The kinds by their names in addresses and events.
    pub const NAMES: [(&'static str, Self); 2] = [("reply", Self::Reply), ("note", Self::Note)];
}

/// One version of a draft.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Draft {
    /// Its writer.
    pub user: UserId,
    /// The kind.
    pub kind: DraftKind,
    /// The number of the version, from 1; it only grows, also across a deletion.
    pub number: u64,
    /// The time of the version.
    pub at: UnixMillis,
    /// The content; empty once the draft was sent or deleted.
    #[serde(default, skip_serializing_if = "DraftContent::is_empty")]
    pub content: DraftContent,
}

/// The content of a draft.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct DraftContent {
    /// The text.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub text: Option<MessageText>,
    /// The upload that goes along.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub media: Option<MediaId>,
}

impl DraftContent {
    /// Returns whether there is nothing to keep.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.text.is_none() && self.media.is_none()
    }
}
