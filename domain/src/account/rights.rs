//! The rights of users, which cannot hold a forbidden combination.
//!
//! A right is `A` (everything), `G` (when the responsible user is in the same group), `M` (when the user
//! is the responsible one) or `D` (denied); rights depend on each other. There is one way to construct each of these
//! types, and it checks the dependencies, so code that holds a value need not check again.

pub mod calculation;
pub mod entity;
pub mod granted;
pub mod patch;
pub mod stage;
pub mod task;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// The reach of a right. A wider right is the greater one.
#[derive(
    Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize, JsonSchema,
)]
#[schemars(
    inline,
    description = "A: all; G: those for which a user of the same group is responsible; M: those for which the user is responsible; D: none."
)]
pub enum Right {
    /// `D`: nothing.
    #[serde(rename = "D")]
    Denied,
    /// `M`: what the user answers for.
    #[serde(rename = "M")]
    Main,
    /// `G`: objects whose responsible user is in the same group.
    #[serde(rename = "G")]
    Group,
    /// `A`: everything.
    #[serde(rename = "A")]
    All,
}

impl Right {
    /// All rights, the narrowest first.
    pub const ALL: [Self; 4] = [Self::Denied, Self::Main, Self::Group, Self::All];
    /// All rights by their letters.
    pub const LETTERS: [(&'static str, Self); 4] = [
        ("A", Self::All),
        ("G", Self::Group),
        ("M", Self::Main),
        ("D", Self::Denied),
    ];

    /// The letter as the interface writes it.
    #[must_use]
    pub fn letter(self) -> char {
        match self {
            Self::All => 'A',
            Self::Group => 'G',
            Self::Main => 'M',
            Self::Denied => 'D',
        }
    }

    fn of_letter(letter: char) -> Option<Self> {
        Self::ALL.into_iter().find(|right| right.letter() == letter)
    }
}

/// A right that is granted or denied. The right to create and the rights of stages have nothing in between.
#[derive(
    Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize, JsonSchema,
)]
#[schemars(inline, description = "A yes, D no.")]
pub enum Grant {
    /// `D`.
    #[serde(rename = "D")]
    Denied,
    /// `A`.
    #[serde(rename = "A")]
    Allowed,
}

impl Grant {
    /// Both, the denied one first.
    pub const ALL: [Self; 2] = [Self::Denied, Self::Allowed];
    /// Both by their letters.
    pub const LETTERS: [(&'static str, Self); 2] = [("A", Self::Allowed), ("D", Self::Denied)];

    /// The letter as the interface writes it.
    #[must_use]
    pub fn letter(self) -> char {
        Right::from(self).letter()
    }

    fn of_letter(letter: char) -> Option<Self> {
        Self::ALL.into_iter().find(|grant| grant.letter() == letter)
    }
}

impl From<Grant> for Right {
    fn from(grant: Grant) -> Self {
        match grant {
            Grant::Allowed => Self::All,
            Grant::Denied => Self::Denied,
        }
    }
}

/// An operation on a lead, a contact, a company or a buyer.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
#[schemars(inline)]
pub enum EntityAction {
    /// See it.
    View,
    /// Change it.
    Edit,
    /// Make a new one.
    Add,
    /// Take it away.
    Delete,
    /// Carry it out of the service.
    Export,
}

impl EntityAction {
    /// All actions, in the order in which stored rights list them.
    pub const ALL: [Self; 5] = [
        Self::View,
        Self::Edit,
        Self::Add,
        Self::Delete,
        Self::Export,
    ];

    /// The key of the action in the interface.
    #[must_use]
    pub fn key(self) -> &'static str {
        match self {
            Self::View => "view",
            Self::Edit => "edit",
            Self::Add => "add",
            Self::Delete => "delete",
            Self::Export => "export",
        }
    }

    /// Returns the actions whose rights must be at least as wide as the right of this one.
    #[must_use]
    pub fn needs(self) -> &'static [Self] {
        match self {
            Self::View | Self::Add => &[],
            Self::Edit | Self::Export => &[Self::View],
            Self::Delete => &[Self::View, Self::Edit],
        }
    }
}

/// A right that is wider than one that it depends on.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{} may not reach further than {}, which is {}", .action.key(), .over.key(), .limit.letter())]
pub struct RightsExcessError {
    /// The action whose right is too wide.
    pub action: EntityAction,
    /// The narrowest of those it depends on.
    pub over: EntityAction,
    /// The right of that one.
    pub limit: Right,
}

/// Every action whose right is wider than one that it depends on, each once.
fn excesses(
    actions: &[EntityAction],
    right: impl Fn(EntityAction) -> Right,
) -> Vec<RightsExcessError> {
    let narrowest = |action: EntityAction| {
        let needs = action.needs().iter().copied();
        needs
            .filter(|needed| actions.contains(needed))
            .min_by_key(|needed| right(*needed))
    };
    actions
        .iter()
        .filter_map(|&action| {
            let over = narrowest(action)?;
            let limit = right(over);
            (right(action) > limit).then_some(RightsExcessError {
                action,
                over,
                limit,
            })
        })
        .collect()
}

/// Stored rights that no constructor would give.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("expected {0}")]
pub struct StoredRightsError(&'static str);
