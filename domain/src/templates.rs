//! The templates of an account: texts with markers that integrations prepare, and that users send.
//!
//! A template belongs to the OAuth client that created it, and no other one sees it. One for WhatsApp is reviewed for each
//! source before it can be sent.

pub mod create;
pub mod create_template_reviews;
pub mod delete;
pub mod review;
pub mod sent;
pub mod template;
pub mod update;
pub mod update_template_review;

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};
use serde_json::Value;

use crate::Decision;
use crate::audit::{AuditEntry, By};
use crate::id::{AccountId, OauthClientId, TemplateId};
use crate::kinds;
use crate::notice::Notice;
use crate::templates::template::Template;
use switchboard_engine::entries::IndexEntries;
use switchboard_engine::state::{Moment, State};
use switchboard_engine::stream::StreamKind;

/// The most templates of an account.
pub const TEMPLATES_MAX: usize = 500;
/// The most bytes that the templates of an account take together.
pub const BYTES_MAX: usize = 16 << 20;

/// The templates of one account.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Templates {
    account: AccountId,
    templates: BTreeMap<TemplateId, Template>,
    /// The number of the last template: a number is never given again.
    last: u64,
    last_review: u64,
}

/// A template is new, is as follows now, or is gone.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct TemplatesEvent {
    /// The template.
    pub id: TemplateId,
    /// The template after the change; `None` after its deletion.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub now: Option<Box<Template>>,
    /// True when its review is asked for.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub asks_review: bool,
    /// The audit entry.
    pub audit: Box<AuditEntry>,
}

/// The rejection of a change of templates.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum TemplateRejection {
    /// The OAuth client has no such template.
    #[error("there is no such template")]
    Unknown,
    /// The template has no such review.
    #[error("there is no such review of the template")]
    UnknownReview,
    /// The account has as many as it can have.
    #[error("an account has at most {TEMPLATES_MAX} templates; delete unused ones")]
    TooMany,
    /// The templates of the account would take too much room.
    #[error(
        "the templates of an account take at most {} MiB together; delete unused ones, or shorten them",
        BYTES_MAX >> 20
    )]
    TooLarge,
    /// The template at this place of the request is under review, or has passed it.
    #[error(
        "a template for WhatsApp that is under review, or has passed it, cannot be changed; create another one"
    )]
    Fixed(usize),
}

impl Templates {
    /// The template with this number that the OAuth client created.
    #[must_use]
    pub fn find(&self, id: TemplateId, client: Option<OauthClientId>) -> Option<&Template> {
        self.get(id).filter(|it| it.client == client)
    }

    /// The template with this number.
    #[must_use]
    pub fn get(&self, id: TemplateId) -> Option<&Template> {
        self.templates.get(&id)
    }

    /// All of them, by number.
    pub fn iter(&self) -> impl Iterator<Item = &Template> {
        self.templates.values()
    }

    /// The decision for these events, unless the templates would take too much room.
    fn decision<R>(
        &self,
        events: Vec<TemplatesEvent>,
        reply: R,
    ) -> Result<Decision<TemplatesEvent, R>, TemplateRejection> {
        let is_growing = events.iter().any(|event| event.now.is_some());
        if is_growing && self.bytes_after(&events) > BYTES_MAX {
            return Err(TemplateRejection::TooLarge);
        }
        let events = events.into_iter().map(Into::into).collect();
        Ok(Decision::events(events, reply))
    }

    fn bytes_after(&self, events: &[TemplatesEvent]) -> usize {
        let new = events.iter().filter_map(|event| event.now.as_deref());
        let is_changed = |id: TemplateId| events.iter().any(|event| event.id == id);
        let others = self.iter().filter(|it| !is_changed(it.id));
        new.chain(others)
            .map(Template::bytes)
            .fold(0, usize::saturating_add)
    }

    /// The event that `by` creates or changes a template.
    fn event(
        &self,
        by: By,
        action: &str,
        now: Template,
        moment: &mut Moment<'_, TemplatesEvent>,
    ) -> TemplatesEvent {
        let audit = self.audit(by, action, self.get(now.id), Some(&now), moment);
        TemplatesEvent {
            id: now.id,
            now: Some(Box::new(now)),
            asks_review: false,
            audit,
        }
    }

    /// The event that `by` deletes a template.
    fn deletion(
        &self,
        by: By,
        template: &Template,
        moment: &mut Moment<'_, TemplatesEvent>,
    ) -> TemplatesEvent {
        TemplatesEvent {
            id: template.id,
            now: None,
            asks_review: false,
            audit: self.audit(by, "template.delete", Some(template), None, moment),
        }
    }

    fn audit(
        &self,
        by: By,
        action: &str,
        before: Option<&Template>,
        now: Option<&Template>,
        moment: &mut Moment<'_, TemplatesEvent>,
    ) -> Box<AuditEntry> {
        let id = now.or(before).map_or(TemplateId(0), |it| it.id);
        let entry = AuditEntry::new(by, action, id, moment).of_account(self.account);
        let fields: [(&str, fn(&Template) -> Value); 5] = [
            ("name", |it| it.settings.name.as_str().into()),
            ("content", |it| it.settings.content.as_str().into()),
            ("external_id", |it| {
                let external_id = it.settings.external_id.as_ref();
                external_id.map(|id| id.as_str()).into()
            }),
            ("type", |it| it.settings.kind.as_str().into()),
            ("review_status", |it| it.review_status().as_str().into()),
        ];
        Box::new(fields.into_iter().fold(entry, |entry, (name, value)| {
            let value_of = |it: Option<&Template>| it.map_or(Value::Null, value);
            entry.change(name, value_of(before), value_of(now))
        }))
    }
}

impl State for Templates {
    type Id = AccountId;
    type Event = TemplatesEvent;
    type Notice = Notice;

    const KIND: StreamKind = kinds::TEMPLATES;

    fn initial(id: &AccountId) -> Self {
        Self {
            account: *id,
            templates: BTreeMap::new(),
            last: 0,
            last_review: 0,
        }
    }

    fn apply(&mut self, event: &TemplatesEvent) {
        self.last = self.last.max(event.id.0);
        let Some(now) = &event.now else {
            self.templates.remove(&event.id);
            return;
        };
        let newest = now.reviews.iter().map(|review| review.id.0).max();
        self.last_review = self.last_review.max(newest.unwrap_or(0));
        self.templates.insert(event.id, (**now).clone());
    }

    fn index(&self, event: &TemplatesEvent, entries: &mut IndexEntries) {
        event.audit.index(entries);
    }
}

#[cfg(test)]
mod tests;
