//! A saved view.

use serde::{Deserialize, Serialize};

use crate::audit::By;
use crate::conversation::filters::ConversationFilters;
use crate::id::{SavedViewId, UserId};
use crate::saved_views::{ALL_MAX, OWN_MAX, SHARED_MAX};
use crate::text::SavedViewName;
use crate::time::UnixMillis;

/// A saved view.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct SavedView {
    /// Its number in the account.
    pub id: SavedViewId,
    /// The account user who created it.
    pub author: UserId,
    /// True when it is the team's; otherwise its author alone has it. It stays so.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub is_shared: bool,
    /// The part that its editors change.
    pub settings: SavedViewSettings,
    /// The number of the version, from 1; it only grows.
    pub version: u64,
    /// The time of its creation.
    pub created_at: UnixMillis,
    /// The time of the last change.
    pub updated_at: UnixMillis,
}

/// The part of a saved view that its editors change.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct SavedViewSettings {
    /// Its name.
    pub name: SavedViewName,
    /// The filters.
    #[serde(default)]
    pub filters: ConversationFilters,
}

/// The changes of a saved view; a field that is `None` stays.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct SavedViewChange {
    /// The version that the caller has changed; `None` for whichever is stored.
    pub based_on: Option<u64>,
    /// Its name.
    pub name: Option<SavedViewName>,
    /// All of its filters.
    pub filters: Option<ConversationFilters>,
}

/// The account user who creates, changes or deletes a saved view.
#[derive(Clone, Debug)]
pub struct SavedViewEditor {
    /// The actor, for the audit log.
    pub by: By,
    /// The user.
    pub user: UserId,
    /// True for an administrator, who writes those of the team.
    pub is_administrator: bool,
}

/// The rejection of a change of saved views.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum SavedViewRejection {
    /// The user may see no such view.
    #[error("there is no such view")]
    Unknown,
    /// Views of the team are written by administrators.
    #[error("only administrators create, change and delete the views of the team")]
    OfTeam,
    /// Another one beside it has the name.
    #[error(
        "there is a view with this name, in whatever case; choose another name, or change that view"
    )]
    NameTaken,
    /// The stored version is another than the caller has changed.
    #[error("the view has changed since you read it; read it again, and change it then")]
    ChangedMeanwhile,
    /// There is no room for it.
    #[error(transparent)]
    Full(SavedViewsFullError),
}

/// The bound that saved views have reached.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum SavedViewsFullError {
    /// The team has as many as it can.
    #[error("a team has at most {SHARED_MAX} views; delete unused ones")]
    Shared,
    /// The user has as many as one can have.
    #[error("a user has at most {OWN_MAX} views of their own; delete unused ones")]
    Own,
    /// The account has as many as it can.
    #[error("the users of an account have at most {ALL_MAX} views together; delete unused ones")]
    All,
}

impl SavedView {
    /// Returns whether this user may see it.
    #[must_use]
    pub fn is_seen_by(&self, user: UserId) -> bool {
        self.is_shared || self.author == user
    }
}

impl SavedViewEditor {
    /// Checks that the user may write a view of the team, or one of their own.
    ///
    /// # Errors
    /// When they may not.
    pub fn may_write(&self, is_shared: bool) -> Result<(), SavedViewRejection> {
        if is_shared && !self.is_administrator {
            return Err(SavedViewRejection::OfTeam);
        }
        Ok(())
    }
}

impl SavedViewChange {
    /// The settings with this change.
    #[must_use]
    pub fn apply_to(self, before: &SavedViewSettings) -> SavedViewSettings {
        let before = before.clone();
        SavedViewSettings {
            name: self.name.unwrap_or(before.name),
            filters: self.filters.unwrap_or(before.filters),
        }
    }
}
