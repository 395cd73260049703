//! A user adds tags. Those that are there already stay as they are.

use serde_json::Value;

use crate::Decision;
use crate::audit::By;
use crate::crm::audit::Author;
use crate::crm::entity::EntityKind;
use crate::crm::make_tags::{self, TagMaker, TagsRejection};
use crate::crm::tag::Tag;
use crate::crm::{Crm, CrmEvent};
use crate::id::AccountId;
use crate::text::TagName;
use switchboard_engine::entries::Keys;
use switchboard_engine::state::{Command, Moment};

/// Adds tags.
#[derive(Clone, Debug)]
pub struct CreateTags {
    /// The actor, for the audit log.
    pub by: By,
    /// The account.
    pub account: AccountId,
    /// The kind of entries that the tags are for.
    pub of: EntityKind,
    /// Their names.
    pub names: Vec<TagName>,
}

impl Command for CreateTags {
    type Of = Crm;
    type Reply = Vec<Tag>;
    type Rejection = TagsRejection;

    fn required_keys(&self, _state: &Crm) -> Keys {
        make_tags::asked(self.account, self.of, &self.names)
    }

    fn decide(
        self,
        state: &Crm,
        moment: &mut Moment<'_, CrmEvent>,
    ) -> Result<Decision<CrmEvent, Vec<Tag>>, TagsRejection> {
        let mut events = Vec::new();
        let mut maker = TagMaker::new(state, self.of, &mut events);
        let mut tags = Vec::with_capacity(self.names.len());
        for (name, earlier) in self.names.into_iter().zip(moment.earlier) {
            tags.extend(maker.tags(vec![name], std::slice::from_ref(earlier))?);
        }
        let new: Vec<Value> = events
            .iter()
            .filter_map(|recorded| added(&recorded.event))
            .collect();
        if !new.is_empty() {
            let author = Author {
                by: self.by,
                account: self.account,
            };
            events.push(author.tags(new, moment).into());
        }
        Ok(Decision::events(events, tags))
    }
}

/// The name of a tag that is new.
fn added(event: &CrmEvent) -> Option<Value> {
    match event {
        CrmEvent::Tag(added) => Some(added.tag.name.as_str().into()),
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
