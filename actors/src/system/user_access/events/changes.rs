//! The events that follow from the audit log of the account.

use std::collections::BTreeMap;

use super::{AccountEvent, Collected, EXAMINED_MAX, EventFilter, Wanted};
use crate::domain::audit::AuditEntry;
use crate::domain::crm::account_events::{
    AuditedEvent, EventId, EventPlace, EventType, EventValue, Subject, events_of,
};
use crate::domain::crm::{Crm, LOST, Lead, WON};
use crate::domain::id::{LeadId, PipelineId, StageId};
use crate::domain::{keys, tables};
use crate::system::user_access::UserAccess;
use switchboard_engine::store::ReadError;
use switchboard_engine::store::tables::{KeyRange, ScanOrder};
use switchboard_runtime::error::UnavailableError;

/// The number of rows that are read at once.
const BATCH: usize = 128;

impl UserAccess {
    /// The events of changes that users made, newest first.
    pub(super) async fn audited_events(
        &self,
        wanted: Wanted<'_>,
    ) -> Result<Collected, UnavailableError> {
        let mut collected = Collected::default();
        let is_message = |event_type: &EventType| {
            matches!(
                event_type,
                EventType::IncomingMessage | EventType::OutgoingMessage
            )
        };
        let types = &wanted.filter.types;
        if !types.is_empty() && types.iter().all(is_message) {
            return Ok(collected);
        }
        let crm = self.crm().await?;
        let prefix = keys::audit_prefix(Some(self.caller.account));
        let next_moment = wanted.before.at.get().saturating_add(1);
        let mut key = [prefix.as_slice(), &next_moment.to_be_bytes()].concat();
        let mut examined = 0_usize;
        loop {
            let range = KeyRange::prefix(&prefix).behind(key, ScanOrder::Descending);
            let index = &self.system.kernel().index;
            let rows = index.scan(tables::AUDIT, &range, ScanOrder::Descending, BATCH)?;
            let Some(last) = rows.last().filter(|_| rows.len() == BATCH) else {
                self.take_entries(&rows, wanted, &crm, &mut collected)
                    .await?;
                return Ok(collected);
            };
            key = last.0.clone();
            examined = examined.saturating_add(BATCH);
            let place = self
                .take_entries(&rows, wanted, &crm, &mut collected)
                .await?;
            if collected.examined_to.is_some() {
                return Ok(collected);
            }
            match place {
                None => return Ok(collected),
                Some(place) if examined >= EXAMINED_MAX => {
                    collected.examined_to = Some(place);
                    return Ok(collected);
                }
                Some(_) => {}
            }
        }
    }

    /// Takes the wanted events of these rows. Returns the place of the last one; `None` when it is too early.
    async fn take_entries(
        &self,
        rows: &[(Vec<u8>, Vec<u8>)],
        wanted: Wanted<'_>,
        crm: &Crm,
        collected: &mut Collected,
    ) -> Result<Option<EventPlace>, UnavailableError> {
        let mut last = None;
        for (_, row) in rows {
            let entry = parse(row)?;
            if wanted.is_too_early(entry.at) {
                return Ok(None);
            }
            last = Some(EventPlace::of_audit(entry.at, entry.id, 0));
            for event in events_of(&entry).into_iter().rev() {
                if event.place >= wanted.before || !takes(wanted.filter, &event) {
                    continue;
                }
                let place = event.place;
                let visible_event = self.visible_change(event, wanted.filter, crm).await?;
                collected.events.extend(visible_event);
                if collected.events.len() >= wanted.count {
                    collected.examined_to = Some(place);
                    return Ok(last);
                }
            }
        }
        Ok(last)
    }

    /// The event of an audit entry at this place.
    pub(super) async fn audited_event(
        &self,
        place: EventPlace,
    ) -> Result<Option<AccountEvent>, UnavailableError> {
        let Some(bytes) = place.audit() else {
            return Ok(None);
        };
        let mut prefix = keys::audit_prefix(Some(self.caller.account));
        prefix.extend(place.at.get().to_be_bytes());
        prefix.extend(bytes);
        let range = KeyRange::prefix(&prefix);
        let index = &self.system.kernel().index;
        let rows = index.scan(tables::AUDIT, &range, ScanOrder::Ascending, 1)?;
        let Some((_, row)) = rows.first() else {
            return Ok(None);
        };
        let mut events = events_of(&parse(row)?).into_iter();
        let Some(event) = events.find(|event| event.place == place) else {
            return Ok(None);
        };
        let crm = self.crm().await?;
        self.visible_change(event, &EventFilter::default(), &crm)
            .await
    }

    /// The event, if the user may see what it is about, and the filter has that.
    async fn visible_change(
        &self,
        event: AuditedEvent,
        filter: &EventFilter,
        crm: &Crm,
    ) -> Result<Option<AccountEvent>, UnavailableError> {
        let (kind, entity) = match event.subject {
            Subject::Entity(kind, id) => (kind, id),
            Subject::Note(id) => match self.any_note(id)? {
                Some(note) => (note.about.kind, note.about.id),
                None => return Ok(None),
            },
        };
        if !filter.has_entity(kind, entity) {
            return Ok(None);
        }
        let Some(name) = self.name_of(kind, entity).await? else {
            return Ok(None);
        };
        let (mut before, mut after) = (event.before, event.after);
        if event.event_type == EventType::LeadStatusChanged {
            let lead = self.lead(LeadId(entity)).await?;
            complete_stages(&mut before, &mut after, crm, lead.as_ref());
        }
        let mut tags = BTreeMap::new();
        for value in before.iter().chain(&after) {
            if let EventValue::Tag(id) = value
                && let Some(tag) = self.tag(kind, *id).await?
            {
                tags.insert(*id, tag.name);
            }
        }
        Ok(Some(AccountEvent {
            id: EventId::Change(event.place),
            place: event.place,
            event_type: event.event_type,
            kind,
            entity,
            name,
            contact: None,
            created_by: event.created_by,
            before,
            after,
            tags,
        }))
    }
}

fn takes(filter: &EventFilter, event: &AuditedEvent) -> bool {
    let is_about = match event.subject {
        Subject::Entity(kind, id) => filter.has_entity(kind, id),
        Subject::Note(_) => true,
    };
    is_about && filter.has_type(event.event_type) && filter.has_author(event.created_by)
}

/// Names the pipeline of stages whose entry does not: the lead stayed in it. A stage belongs to one pipeline unless it is one of the
/// ends, which every pipeline has; then the other stage does, and else the lead.
fn complete_stages(
    before: &mut [EventValue],
    after: &mut [EventValue],
    crm: &Crm,
    lead: Option<&Lead>,
) {
    let own = |stage: StageId| -> Option<PipelineId> {
        let mut pipelines = crm.pipelines.iter();
        let pipeline = pipelines.find(|pipeline| pipeline.stage(stage).is_some());
        pipeline
            .filter(|_| stage != WON && stage != LOST)
            .map(|pipeline| pipeline.id)
    };
    let values = before.iter().chain(after.iter());
    let mut pipelines = values.filter_map(|value| {
        let EventValue::Stage { stage, .. } = value else {
            return None;
        };
        own(*stage)
    });
    let common = pipelines.next().or(lead.map(|lead| lead.pipeline));
    for value in before.iter_mut().chain(after) {
        if let EventValue::Stage { pipeline, .. } = value {
            *pipeline = pipeline.or(common);
        }
    }
}

fn parse(row: &[u8]) -> Result<AuditEntry, ReadError> {
    serde_json::from_slice(row).map_err(|error| ReadError::Damaged {
        file: "the audit log".to_owned(),
        offset: 0,
        reason: error.to_string(),
    })
}
