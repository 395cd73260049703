//! Tags of deals and of contacts. Each account has two sets of them. A tag never changes, so what has the tag holds its
//! name as well.

use serde::{Deserialize, Serialize};

use crate::domain::crm::entity::EntityKind;
use crate::domain::id::{AccountId, TagId};
use crate::domain::keys;
use crate::domain::text::TagName;
use switchboard_engine::entries::IndexEntries;

/// The most tags of one deal or contact.
pub const TAGS_OF_ONE_MAX: usize = 50;
/// The most tags of the deals of an account, and of its contacts.
pub const TAGS_MAX: u64 = 1_000;

/// A tag.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Tag {
    /// Its number among the tags of its kind.
    pub id: TagId,
    /// Its name, which no other tag of its kind has.
    pub name: TagName,
}

/// How many tags there ever were of each kind: the number of the last one.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct TagCounts {
    /// Of deals.
    pub leads: u64,
    /// Of contacts.
    pub contacts: u64,
}

impl TagCounts {
    /// Of this kind.
    #[must_use]
    pub fn of(self, kind: EntityKind) -> u64 {
        match kind {
            EntityKind::Leads => self.leads,
            EntityKind::Contacts => self.contacts,
        }
    }

    /// Takes note of a tag.
    pub fn count(&mut self, added: &TagAdded) {
        let count = match added.of {
            EntityKind::Leads => &mut self.leads,
            EntityKind::Contacts => &mut self.contacts,
        };
        *count = (*count).max(added.tag.id.0);
    }
}

/// A tag is new.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct TagAdded {
    /// What it is for.
    pub of: EntityKind,
    /// The tag.
    pub tag: Tag,
}

impl TagAdded {
    pub(super) fn index(&self, account: AccountId, entries: &mut IndexEntries) {
        entries.key(keys::notes::tag(account, self.of, self.tag.id));
        entries.key(keys::notes::tag_named(account, self.of, &self.tag.name));
    }
}
