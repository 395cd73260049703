//! The events that follow from an entry of the audit log.

use std::collections::BTreeSet;

use serde_json::Value;

use crate::audit::{AuditEntry, By, Difference};
use crate::crm::account_events::{EventPlace, EventType, EventValue};
use crate::crm::entity::EntityKind;
use crate::id::{NoteId, PipelineId, StageId, TagId, UserId};

/// An event that follows from an entry of the audit log.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct AuditedEvent {
    /// Its place in the list.
    pub place: EventPlace,
    /// Its type.
    pub event_type: EventType,
    /// The lead, the contact or the note.
    pub subject: Subject,
    /// The user; `None` when no user of the account did it.
    pub created_by: Option<UserId>,
    /// The values before it.
    pub before: Vec<EventValue>,
    /// The values after it.
    pub after: Vec<EventValue>,
}

/// The subject of an event.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Subject {
    /// A lead or a contact.
    Entity(EntityKind, u64),
    /// What this note is about.
    Note(NoteId),
}

/// A change that an entry notes.
struct Change {
    event_type: EventType,
    before: Vec<EventValue>,
    after: Vec<EventValue>,
}

impl Change {
    fn new(event_type: EventType, before: Vec<EventValue>, after: Vec<EventValue>) -> Self {
        Self {
            event_type,
            before,
            after,
        }
    }

    fn without_values(event_type: EventType) -> Self {
        Self::new(event_type, Vec::new(), Vec::new())
    }
}

/// Returns the events that follow from an entry of an account's audit log.
#[must_use]
pub fn events_of(entry: &AuditEntry) -> Vec<AuditedEvent> {
    let Ok(object) = entry.object.parse::<u64>() else {
        return Vec::new();
    };
    let lead = Subject::Entity(EntityKind::Leads, object);
    let contact = Subject::Entity(EntityKind::Contacts, object);
    let (subject, changes) = match entry.action.as_str() {
        "lead.create" => (lead, vec![Change::without_values(EventType::LeadAdded)]),
        "contact.create" => (
            contact,
            vec![Change::without_values(EventType::ContactAdded)],
        ),
        "note.create" => {
            let note = NoteId(object);
            let after = vec![EventValue::Note(note)];
            // A note of a user has no type in the log.
            let event_type = match difference(entry, "note_type") {
                None => EventType::NoteAdded,
                Some(_) => EventType::ServiceNoteAdded,
            };
            let change = Change::new(event_type, Vec::new(), after);
            (Subject::Note(note), vec![change])
        }
        "lead.update" => (lead, changes(entry)),
        "contact.update" => (contact, changes(entry)),
        "chat.link" => match moved_lead(entry) {
            Some((lead, change)) => (Subject::Entity(EntityKind::Leads, lead), vec![change]),
            None => return Vec::new(),
        },
        _ => return Vec::new(),
    };
    let created_by = match entry.by {
        By::User { user, .. } => Some(user),
        By::Operator | By::Configuration | By::Service => None,
    };
    let mut events = Vec::with_capacity(changes.len());
    for (ordinal, change) in changes.into_iter().enumerate() {
        events.push(AuditedEvent {
            place: EventPlace::of_audit(entry.at, entry.id, ordinal),
            event_type: change.event_type,
            subject,
            created_by,
            before: change.before,
            after: change.after,
        });
    }
    events
}

fn difference<'e>(entry: &'e AuditEntry, field: &str) -> Option<&'e Difference> {
    entry.changes.iter().find(|change| change.field == field)
}

/// The changes of a lead or a contact that are events.
fn changes(entry: &AuditEntry) -> Vec<Change> {
    let mut changes = Vec::new();
    changes.extend(stage_change(entry));
    if let Some(change) = difference(entry, "responsible_user_id") {
        let user = |value: &Value| vec![EventValue::Responsible(value.as_u64().map(UserId))];
        let (before, after) = (user(&change.before), user(&change.after));
        changes.push(Change::new(EventType::ResponsibleChanged, before, after));
    }
    if let Some(change) = difference(entry, "tags") {
        let (before, after) = (tags(&change.before), tags(&change.after));
        let values = |ids: &BTreeSet<TagId>, without: &BTreeSet<TagId>| -> Vec<EventValue> {
            ids.difference(without)
                .map(|id| EventValue::Tag(*id))
                .collect()
        };
        let added = values(&after, &before);
        changes.push(Change::new(EventType::TagAdded, Vec::new(), added));
        let deleted = values(&before, &after);
        changes.push(Change::new(EventType::TagDeleted, deleted, Vec::new()));
    }
    if let Some(change) = difference(entry, "contact_id") {
        let (before, after) = (contact(&change.before), contact(&change.after));
        changes.push(Change::new(EventType::Unlinked, before, Vec::new()));
        changes.push(Change::new(EventType::Linked, Vec::new(), after));
    }
    changes.retain(|change| !change.before.is_empty() || !change.after.is_empty());
    changes
}

/// The stage has a number of its own in the account unless it is one of the ends, which every pipeline has. The pipeline
/// stands in the entry when it changes.
fn stage_change(entry: &AuditEntry) -> Option<Change> {
    let (stage, pipeline) = (
        difference(entry, "status_id"),
        difference(entry, "pipeline_id"),
    );
    let stage = stage?;
    let value = |stage: &Value, pipeline: Option<&Value>| {
        let stage = stage.as_u64().map(StageId)?;
        let pipeline = pipeline.and_then(Value::as_u64).map(PipelineId);
        Some(vec![EventValue::Stage { stage, pipeline }])
    };
    let before = value(&stage.before, pipeline.map(|it| &it.before))?;
    let after = value(&stage.after, pipeline.map(|it| &it.after))?;
    Some(Change::new(EventType::LeadStatusChanged, before, after))
}

fn tags(value: &Value) -> BTreeSet<TagId> {
    let ids = value.as_array().into_iter().flatten();
    ids.filter_map(Value::as_u64).map(TagId).collect()
}

fn contact(value: &Value) -> Vec<EventValue> {
    let link = value.as_u64().map(|id| EventValue::Link {
        kind: EntityKind::Contacts,
        id,
    });
    link.into_iter().collect()
}

/// The lead that moved to another contact with its chat.
fn moved_lead(entry: &AuditEntry) -> Option<(u64, Change)> {
    let lead = difference(entry, "lead_id")?.after.as_u64()?;
    let linked = contact(&difference(entry, "contact_id")?.after);
    Some((lead, Change::new(EventType::Linked, Vec::new(), linked)))
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;
    use crate::id::{AccountId, AuditId};
    use crate::time::UnixMillis;

    fn entry(action: &str, changes: Value) -> AuditEntry {
        AuditEntry {
            id: AuditId::from_bytes([1; 16]),
            at: UnixMillis::new(9),
            by: By::Service,
            action: action.to_owned(),
            object: "7".to_owned(),
            account: Some(AccountId::from_bytes([2; 16])),
            changes: serde_json::from_value(changes).unwrap(),
        }
    }

    fn types(entry: &AuditEntry) -> Vec<EventType> {
        let events = events_of(entry).into_iter();
        events.map(|event| event.event_type).collect()
    }

    #[test]
    fn each_changed_field_is_an_event_with_its_own_place() {
        let changes = json!([
            { "field": "name" },
            { "field": "status_id", "before": 1, "after": 2 },
            { "field": "responsible_user_id", "after": 4 },
            { "field": "tags", "before": [1, 2], "after": [2, 3] },
            { "field": "contact_id", "before": 5, "after": 6 },
        ]);
        let entry = entry("lead.update", changes);
        assert_eq!(
            types(&entry),
            [
                EventType::LeadStatusChanged,
                EventType::ResponsibleChanged,
                EventType::TagAdded,
                EventType::TagDeleted,
                EventType::Unlinked,
                EventType::Linked,
            ]
        );
        let places: BTreeSet<EventPlace> = events_of(&entry).iter().map(|it| it.place).collect();
        assert_eq!(places.len(), 6);
        let added = events_of(&entry).swap_remove(2);
        assert_eq!(added.after, [EventValue::Tag(TagId(3))]);
        assert_eq!(added.before, []);
    }

    #[test]
    fn a_pipeline_stands_in_the_event_when_it_changes() {
        let changes = json!([
            { "field": "pipeline_id", "before": 1, "after": 2 },
            { "field": "status_id", "before": 1, "after": 6 },
        ]);
        let event = events_of(&entry("lead.update", changes)).remove(0);
        let after = EventValue::Stage {
            stage: StageId(6),
            pipeline: Some(PipelineId(2)),
        };
        assert_eq!(event.after, [after]);
    }

    #[test]
    fn a_chat_that_moves_a_lead_links_it() {
        let changes = json!([
            { "field": "contact_id", "before": 1, "after": 2 },
            { "field": "lead_id", "after": 3 },
        ]);
        let event = events_of(&entry("chat.link", changes)).remove(0);
        assert_eq!(event.subject, Subject::Entity(EntityKind::Leads, 3));
        let alone = json!([{ "field": "contact_id", "before": 1, "after": 2 }]);
        assert_eq!(types(&entry("chat.link", alone)), []);
        assert_eq!(types(&entry("role.create", json!([]))), []);
    }
}
