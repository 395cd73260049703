//! Reactions that people leave on messages.

use serde::{Deserialize, Serialize};

use crate::id::PersonId;
use crate::oauth::acting_client::ActingClient;
use crate::text::Emoji;
use crate::words;

/// A reaction of a person on a message.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Reaction {
    /// The person with the reaction.
    pub by: PersonId,
    /// The reaction; `None` when the messenger knows only one.
    pub emoji: Option<Emoji>,
    /// The OAuth client that acted for the account user who left it; `None` when the person did.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub client: Option<ActingClient>,
}

impl Reaction {
    /// Returns whether it is the same reaction of the same person, also when a client acted for them.
    #[must_use]
    pub fn is_like(&self, other: &Self) -> bool {
        self.by == other.by && self.emoji == other.emoji
    }
}

words! {
    /// The change of a reaction: set or withdrawn.
    pub enum ReactionKind {
        /// Leaves it.
        React = "react",
        /// Takes it back; all of theirs when none is named.
        Unreact = "unreact",
    }
}
