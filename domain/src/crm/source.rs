//! A source: an entrance of an integration, such as one of its phone numbers.

use serde::{Deserialize, Serialize};
use serde_json::Value;

use crate::audit::{AuditEntry, By};
use crate::crm::CrmEvent;
use crate::id::{AccountId, PipelineId, SourceNumber, StageId};
use crate::text::{RoleName, SourceId};
use switchboard_engine::state::Moment;

/// The most sources of an account.
pub const SOURCES_MAX: usize = 50;

/// A source.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Source {
    /// Its number.
    pub id: SourceNumber,
    /// The settings.
    #[serde(flatten)]
    pub settings: SourceSettings,
}

/// The settings of a source.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct SourceSettings {
    /// Its name.
    pub name: RoleName,
    /// The id that messages name it by; no other source of the account has it.
    pub external_id: SourceId,
    /// The pipeline of the leads that come through it.
    pub pipeline: PipelineId,
    /// Their stage; `None` for the unsorted one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub stage: Option<StageId>,
    /// True when it is also for messages without a source, and for those with a source that the account does not have.
    /// At most one source is the default.
    #[serde(default)]
    pub default: bool,
}

/// A source is new, is as follows now, or is gone.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct SourceChanged {
    /// The source.
    pub id: SourceNumber,
    /// The settings after the change; `None` after the deletion.
    pub now: Option<SourceSettings>,
    /// The audit entry.
    pub audit: AuditEntry,
}

impl SourceChanged {
    pub(super) fn new(
        by: By,
        account: AccountId,
        id: SourceNumber,
        before: Option<&SourceSettings>,
        now: Option<SourceSettings>,
        moment: &mut Moment<'_, CrmEvent>,
    ) -> Self {
        let field = |of: fn(&SourceSettings) -> Value| {
            let value = |settings: Option<&SourceSettings>| settings.map_or(Value::Null, of);
            (value(before), value(now.as_ref()))
        };
        let action = match (before, &now) {
            (None, _) => "source.create",
            (Some(_), Some(_)) => "source.update",
            (Some(_), None) => "source.delete",
        };
        let mut audit = AuditEntry::new(by, action, id, moment).of_account(account);
        let fields: [(&str, fn(&SourceSettings) -> Value); 5] = [
            ("name", |it| it.name.as_str().into()),
            ("external_id", |it| it.external_id.as_str().into()),
            ("pipeline_id", |it| it.pipeline.0.into()),
            ("status_id", |it| it.stage.map(|stage| stage.0).into()),
            ("default", |it| it.default.into()),
        ];
        for (name, of) in fields {
            let (before, after) = field(of);
            audit = audit.change(name, before, after);
        }
        Self { id, now, audit }
    }

    /// Takes note of the change.
    pub(super) fn apply(&self, sources: &mut Vec<Source>, last: &mut u64) {
        *last = (*last).max(self.id.0);
        sources.retain(|source| source.id != self.id);
        let Some(settings) = self.now.clone() else {
            return;
        };
        if settings.default {
            let mut others = sources.iter_mut();
            others
                .by_ref()
                .for_each(|source| source.settings.default = false);
        }
        let place = sources.partition_point(|source| source.id < self.id);
        let id = self.id;
        sources.insert(place, Source { id, settings });
    }
}
