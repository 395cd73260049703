//! Administrators create, update and delete stages of a pipeline. The system stages stay; only their names change.

use crate::Decision;
use crate::audit::By;
use crate::crm::pipelines::STAGES_MAX;
use crate::crm::pipelines::changed::Changes;
use crate::crm::pipelines::color::StageColor;
use crate::crm::pipelines::numbers::LastNumbers;
use crate::crm::pipelines::rejection::PipelineRejection;
use crate::crm::source::SourceSettings;
use crate::crm::{Crm, CrmEvent, Pipeline, Stage, StageKind};
use crate::id::{PipelineId, StageId};
use crate::text::RoleName;
use switchboard_engine::state::{Command, Moment};

/// A stage to be created.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct NewStage {
    /// Its name.
    pub name: RoleName,
    /// Its place among the open stages; behind the others if it is left out.
    pub sort: Option<u64>,
    /// Its colour; the next of a few if it is left out.
    pub color: Option<StageColor>,
}

impl Pipeline {
    /// Adds an open stage, in no order yet.
    pub(super) fn add(
        &mut self,
        new: NewStage,
        numbers: &mut LastNumbers,
    ) -> Result<StageId, PipelineRejection> {
        if self.open().count() >= STAGES_MAX {
            return Err(PipelineRejection::TooManyStages);
        }
        let mut stage = self.next_stage(numbers.next_stage()?, String::from(new.name));
        stage.sort = new.sort.unwrap_or(stage.sort);
        stage.color = new.color.unwrap_or(stage.color);
        let id = stage.id;
        self.stages.push(stage);
        Ok(id)
    }
}

impl Crm {
    /// Refuses a deletion while leads of a source arrive where it would be.
    pub(super) fn refuse_source(
        &self,
        is_there: impl Fn(&SourceSettings) -> bool,
    ) -> Result<(), PipelineRejection> {
        let mut sources = self.sources.iter();
        match sources.find(|source| is_there(&source.settings)) {
            Some(source) => Err(PipelineRejection::HasSource(source.id)),
            None => Ok(()),
        }
    }
}

impl Changes<'_, '_> {
    /// The pipeline with this number.
    pub(super) fn pipeline(&self, id: PipelineId) -> Result<Pipeline, PipelineRejection> {
        let pipeline = self.crm.pipeline(id).cloned();
        pipeline.ok_or(PipelineRejection::UnknownPipeline)
    }
}

/// Creates stages: all of them or none.
#[derive(Clone, Debug)]
pub struct CreateStages {
    /// The actor, for the audit log.
    pub by: By,
    /// The pipeline.
    pub pipeline: PipelineId,
    /// The stages.
    pub stages: Vec<NewStage>,
}

impl Command for CreateStages {
    type Of = Crm;
    type Reply = Vec<Stage>;
    type Rejection = PipelineRejection;

    fn decide(
        self,
        state: &Crm,
        moment: &mut Moment<'_, CrmEvent>,
    ) -> Result<Decision<CrmEvent, Vec<Stage>>, PipelineRejection> {
        let mut changes = Changes::new(state, self.by, moment);
        let mut now = changes.pipeline(self.pipeline)?;
        let mut numbers = changes.crm.last_numbers;
        let mut ids = Vec::with_capacity(self.stages.len());
        for new in self.stages {
            ids.push(now.add(new, &mut numbers)?);
        }
        now.arrange();
        let new_stages = ids.into_iter().filter_map(|id| now.stage(id).cloned());
        let stages = new_stages.collect();
        changes.set(self.pipeline, Some(now), false);
        Ok(Decision::events(changes.into_events(), stages))
    }
}

/// Updates a stage.
#[derive(Clone, Debug)]
pub struct UpdateStage {
    /// The actor, for the audit log.
    pub by: By,
    /// The pipeline.
    pub pipeline: PipelineId,
    /// The stage.
    pub stage: StageId,
    /// The changes.
    pub change: StageChange,
}

/// The changes of a stage; a field that is `None` stays.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct StageChange {
    /// Its name.
    pub name: Option<RoleName>,
    /// Its place among the open stages.
    pub sort: Option<u64>,
    /// Its colour.
    pub color: Option<StageColor>,
}

impl Command for UpdateStage {
    type Of = Crm;
    type Reply = Stage;
    type Rejection = PipelineRejection;

    fn decide(
        self,
        state: &Crm,
        moment: &mut Moment<'_, CrmEvent>,
    ) -> Result<Decision<CrmEvent, Stage>, PipelineRejection> {
        let StageChange { name, sort, color } = self.change;
        let mut changes = Changes::new(state, self.by, moment);
        let mut now = changes.pipeline(self.pipeline)?;
        let mut stages = now.stages.iter_mut();
        let current = stages.find(|stage| stage.id == self.stage);
        let stage = current.ok_or(PipelineRejection::UnknownStage)?;
        if stage.kind != StageKind::Open {
            // What equals the stage is no change: clients send all of what they change a part of.
            if sort.is_some_and(|sort| sort != stage.sort) {
                return Err(PipelineRejection::FixedField("sort"));
            }
            if color.is_some_and(|color| color != stage.color) {
                return Err(PipelineRejection::FixedField("color"));
            }
        }
        if let Some(name) = name {
            stage.name = String::from(name);
        }
        stage.sort = sort.unwrap_or(stage.sort);
        stage.color = color.unwrap_or(stage.color);
        let changed_stage = stage.clone();
        now.arrange();
        changes.set(self.pipeline, Some(now), false);
        Ok(Decision::events(changes.into_events(), changed_stage))
    }
}

/// Deletes a stage in which there are no leads and none arrive.
#[derive(Clone, Debug)]
pub struct DeleteStage {
    /// The actor, for the audit log.
    pub by: By,
    /// The pipeline.
    pub pipeline: PipelineId,
    /// The stage.
    pub stage: StageId,
}

impl Command for DeleteStage {
    type Of = Crm;
    type Reply = ();
    type Rejection = PipelineRejection;

    fn decide(
        self,
        state: &Crm,
        moment: &mut Moment<'_, CrmEvent>,
    ) -> Result<Decision<CrmEvent, ()>, PipelineRejection> {
        let (id, stage_id) = (self.pipeline, self.stage);
        let mut changes = Changes::new(state, self.by, moment);
        let mut now = changes.pipeline(id)?;
        let current = now.stage(stage_id);
        let stage = current.ok_or(PipelineRejection::UnknownStage)?;
        if stage.kind != StageKind::Open {
            return Err(PipelineRejection::SystemStage);
        }
        let leads = changes.crm.leads_in.in_stage(id, stage_id);
        if leads > 0 {
            return Err(PipelineRejection::HasLeads(leads));
        }
        if now.open().count() == 1 {
            return Err(PipelineRejection::LastStage);
        }
        changes.crm.refuse_source(|settings| {
            settings.pipeline == id && settings.stage == Some(stage_id)
        })?;
        now.stages.retain(|stage| stage.id != stage_id);
        changes.set(id, Some(now), false);
        Ok(Decision::events(changes.into_events(), ()))
    }
}

#[cfg(test)]
mod tests;
