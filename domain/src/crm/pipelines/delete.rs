//! Administrators delete a pipeline in which there are no leads and none arrive.

use crate::Decision;
use crate::audit::By;
use crate::crm::pipelines::changed::Changes;
use crate::crm::pipelines::rejection::PipelineRejection;
use crate::crm::{Crm, CrmEvent};
use crate::id::PipelineId;
use switchboard_engine::state::{Command, Moment};

/// Deletes a pipeline.
#[derive(Clone, Debug)]
pub struct DeletePipeline {
    /// The actor, for the audit log.
    pub by: By,
    /// The pipeline.
    pub id: PipelineId,
}

impl Command for DeletePipeline {
    type Of = Crm;
    type Reply = ();
    type Rejection = PipelineRejection;

    fn decide(
        self,
        state: &Crm,
        moment: &mut Moment<'_, CrmEvent>,
    ) -> Result<Decision<CrmEvent, ()>, PipelineRejection> {
        let id = self.id;
        let mut changes = Changes::new(state, self.by, moment);
        changes.pipeline(id)?;
        if changes.crm.is_main(id) {
            return Err(PipelineRejection::MainPipeline);
        }
        let leads = changes.crm.leads_in.in_pipeline(id);
        if leads > 0 {
            return Err(PipelineRejection::HasLeads(leads));
        }
        changes
            .crm
            .refuse_source(|settings| settings.pipeline == id)?;
        changes.set(id, None, false);
        Ok(Decision::events(changes.into_events(), ()))
    }
}
