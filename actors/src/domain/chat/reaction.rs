//! reactions that people leave on messages.

use serde::{Deserialize, Serialize};

use crate::domain::id::PersonId;
use crate::domain::text::Emoji;
use crate::words;

/// A reaction of a person on a message.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Reaction {
    /// Who left it.
    pub by: PersonId,
    /// The reaction; `None` when the messenger knows only one.
    pub emoji: Option<Emoji>,
}

words! {
    /// What a person does with a reaction.
    pub enum ReactionKind {
        /// Leaves it.
        React = "react",
        /// Takes it back; all of theirs when none is named.
        Unreact = "unreact",
    }
}
