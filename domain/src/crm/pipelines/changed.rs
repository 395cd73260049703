//! The event of a pipeline that is new, is as follows now, or is gone, with its entry in the audit log.

use serde::{Deserialize, Serialize};
use serde_json::{Value, json};

use crate::audit::{AuditEntry, By};
use crate::crm::{Crm, CrmEvent, Pipeline};
use crate::id::PipelineId;
use switchboard_engine::state::{Moment, Recorded, State as _};

/// A pipeline is new, is as follows now, or is gone.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct PipelineChanged {
    /// The pipeline.
    pub id: PipelineId,
    /// The pipeline after the change; `None` after its deletion.
    pub now: Option<Pipeline>,
    /// True when it is the main one since.
    #[serde(default)]
    pub becomes_main: bool,
    /// The audit entry.
    pub audit: AuditEntry,
}

impl PipelineChanged {
    /// Applies the change to the pipelines: the main one stays first, the others are in order.
    pub(in crate::crm) fn apply(&self, pipelines: &mut Vec<Pipeline>) {
        let main = pipelines.first().map(|pipeline| pipeline.id);
        pipelines.retain(|pipeline| pipeline.id != self.id);
        pipelines.extend(self.now.clone());
        let main = Some(self.id).filter(|_| self.becomes_main).or(main);
        pipelines.sort_by_key(|it| (Some(it.id) != main, it.sort, it.id));
    }
}

/// The changes of one command: each is seen by the next.
pub(super) struct Changes<'m, 'e> {
    /// The CRM with the changes so far.
    pub(super) crm: Crm,
    by: By,
    events: Vec<Recorded<CrmEvent>>,
    moment: &'m mut Moment<'e, CrmEvent>,
}

impl<'m, 'e> Changes<'m, 'e> {
    /// No change yet. A CRM that has not begun begins.
    pub(super) fn new(state: &Crm, by: By, moment: &'m mut Moment<'e, CrmEvent>) -> Self {
        let mut changes = Self {
            crm: state.clone(),
            by,
            events: Vec::new(),
            moment,
        };
        if state.pipelines.is_empty() {
            changes.push(CrmEvent::Begun(Crm::first_pipelines()));
        }
        changes
    }

    /// Makes the pipeline `id` be as follows, or be gone.
    pub(super) fn set(&mut self, id: PipelineId, now: Option<Pipeline>, becomes_main: bool) {
        let becomes_main = becomes_main && !self.crm.is_main(id);
        let before = self.crm.pipeline(id).cloned();
        if before == now && !becomes_main {
            return;
        }
        let action = match (&before, &now) {
            (None, _) => "pipeline.create",
            (Some(_), Some(_)) => "pipeline.update",
            (Some(_), None) => "pipeline.delete",
        };
        let account = self.crm.account;
        let entry = AuditEntry::new(self.by.clone(), action, id, self.moment).of_account(account);
        let audit = audited(entry, before.as_ref(), now.as_ref()).change(
            "is_main",
            before.is_some().then_some(false).filter(|_| becomes_main),
            becomes_main.then_some(true),
        );
        self.push(CrmEvent::Pipeline(Box::new(PipelineChanged {
            id,
            now,
            becomes_main,
            audit,
        })));
    }

    fn push(&mut self, event: CrmEvent) {
        self.crm.apply(&event);
        self.events.push(event.into());
    }

    /// The events, in order.
    pub(super) fn into_events(self) -> Vec<Recorded<CrmEvent>> {
        self.events
    }
}

/// The entry, with the fields that differ. Of the stages, it has those that differ.
fn audited(entry: AuditEntry, before: Option<&Pipeline>, now: Option<&Pipeline>) -> AuditEntry {
    let field = |of: fn(&Pipeline) -> Value| {
        let value = |pipeline: Option<&Pipeline>| pipeline.map_or(Value::Null, of);
        (value(before), value(now))
    };
    let (name_before, name) = field(|it| it.name.as_str().into());
    let (sort_before, sort) = field(|it| it.sort.into());
    let stages = |of: Option<&Pipeline>, other: Option<&Pipeline>| {
        let all = of.map(|pipeline| pipeline.stages.as_slice());
        let differing = all.into_iter().flatten().filter(|stage| {
            let same = other.and_then(|other| other.stage(stage.id));
            same != Some(*stage)
        });
        let values: Vec<Value> = differing
            .map(|it| json!({ "id": it.id, "name": it.name, "sort": it.sort, "color": it.color }))
            .collect();
        (!values.is_empty()).then_some(values)
    };
    entry
        .change("name", name_before, name)
        .change("sort", sort_before, sort)
        .change("statuses", stages(before, now), stages(now, before))
}
