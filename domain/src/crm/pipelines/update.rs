//! Administrators update a pipeline.

use crate::Decision;
use crate::audit::By;
use crate::crm::pipelines::changed::Changes;
use crate::crm::pipelines::rejection::PipelineRejection;
use crate::crm::pipelines::shape::PipelineNow;
use crate::crm::{Crm, CrmEvent};
use crate::id::PipelineId;
use crate::text::RoleName;
use switchboard_engine::state::{Command, Moment};

/// Updates a pipeline.
#[derive(Clone, Debug)]
pub struct UpdatePipeline {
    /// The actor, for the audit log.
    pub by: By,
    /// The pipeline.
    pub id: PipelineId,
    /// The changes.
    pub change: PipelineChange,
}

/// The changes of a pipeline; a field that is `None` stays.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct PipelineChange {
    /// Its name.
    pub name: Option<RoleName>,
    /// Its place in lists.
    pub sort: Option<u64>,
    /// True when it becomes the main one. The main one stays main until another one is.
    pub is_main: Option<bool>,
}

impl Command for UpdatePipeline {
    type Of = Crm;
    type Reply = PipelineNow;
    type Rejection = PipelineRejection;

    fn decide(
        self,
        state: &Crm,
        moment: &mut Moment<'_, CrmEvent>,
    ) -> Result<Decision<CrmEvent, PipelineNow>, PipelineRejection> {
        let Self { by, id, change } = self;
        let mut changes = Changes::new(state, by, moment);
        let mut now = changes.pipeline(id)?;
        if change.is_main == Some(false) && changes.crm.is_main(id) {
            return Err(PipelineRejection::NeedsMain);
        }
        if let Some(name) = change.name {
            now.name = String::from(name);
        }
        now.sort = change.sort.unwrap_or(now.sort);
        changes.set(id, Some(now), change.is_main == Some(true));
        let result = changes.crm.pipeline_now(id);
        let pipeline = result.ok_or(PipelineRejection::UnknownPipeline)?;
        Ok(Decision::events(changes.into_events(), pipeline))
    }
}
