//! Tags of deals and of contacts. Each account has two sets of them. A tag never changes, so what has the tag holds its
//! name as well.

use serde::{Deserialize, Serialize};

use crate::domain::crm::{Crm, CrmEvent};
use crate::domain::id::{AccountId, TagId};
use crate::domain::keys;
use crate::domain::text::TagName;
use switchboard_engine::entries::{IndexEntries, Keys};
use switchboard_engine::state::Recorded;

/// The most tags of one deal or contact.
pub const TAGS_OF_ONE_MAX: usize = 50;
/// The most tags of the deals of an account, and of its contacts.
pub const TAGS_MAX: u64 = 1_000;

/// What notes and tags belong to.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum EntityKind {
    /// Deals, which the account interface calls leads.
    Leads,
    /// Contacts.
    Contacts,
}

impl EntityKind {
    /// The kind as addresses name it.
    #[must_use]
    pub fn word(self) -> &'static str {
        match self {
            Self::Leads => "leads",
            Self::Contacts => "contacts",
        }
    }

    /// The kind in rows.
    #[must_use]
    pub fn code(self) -> u8 {
        match self {
            Self::Leads => 1,
            Self::Contacts => 2,
        }
    }
}

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

/// The account has as many tags as it can have.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error(
    "an account has at most {TAGS_MAX} tags of leads and as many of contacts; use the tags that there are"
)]
pub struct TooManyTags;

/// The keys by which tags of these names are found, in their order.
pub(super) fn asked(account: AccountId, of: EntityKind, names: &[TagName]) -> Keys {
    let names = names.iter();
    names
        .map(|name| keys::notes::tag_named(account, of, name))
        .collect()
}

/// Finds tags by their names, and makes those that are not there.
pub(super) struct TagMaker<'e> {
    of: EntityKind,
    last: u64,
    made: Vec<Tag>,
    events: &'e mut Vec<Recorded<CrmEvent>>,
}

impl<'e> TagMaker<'e> {
    pub(super) fn new(
        state: &Crm,
        of: EntityKind,
        events: &'e mut Vec<Recorded<CrmEvent>>,
    ) -> Self {
        Self {
            of,
            last: state.tags.of(of),
            made: Vec::new(),
            events,
        }
    }

    /// The tags of these names, each once. `found` is what [`asked`] found for them.
    pub(super) fn tags(
        &mut self,
        names: Vec<TagName>,
        found: &[Option<Recorded<CrmEvent>>],
    ) -> Result<Vec<Tag>, TooManyTags> {
        let mut tags: Vec<Tag> = Vec::with_capacity(names.len());
        for (name, found) in names.into_iter().zip(found) {
            let tag = match tag(found.as_ref()) {
                Some(tag) => tag.clone(),
                None => self.make(name)?,
            };
            if tags.iter().all(|known| known.id != tag.id) {
                tags.push(tag);
            }
        }
        Ok(tags)
    }

    fn make(&mut self, name: TagName) -> Result<Tag, TooManyTags> {
        if let Some(made) = self.made.iter().find(|made| made.name == name) {
            return Ok(made.clone());
        }
        if self.last >= TAGS_MAX {
            return Err(TooManyTags);
        }
        self.last = self.last.saturating_add(1);
        let tag = Tag {
            id: TagId(self.last),
            name,
        };
        self.made.push(tag.clone());
        let added = TagAdded {
            of: self.of,
            tag: tag.clone(),
        };
        self.events.push(CrmEvent::Tag(added).into());
        Ok(tag)
    }
}

/// The tags that something has after a change of them. What [`asked`] found for them is at the end of `found`. An error
/// means that the caller has to look again: it checks before whether the tags fit.
pub(super) fn of_change(
    state: &Crm,
    of: EntityKind,
    (names, found): (Vec<TagName>, &[Option<Recorded<CrmEvent>>]),
    events: &mut Vec<Recorded<CrmEvent>>,
) -> Result<Vec<Tag>, TooManyTags> {
    let before = found.len().saturating_sub(names.len());
    let (_, of_tags) = found.split_at_checked(before).unwrap_or((&[], found));
    TagMaker::new(state, of, events).tags(names, of_tags)
}

/// The tag that a record is about.
pub(crate) fn tag(found: Option<&Recorded<CrmEvent>>) -> Option<&Tag> {
    match &found?.event {
        CrmEvent::Tag(added) => Some(&added.tag),
        CrmEvent::Begun(_)
        | CrmEvent::Deal(_)
        | CrmEvent::Contact(_)
        | CrmEvent::Chat(_)
        | CrmEvent::Note(_)
        | CrmEvent::Source(_) => None,
    }
}
