//! Filters of lists of leads, contacts and talks.

use std::collections::{BTreeMap, BTreeSet};

use crate::domain::crm::custom_fields::value::{FieldValue, FieldValues};
use crate::domain::crm::pipelines::PIPELINES_MAX;
use crate::domain::crm::submission::UnsortedCategory;
use crate::domain::crm::{Contact, Lead};
use crate::domain::id::{ContactId, ConversationId, FieldId, PipelineId, StageId, UserId};
use crate::domain::text::Phone;
use crate::domain::text::email::Email;
use crate::domain::text::normal_form::{NormalForm, is_wanted};
use crate::domain::text::search::Search;
use crate::domain::time::UnixMillis;

/// A filter of a list; a missing field takes all.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct EntityFilter {
    /// With one of these numbers.
    pub ids: BTreeSet<u64>,
    /// With one of these names, in whatever spelling.
    pub names: BTreeSet<NormalForm>,
    /// With this text in a name, or with this phone number or e-mail address.
    pub query: Option<Search>,
    /// With one of these responsible users; `None` for those without.
    pub responsible: BTreeSet<Option<UserId>>,
    /// In one of these stages, or in any stage of the pipeline. For leads.
    pub stages: BTreeSet<(PipelineId, Option<StageId>)>,
    /// About one of these contacts. For leads.
    pub contacts: BTreeSet<ContactId>,
    /// Of one of these conversations. For leads.
    pub chats: BTreeSet<ConversationId>,
    /// Only those that a conversation opened. For leads.
    pub with_chat: bool,
    /// Of one of these categories. For leads.
    pub categories: BTreeSet<UnsortedCategory>,
    /// With these values of custom fields.
    pub values: BTreeMap<FieldId, ValueFilter>,
    /// Only those whose talk is in work. For leads.
    pub in_work: bool,
    /// Made in this time.
    pub created: Span,
    /// Last changed in this time.
    pub updated: Span,
    /// The order; the list's own when it is not given.
    pub order: Option<ListOrder>,
}

/// The order of a list.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct ListOrder {
    /// The key of the order.
    pub key: OrderKey,
    /// The newest first.
    pub descending: bool,
}

/// A key of the order of a list.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum OrderKey {
    /// The number, which is the order in which entries are made.
    #[default]
    Number,
    /// The time of the last change, then the number.
    LastChange,
    /// The time until which a task is to be done, then the number.
    Due,
}

/// A time, with both its ends.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Span {
    /// From then on.
    pub from: Option<UnixMillis>,
    /// Until then.
    pub to: Option<UnixMillis>,
}

impl Span {
    pub(super) fn has(self, time: UnixMillis) -> bool {
        self.from.is_none_or(|from| from <= time) && self.to.is_none_or(|to| time <= to)
    }
}

/// The wanted values of a custom field, all of the field's type.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct ValueFilter {
    /// One of these; any, if there are none.
    pub any: BTreeSet<FieldValue>,
    /// At least this one.
    pub from: Option<FieldValue>,
    /// At most this one.
    pub to: Option<FieldValue>,
}

impl ValueFilter {
    fn takes(&self, value: &FieldValue) -> bool {
        let is_wanted = |wanted: &FieldValue| match (wanted, value) {
            (FieldValue::Enums(wanted), FieldValue::Enums(ids)) => !wanted.is_disjoint(ids),
            (_, _) => wanted == value,
        };
        (self.any.is_empty() || self.any.iter().any(is_wanted))
            && self.from.as_ref().is_none_or(|from| from <= value)
            && self.to.as_ref().is_none_or(|to| value <= to)
    }
}

/// Returns whether a set of wanted values takes this one; an empty set takes every value.
pub(super) fn takes<T: Ord>(wanted: &BTreeSet<T>, value: &T) -> bool {
    wanted.is_empty() || wanted.contains(value)
}

impl EntityFilter {
    /// Only the leads of this stage.
    #[must_use]
    pub fn of_stage(pipeline: PipelineId, stage: StageId) -> Self {
        Self {
            stages: BTreeSet::from([(pipeline, Some(stage))]),
            ..Self::default()
        }
    }

    /// Returns whether everything is wanted, in whatever order.
    pub(super) fn takes_all(&self) -> bool {
        let order_only = Self {
            order: self.order,
            ..Self::default()
        };
        *self == order_only
    }

    /// Returns whether the order is that of the last change.
    pub(super) fn is_by_change(&self) -> bool {
        self.order
            .is_some_and(|order| order.key == OrderKey::LastChange)
    }

    /// Returns whether the newest come first, where the list itself has this order.
    pub(super) fn newest_first(&self, own: bool) -> bool {
        self.order.map_or(own, |order| order.descending)
    }

    /// The one stage that is wanted, if there is one.
    pub(super) fn stage(&self) -> Option<(PipelineId, StageId)> {
        let mut stages = self.stages.iter();
        match (stages.next(), stages.next()) {
            (Some((pipeline, Some(stage))), None) => Some((*pipeline, *stage)),
            (_, _) => None,
        }
    }

    /// The stages that are wanted, if each is named and an account may have as many unsorted ones; else none.
    pub(super) fn few_stages(&self) -> Vec<(PipelineId, StageId)> {
        let stages = self.stages.iter();
        let whole_stages: Option<Vec<_>> = stages
            .map(|(pipeline, stage)| stage.map(|stage| (*pipeline, stage)))
            .collect();
        let few = whole_stages.filter(|stages| stages.len() <= PIPELINES_MAX);
        few.unwrap_or_default()
    }

    /// Returns whether leads of this stage are wanted.
    pub(super) fn takes_stage(&self, pipeline: PipelineId, stage: StageId) -> bool {
        let places = [(pipeline, None), (pipeline, Some(stage))];
        self.stages.is_empty() || places.iter().any(|place| self.stages.contains(place))
    }

    /// Returns whether entries with these values of custom fields are wanted.
    fn takes_values(&self, values: &FieldValues) -> bool {
        let mut filters = self.values.iter();
        filters.all(|(id, filter)| values.get(*id).is_some_and(|value| filter.takes(value)))
    }

    /// Returns whether a lead is wanted, but for the search.
    pub(super) fn takes_lead(&self, lead: &Lead) -> bool {
        let has_contact = self.contacts.is_empty()
            || lead
                .contact
                .is_some_and(|contact| self.contacts.contains(&contact));
        let chat = lead.chat.as_ref().map(|chat| chat.conversation);
        let has_chat = (self.chats.is_empty() && !self.with_chat)
            || chat.is_some_and(|chat| takes(&self.chats, &chat));
        let category = lead.category();
        takes(&self.ids, &lead.id.0)
            && is_wanted(&self.names, &lead.name)
            && takes(&self.responsible, &lead.responsible)
            && self.takes_stage(lead.pipeline, lead.stage)
            && has_contact
            && self.takes_values(&lead.values)
            && has_chat
            && (self.categories.is_empty()
                || category.is_some_and(|it| takes(&self.categories, &it)))
            && self.created.has(lead.created_at)
            && self.updated.has(lead.updated_at)
    }

    /// Returns whether the search finds a lead, by its name or by its contact.
    pub(super) fn finds_lead(&self, lead: &Lead, contact: Option<&Contact>) -> bool {
        let Some(search) = &self.query else {
            return true;
        };
        let mut texts = vec![lead.name.as_str()];
        texts.extend(contact.map(|contact| contact.name.as_str()));
        finds(search, texts, contact)
    }

    /// Returns whether a contact is wanted.
    pub(super) fn takes_contact(&self, contact: &Contact) -> bool {
        let name = contact.name.as_str();
        let is_match = self.query.as_ref();
        takes(&self.ids, &contact.id.0)
            && is_wanted(&self.names, name)
            && takes(&self.responsible, &contact.responsible)
            && self.takes_values(&contact.values)
            && self.created.has(contact.created_at)
            && self.updated.has(contact.updated_at)
            && is_match.is_none_or(|search| finds(search, vec![name], Some(contact)))
    }
}

/// Returns whether the search is in the texts, or in the phone number or the e-mail address of the contact.
fn finds<'t>(search: &Search, mut texts: Vec<&'t str>, contact: Option<&'t Contact>) -> bool {
    if let Some(contact) = contact {
        texts.extend(contact.phones.values().map(Phone::as_str));
        texts.extend(contact.emails.values().map(Email::as_str));
    }
    search.missing_in(&texts).is_empty()
}
