//! Tags of leads and of contacts. Each account has two sets of them. A tag never changes, so what has the tag holds its
//! name as well.

use std::collections::BTreeSet;

use serde::{Deserialize, Serialize};

use crate::crm::entity::EntityKind;
use crate::id::{AccountId, TagId};
use crate::keys;
use crate::text::TagName;
use crate::text::normal_form::composed;
use switchboard_engine::entries::IndexEntries;

/// The most tags of one lead or contact.
pub const TAGS_OF_ONE_MAX: usize = 50;
/// The most tags of the leads of an account, and of its contacts.
pub const TAGS_MAX: u64 = 1_000;

/// A tag.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Tag {
    /// Its number among the tags of its kind.
    pub id: TagId,
    /// Its name, which no other tag of its kind has.
    pub name: TagName,
}

/// The number of tags of each kind so far: the id of the last one.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct TagCounts {
    /// Of leads.
    pub leads: u64,
    /// Of contacts.
    pub contacts: u64,
}

impl TagCounts {
    /// Returns the number of tags of this kind.
    #[must_use]
    pub fn get(self, kind: EntityKind) -> u64 {
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

/// The changes of the tags of a lead or a contact.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct TagsChange {
    /// The names of all tags that it is to have; `None`: those that it has.
    pub all: Option<Vec<TagName>>,
    /// The names of tags that come to them.
    pub added: Vec<TagName>,
    /// The names of tags that it is not to have.
    pub removed: Vec<TagName>,
}

impl TagsChange {
    /// The names of the tags after the change, each once; `None` when nothing is said of them.
    #[must_use]
    pub fn names(&self, current: &[Tag]) -> Option<Vec<TagName>> {
        if *self == Self::default() {
            return None;
        }
        let composed = |name: &TagName| composed(name.as_str());
        let removals: BTreeSet<String> = self.removed.iter().map(composed).collect();
        let current_names = || current.iter().map(|tag| tag.name.clone()).collect();
        let mut names = self.all.clone().unwrap_or_else(current_names);
        names.extend_from_slice(&self.added);
        let mut names_so_far = BTreeSet::new();
        names.retain(|name| {
            let name = composed(name);
            !removals.contains(&name) && names_so_far.insert(name)
        });
        Some(names)
    }

    /// The names that may be those of new tags.
    pub fn named(&self) -> impl Iterator<Item = &TagName> {
        self.all.iter().flatten().chain(&self.added)
    }
}

/// A tag is new.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct TagAdded {
    /// The kind of entries that the tag is for.
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

#[cfg(test)]
mod tests {
    use super::*;

    fn names(of: &str) -> Vec<TagName> {
        of.split_whitespace()
            .map(|name| name.parse().unwrap())
            .collect()
    }

    fn after(all: Option<&str>, added: &str, removed: &str) -> Option<String> {
        let current: Vec<Tag> = names("a b")
            .into_iter()
            .zip(1..)
            .map(|(name, id)| Tag {
                id: TagId(id),
                name,
            })
            .collect();
        let change = TagsChange {
            all: all.map(names),
            added: names(added),
            removed: names(removed),
        };
        let names_after = change.names(&current)?;
        let texts: Vec<&str> = names_after.iter().map(TagName::as_str).collect();
        Some(texts.join(" "))
    }

    #[test]
    fn tags_are_replaced_then_added_then_removed() {
        assert_eq!(after(None, "", ""), None);
        for (all, added, removed, expected) in [
            (None, "c", "", "a b c"),
            (None, "a c c", "", "a b c"),
            (None, "", "a x", "b"),
            (Some("c"), "", "", "c"),
            (Some("c"), "d", "c", "d"),
            (Some(""), "", "", ""),
            (Some("Jose\u{301} José"), "", "", "Jose\u{301}"),
            (Some("José c"), "", "Jose\u{301}", "c"),
        ] {
            assert_eq!(after(all, added, removed).as_deref(), Some(expected));
        }
    }
}
