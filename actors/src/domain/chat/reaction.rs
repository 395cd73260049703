//! Signs that people leave on messages.

use serde::{Deserialize, Serialize};

use crate::domain::id::PersonId;
use crate::domain::text::Emoji;

/// A sign that somebody left on a message.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Reaction {
    /// Who left it.
    pub by: PersonId,
    /// The sign; `None` when the messenger knows only one.
    pub emoji: Option<Emoji>,
}

/// What somebody does with a sign.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub enum ReactionKind {
    /// Leaves it.
    React,
    /// Takes it back; all of theirs when none is named.
    Unreact,
}

impl ReactionKind {
    /// Both, by the names that the wire gives them.
    pub const NAMES: [(&str, Self); 2] = [("react", Self::React), ("unreact", Self::Unreact)];
}
