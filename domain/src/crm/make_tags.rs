//! Finds the tags that a change names, and makes those that are not there.

use crate::crm::entity::EntityKind;
use crate::crm::tag::{TAGS_MAX, Tag, TagAdded};
use crate::crm::{Crm, CrmEvent};
use crate::id::{AccountId, TagId};
use crate::keys;
use crate::text::TagName;
use crate::text::normal_form::composed;
use switchboard_engine::entries::Keys;
use switchboard_engine::state::Recorded;

/// The account has as many tags as it can have.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error(
    "an account has at most {TAGS_MAX} tags of leads and as many of contacts; use the tags that there are"
)]
pub struct TagsRejection;

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
            last: state.tags.get(of),
            made: Vec::new(),
            events,
        }
    }

    /// The tags of these names, each once. `earlier` has the records of their [`keys`](asked).
    pub(super) fn tags(
        &mut self,
        names: Vec<TagName>,
        earlier: &[Option<Recorded<CrmEvent>>],
    ) -> Result<Vec<Tag>, TagsRejection> {
        let mut tags: Vec<Tag> = Vec::with_capacity(names.len());
        for (name, record) in names.into_iter().zip(earlier) {
            let tag = match tag(record.as_ref()) {
                Some(tag) => tag.clone(),
                None => self.make(name)?,
            };
            if tags.iter().all(|known| known.id != tag.id) {
                tags.push(tag);
            }
        }
        Ok(tags)
    }

    fn make(&mut self, name: TagName) -> Result<Tag, TagsRejection> {
        let normal_form = composed(name.as_str());
        let is_same = |tag: &&Tag| composed(tag.name.as_str()) == normal_form;
        if let Some(tag) = self.made.iter().find(is_same) {
            return Ok(tag.clone());
        }
        if self.last >= TAGS_MAX {
            return Err(TagsRejection);
        }
        self.last = self.last.saturating_add(1);
        let tag = Tag {
            id: TagId(self.last),
            name,
        };
        self.made.push(tag.clone());
        let event = TagAdded {
            of: self.of,
            tag: tag.clone(),
        };
        self.events.push(CrmEvent::Tag(event).into());
        Ok(tag)
    }
}

/// The tags that something has after a change of them. The records of their [`keys`](asked) are at the end of `earlier`. An error
/// means that the caller has to look again: it checks before whether the tags fit.
pub(super) fn of_change(
    state: &Crm,
    of: EntityKind,
    names: Vec<TagName>,
    earlier: &[Option<Recorded<CrmEvent>>],
    events: &mut Vec<Recorded<CrmEvent>>,
) -> Result<Vec<Tag>, TagsRejection> {
    let before = earlier.len().saturating_sub(names.len());
    let (_, of_tags) = earlier.split_at_checked(before).unwrap_or((&[], earlier));
    TagMaker::new(state, of, events).tags(names, of_tags)
}

/// The tag that a record is about.
pub fn tag(record: Option<&Recorded<CrmEvent>>) -> Option<&Tag> {
    match &record?.event {
        CrmEvent::Tag(added) => Some(&added.tag),
        CrmEvent::Begun(_)
        | CrmEvent::Lead(_)
        | CrmEvent::Contact(_)
        | CrmEvent::Chat(_)
        | CrmEvent::Note(_)
        | CrmEvent::Task(_)
        | CrmEvent::Source(_)
        | CrmEvent::CustomField(_)
        | CrmEvent::Pipeline(_)
        | CrmEvent::Audited(_)
        | CrmEvent::Erased(_) => None,
    }
}
