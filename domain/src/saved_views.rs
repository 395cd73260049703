//! The saved views of an account: filters of the list of conversations, under a name.
//!
//! One is its author's own, or the team's. A view holds no text that is searched for, since that may be a customer's.

pub mod create;
pub mod delete;
pub mod saved_view;
pub mod update;

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};
use serde_json::Value;

use crate::audit::{AuditEntry, By};
use crate::id::{AccountId, SavedViewId, UserId};
use crate::kinds;
use crate::notice::Notice;
use crate::saved_views::saved_view::{
    SavedView, SavedViewEditor, SavedViewRejection, SavedViewSettings, SavedViewsFullError,
};
use switchboard_engine::entries::IndexEntries;
use switchboard_engine::state::{Moment, State};
use switchboard_engine::stream::StreamKind;

/// The most views of the team.
pub const SHARED_MAX: usize = 100;
/// The most views that an account user has alone.
pub const OWN_MAX: usize = 50;
/// The most views of an account. Each takes less than a kibibyte.
pub const ALL_MAX: usize = 10_000;

/// The saved views of one account.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct SavedViews {
    account: AccountId,
    views: BTreeMap<SavedViewId, SavedView>,
    /// The number of the last one: a number is never given again.
    last: u64,
}

/// A saved view is new, is as follows now, or is gone.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct SavedViewsEvent {
    /// The view.
    pub id: SavedViewId,
    /// The view after the change; `None` after its deletion.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub now: Option<Box<SavedView>>,
    /// The audit entry of one of the team.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub audit: Option<Box<AuditEntry>>,
}

impl SavedViews {
    /// The view with this number, if the user may see it.
    #[must_use]
    pub fn find(&self, id: SavedViewId, user: UserId) -> Option<&SavedView> {
        self.views.get(&id).filter(|it| it.is_seen_by(user))
    }

    /// Those that the user may see, by number.
    pub fn iter(&self, user: UserId) -> impl Iterator<Item = &SavedView> {
        let all = self.views.values();
        all.filter(move |it| it.is_seen_by(user))
    }

    /// The view with this number, if the user may change it.
    ///
    /// # Errors
    /// When the user may not see it, or may not change it.
    pub fn changeable(
        &self,
        id: SavedViewId,
        editor: &SavedViewEditor,
    ) -> Result<&SavedView, SavedViewRejection> {
        let view = self
            .find(id, editor.user)
            .ok_or(SavedViewRejection::Unknown)?;
        editor.may_write(view.is_shared)?;
        Ok(view)
    }

    /// Checks that a view finds its place among the others: its name is free there, and there is room.
    fn check(
        &self,
        id: SavedViewId,
        author: UserId,
        is_shared: bool,
        settings: &SavedViewSettings,
    ) -> Result<(), SavedViewRejection> {
        let others = || self.views.values().filter(|it| it.id != id);
        let beside: Vec<&SavedView> = others()
            .filter(|it| it.is_shared == is_shared && (is_shared || it.author == author))
            .collect();
        let name = settings.name.as_str().to_lowercase();
        let has_name = |it: &&SavedView| it.settings.name.as_str().to_lowercase() == name;
        if beside.iter().any(has_name) {
            return Err(SavedViewRejection::NameTaken);
        }
        let (count_max, too_many) = if is_shared {
            (SHARED_MAX, SavedViewsFullError::Shared)
        } else {
            (OWN_MAX, SavedViewsFullError::Own)
        };
        let full = if beside.len() >= count_max {
            too_many
        } else if others().count() >= ALL_MAX {
            SavedViewsFullError::All
        } else {
            return Ok(());
        };
        Err(SavedViewRejection::Full(full))
    }

    /// The event that a view is new, or is as follows now.
    fn stored(
        &self,
        by: By,
        action: &str,
        now: &SavedView,
        moment: &mut Moment<'_, SavedViewsEvent>,
    ) -> SavedViewsEvent {
        SavedViewsEvent {
            id: now.id,
            now: Some(Box::new(now.clone())),
            audit: self.audit(by, action, self.views.get(&now.id), Some(now), moment),
        }
    }

    /// The audit entry of a change of a view of the team; `None` of a user's own.
    fn audit(
        &self,
        by: By,
        action: &str,
        before: Option<&SavedView>,
        now: Option<&SavedView>,
        moment: &mut Moment<'_, SavedViewsEvent>,
    ) -> Option<Box<AuditEntry>> {
        let view = now.or(before).filter(|it| it.is_shared)?;
        let entry = AuditEntry::new(by, action, view.id, moment).of_account(self.account);
        let fields: [(&str, fn(&SavedView) -> Value); 2] = [
            ("name", |it| it.settings.name.as_str().into()),
            ("filters", |it| {
                serde_json::to_value(&it.settings.filters).unwrap_or_default()
            }),
        ];
        let entry = fields.into_iter().fold(entry, |entry, (name, value)| {
            let value_of = |it: Option<&SavedView>| it.map_or(Value::Null, value);
            entry.change(name, value_of(before), value_of(now))
        });
        Some(Box::new(entry))
    }
}

impl State for SavedViews {
    type Id = AccountId;
    type Event = SavedViewsEvent;
    type Notice = Notice;

    const KIND: StreamKind = kinds::SAVED_VIEWS;

    fn initial(id: &AccountId) -> Self {
        Self {
            account: *id,
            views: BTreeMap::new(),
            last: 0,
        }
    }

    fn apply(&mut self, event: &SavedViewsEvent) {
        self.last = self.last.max(event.id.0);
        match &event.now {
            Some(now) => self.views.insert(event.id, (**now).clone()),
            None => self.views.remove(&event.id),
        };
    }

    fn index(&self, event: &SavedViewsEvent, entries: &mut IndexEntries) {
        if let Some(audit) = &event.audit {
            audit.index(entries);
        }
    }
}

#[cfg(test)]
mod tests;
