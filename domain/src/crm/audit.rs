//! The content of the audit log about changes that account users make. Names, phone numbers and e-mail addresses of
//! customers do not stand in it: of these it has only the name of the field.

use serde_json::Value;

use crate::audit::{AuditEntry, By};
use crate::crm::assignment::AssignmentReason;
use crate::crm::custom_fields::value::FieldValues;
use crate::crm::fields::Price;
use crate::crm::note::{Note, NoteContent, NoteKind};
use crate::crm::tag::Tag;
use crate::crm::task::{TaskChanged, TaskContent};
use crate::crm::{ChatLinked, Contact, CrmEvent, Lead, LeadChanged};
use crate::id::{AccountId, LeadId};
use switchboard_engine::state::Moment;

/// The actor of a change, with the account.
#[derive(Clone, Debug)]
pub(super) struct Author {
    pub(super) by: By,
    pub(super) account: AccountId,
}

impl Author {
    /// The entry of a lead that is as follows now, with the reason of another responsible user.
    pub(super) fn changed_lead(
        &self,
        before: &Lead,
        after: &Lead,
        reason: Option<AssignmentReason>,
        moment: &mut Moment<'_, CrmEvent>,
    ) -> CrmEvent {
        let entry = self.entry_of_lead(Some(before), after, moment);
        let word = reason.map(AssignmentReason::as_str);
        CrmEvent::Audited(Box::new(entry.change("reason", Value::Null, word)))
    }

    /// The entry of a lead that is new, or is as follows now.
    pub(super) fn lead(
        &self,
        before: Option<&Lead>,
        after: &Lead,
        moment: &mut Moment<'_, CrmEvent>,
    ) -> CrmEvent {
        CrmEvent::Audited(Box::new(self.entry_of_lead(before, after, moment)))
    }

    fn entry_of_lead(
        &self,
        before: Option<&Lead>,
        after: &Lead,
        moment: &mut Moment<'_, CrmEvent>,
    ) -> AuditEntry {
        let action = action(before.is_some(), "lead.create", "lead.update");
        let mut entry = self.entry(action, after.id.0, moment);
        if before.is_none_or(|it| it.name != after.name) {
            entry = entry.secret("name");
        }
        let entry = entry
            .change(
                "price",
                value_of(before, |it| amount(it.price)),
                amount(after.price),
            )
            .change(
                "pipeline_id",
                value_of(before, |it| it.pipeline.0),
                after.pipeline.0,
            )
            .change(
                "status_id",
                value_of(before, |it| it.stage.0),
                after.stage.0,
            )
            .change(
                "responsible_user_id",
                value_of(before, |it| it.responsible.map(|user| user.0)),
                after.responsible.map(|user| user.0),
            )
            .change(
                "contact_id",
                value_of(before, |it| it.contact.map(|contact| contact.0)),
                after.contact.map(|contact| contact.0),
            )
            .change(
                "talk_closed",
                value_of(before, |it| it.talk_closed.is_some()),
                after.talk_closed.is_some(),
            )
            .change(
                "tags",
                value_of(before, |it| numbers(&it.tags)),
                numbers(&after.tags),
            );
        let values = before.map(|it| &it.values);
        with_values(entry, values, &after.values)
    }

    /// The entry of a contact that is new, or is as follows now.
    pub(super) fn contact(
        &self,
        before: Option<&Contact>,
        after: &Contact,
        moment: &mut Moment<'_, CrmEvent>,
    ) -> CrmEvent {
        let action = action(before.is_some(), "contact.create", "contact.update");
        let mut entry = self.entry(action, after.id.0, moment).change(
            "responsible_user_id",
            value_of(before, |it| it.responsible.map(|user| user.0)),
            after.responsible.map(|user| user.0),
        );
        for (field, is_same) in [
            ("name", before.is_some_and(|it| it.name == after.name)),
            (
                "phone",
                before.map_or(after.phones.is_none(), |it| it.phones == after.phones),
            ),
            (
                "email",
                before.map_or(after.emails.is_none(), |it| it.emails == after.emails),
            ),
        ] {
            if !is_same {
                entry = entry.secret(field);
            }
        }
        let tags = value_of(before, |it| numbers(&it.tags));
        let entry = entry.change("tags", tags, numbers(&after.tags));
        let values = before.map(|it| &it.values);
        CrmEvent::Audited(Box::new(with_values(entry, values, &after.values)))
    }

    /// The entry of a note that is new, or says something else now. Its text does not stand in the log.
    pub(super) fn note(
        &self,
        before: Option<&NoteContent>,
        note: &Note,
        moment: &mut Moment<'_, CrmEvent>,
    ) -> CrmEvent {
        let after = &note.content;
        let action = action(before.is_some(), "note.create", "note.update");
        let mut entry = self.entry(action, note.id.0, moment);
        if before.is_none() && after.kind != NoteKind::Common {
            entry = entry.change("note_type", Value::Null, after.kind.note_type().as_str());
        }
        if before.is_none_or(|it| it.text != after.text) {
            entry = entry.secret("text");
        }
        if before.is_some_and(|it| it.kind != after.kind) {
            entry = entry.secret("service");
        }
        CrmEvent::Audited(Box::new(entry))
    }

    /// The entry of a task that is new, or is as follows now. Its texts do not stand in the log.
    pub(super) fn task(
        &self,
        changed: &TaskChanged,
        moment: &mut Moment<'_, CrmEvent>,
    ) -> CrmEvent {
        let TaskChanged { task, before } = changed;
        let (before, after) = (before.as_ref(), &task.content);
        let action = action(before.is_some(), "task.create", "task.update");
        let mut entry = self.entry(action, task.id.0, moment);
        if before.is_none_or(|it| it.text != after.text) {
            entry = entry.secret("text");
        }
        if before.map_or(after.result.is_some(), |it| it.result != after.result) {
            entry = entry.secret("result");
        }
        let fields: [(&str, TaskField); 7] = [
            ("task_type_id", |it| it.kind.number().into()),
            ("entity_type", |it| {
                it.about.map(|about| about.kind.word()).into()
            }),
            ("entity_id", |it| it.about.map(|about| about.id).into()),
            ("responsible_user_id", |it| it.responsible.0.into()),
            ("complete_till", |it| it.due_at.secs().into()),
            ("duration", |it| it.duration.into()),
            ("is_completed", |it| it.is_completed.into()),
        ];
        let entry = fields.into_iter().fold(entry, |entry, (name, field)| {
            entry.change(name, value_of(before, field), field(after))
        });
        CrmEvent::Audited(Box::new(entry))
    }

    /// The entry of a chat that belongs to another contact now, with the lead that moved along.
    pub(super) fn chat(
        &self,
        linked: ChatLinked,
        lead: Option<LeadId>,
        moment: &mut Moment<'_, CrmEvent>,
    ) -> CrmEvent {
        let before = linked.before.map(|contact| contact.0);
        let entry = self
            .entry("chat.link", linked.link.id.0, moment)
            .change("contact_id", before, linked.link.contact.0)
            .change("lead_id", Value::Null, lead.map(|lead| lead.0));
        CrmEvent::Audited(Box::new(entry))
    }

    /// The entry of an unsorted lead that is gone, since its chat moved to another one.
    pub(super) fn unsorted_link(
        &self,
        unsorted: &Lead,
        target: &LeadChanged,
        moment: &mut Moment<'_, CrmEvent>,
    ) -> CrmEvent {
        let (before, now) = (target.contact_before, target.lead.contact);
        let [before, now] = [before.or(now), now].map(|it| it.map(|contact| contact.0));
        let entry = self
            .entry("unsorted.link", unsorted.id.0, moment)
            .change("lead_id", Value::Null, target.lead.id.0)
            .change("contact_id", before, now);
        CrmEvent::Audited(Box::new(entry))
    }

    /// The entry of new tags.
    pub(super) fn tags(&self, names: Vec<Value>, moment: &mut Moment<'_, CrmEvent>) -> CrmEvent {
        let entry = self.entry("tag.create", names.len(), moment);
        CrmEvent::Audited(Box::new(entry.change("names", Value::Null, names)))
    }

    fn entry(
        &self,
        action: &str,
        object: impl std::fmt::Display,
        moment: &mut Moment<'_, CrmEvent>,
    ) -> AuditEntry {
        AuditEntry::new(self.by.clone(), action, object, moment).of_account(self.account)
    }
}

/// A field of a task, as the audit log has it.
type TaskField = fn(&TaskContent) -> Value;

/// Notes the custom fields with another value. The value may be of a customer, and does not stand in the log.
fn with_values(entry: AuditEntry, before: Option<&FieldValues>, after: &FieldValues) -> AuditEntry {
    let none = FieldValues::default();
    let ids = before.unwrap_or(&none).differing(after).into_iter();
    ids.fold(entry, |entry, id| {
        entry.secret(&format!("custom_fields_values.{id}"))
    })
}

/// A price; null for none.
fn amount(price: Price) -> Option<u64> {
    (!price.is_none()).then_some(price.0)
}

/// The numbers of tags; null for none.
fn numbers(tags: &[Tag]) -> Value {
    if tags.is_empty() {
        return Value::Null;
    }
    tags.iter().map(|tag| Value::from(tag.id.0)).collect()
}

fn action(is_there: bool, create: &'static str, change: &'static str) -> &'static str {
    if is_there { change } else { create }
}

fn value_of<'b, T, V: Into<Value>>(before: Option<&'b T>, field: impl FnOnce(&'b T) -> V) -> Value {
    before.map_or(Value::Null, |before| field(before).into())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::id::TagId;
    use crate::text::TagName;

    #[test]
    fn what_is_there_is_changed_and_what_is_not_is_created() {
        assert_eq!(action(true, "lead.create", "lead.update"), "lead.update");
        assert_eq!(action(false, "lead.create", "lead.update"), "lead.create");
    }

    #[test]
    fn nothing_is_audited_as_null() {
        assert_eq!(amount(Price::default()), None);
        assert_eq!(amount(Price(7)), Some(7));
        assert_eq!(numbers(&[]), Value::Null);
        let name: TagName = "VIP".parse().unwrap();
        let tag = Tag { id: TagId(3), name };
        assert_eq!(numbers(&[tag]), serde_json::json!([3]));
    }
}
