//! Pipelines and their stages: every user of the account knows them, administrators change them.

use crate::domain::audit::By;
use crate::domain::crm::pipelines::create::{CreatePipelines, NewPipeline};
use crate::domain::crm::pipelines::delete::DeletePipeline;
use crate::domain::crm::pipelines::rejection::PipelineRejection;
use crate::domain::crm::pipelines::shape::PipelineNow;
use crate::domain::crm::pipelines::stages::{
    CreateStages, DeleteStage, NewStage, StageChange, UpdateStage,
};
use crate::domain::crm::pipelines::update::{PipelineChange, UpdatePipeline};
use crate::domain::crm::{Crm, Stage};
use crate::domain::id::{PipelineId, StageId};
use crate::system::user_access::UserAccess;
use switchboard_engine::runtime::ask::execute;
use switchboard_engine::state::Command;
use switchboard_runtime::error::CommandError;

/// The outcome of a change of pipelines.
type Outcome<T> = Result<T, CommandError<PipelineRejection>>;

impl UserAccess {
    /// An administrator creates pipelines, all of them or none; answers once they are on disk.
    ///
    /// # Errors
    /// When there would be too many pipelines or stages, or nothing can be stored now.
    pub async fn create_pipelines(&self, pipelines: Vec<NewPipeline>) -> Outcome<Vec<PipelineNow>> {
        let by = By::from(&self.caller);
        self.arrange(CreatePipelines { by, pipelines }).await
    }

    /// An administrator updates a pipeline; answers once that is on disk.
    ///
    /// # Errors
    /// When there is none, the account would have no main pipeline, or nothing can be stored now.
    pub async fn update_pipeline(
        &self,
        id: PipelineId,
        change: PipelineChange,
    ) -> Outcome<PipelineNow> {
        let by = By::from(&self.caller);
        self.arrange(UpdatePipeline { by, id, change }).await
    }

    /// An administrator deletes a pipeline; answers once that is on disk.
    ///
    /// # Errors
    /// When there is none, it is the main one, it has leads, a source names it, or nothing can be stored now.
    pub async fn delete_pipeline(&self, id: PipelineId) -> Outcome<()> {
        let by = By::from(&self.caller);
        self.arrange(DeletePipeline { by, id }).await
    }

    /// An administrator creates stages of a pipeline, all of them or none; answers once they are on disk.
    ///
    /// # Errors
    /// When there is no such pipeline, it would have too many stages, or nothing can be stored now.
    pub async fn create_statuses(
        &self,
        pipeline: PipelineId,
        stages: Vec<NewStage>,
    ) -> Outcome<Vec<Stage>> {
        let by = By::from(&self.caller);
        self.arrange(CreateStages {
            by,
            pipeline,
            stages,
        })
        .await
    }

    /// An administrator updates a stage; answers once that is on disk.
    ///
    /// # Errors
    /// When there is none, more than the name of a system stage would change, or nothing can be stored now.
    pub async fn update_status(
        &self,
        pipeline: PipelineId,
        stage: StageId,
        change: StageChange,
    ) -> Outcome<Stage> {
        let by = By::from(&self.caller);
        self.arrange(UpdateStage {
            by,
            pipeline,
            stage,
            change,
        })
        .await
    }

    /// An administrator deletes a stage; answers once that is on disk.
    ///
    /// # Errors
    /// When there is none, it is a system stage or the last open one, it has leads, a source names it, or nothing can be
    /// stored now.
    pub async fn delete_status(&self, pipeline: PipelineId, stage: StageId) -> Outcome<()> {
        let by = By::from(&self.caller);
        self.arrange(DeleteStage {
            by,
            pipeline,
            stage,
        })
        .await
    }

    async fn arrange<C: Command<Of = Crm, Rejection = PipelineRejection>>(
        &self,
        command: C,
    ) -> Outcome<C::Reply> {
        execute(self.system.kernel(), &self.caller.account, command).await
    }
}
