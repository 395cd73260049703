//! Administrators create pipelines: all of them or none.

use crate::Decision;
use crate::audit::By;
use crate::crm::pipelines::changed::Changes;
use crate::crm::pipelines::numbers::LastNumbers;
use crate::crm::pipelines::rejection::PipelineRejection;
use crate::crm::pipelines::shape::{PipelineNow, next_sort};
use crate::crm::pipelines::stages::NewStage;
use crate::crm::pipelines::{FIRST_STAGES, PIPELINES_MAX};
use crate::crm::{Crm, CrmEvent, LOST, Pipeline, WON};
use crate::text::RoleName;
use switchboard_engine::state::{Command, Moment};

/// Creates pipelines.
#[derive(Clone, Debug)]
pub struct CreatePipelines {
    /// The actor, for the audit log.
    pub by: By,
    /// The pipelines.
    pub pipelines: Vec<NewPipeline>,
}

/// A pipeline to be created.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct NewPipeline {
    /// Its name.
    pub name: RoleName,
    /// Its place in lists; behind the others if it is left out.
    pub sort: Option<u64>,
    /// True when it becomes the main one.
    pub is_main: bool,
    /// Its open stages; those of the first pipeline if there are none.
    pub stages: Vec<NewStage>,
    /// The name of its end «won».
    pub won: Option<RoleName>,
    /// The name of its end «lost».
    pub lost: Option<RoleName>,
}

impl NewPipeline {
    fn pipeline(self, sort: u64, numbers: &mut LastNumbers) -> Result<Pipeline, PipelineRejection> {
        let name = String::from(self.name);
        let id = numbers.next_pipeline()?;
        let mut pipeline = Pipeline::new(id, name, numbers.next_stage()?, []);
        pipeline.sort = self.sort.unwrap_or(sort);
        if self.stages.is_empty() {
            for (_, name) in FIRST_STAGES {
                let stage = pipeline.next_stage(numbers.next_stage()?, name.to_owned());
                pipeline.stages.push(stage);
            }
        }
        for stage in self.stages {
            pipeline.add(stage, numbers)?;
        }
        for (end, name) in [(WON, self.won), (LOST, self.lost)] {
            let mut stages = pipeline.stages.iter_mut();
            if let (Some(stage), Some(name)) = (stages.find(|stage| stage.id == end), name) {
                stage.name = String::from(name);
            }
        }
        pipeline.arrange();
        Ok(pipeline)
    }
}

impl Command for CreatePipelines {
    type Of = Crm;
    type Reply = Vec<PipelineNow>;
    type Rejection = PipelineRejection;

    fn decide(
        self,
        state: &Crm,
        moment: &mut Moment<'_, CrmEvent>,
    ) -> Result<Decision<CrmEvent, Vec<PipelineNow>>, PipelineRejection> {
        let mut changes = Changes::new(state, self.by, moment);
        let mut ids = Vec::with_capacity(self.pipelines.len());
        for new in self.pipelines {
            if changes.crm.pipelines.len() >= PIPELINES_MAX {
                return Err(PipelineRejection::TooManyPipelines);
            }
            let sort = next_sort(&changes.crm.pipelines);
            let becomes_main = new.is_main;
            let mut numbers = changes.crm.last_numbers;
            let pipeline = new.pipeline(sort, &mut numbers)?;
            ids.push(pipeline.id);
            changes.set(pipeline.id, Some(pipeline), becomes_main);
        }
        let new_pipelines = ids
            .into_iter()
            .filter_map(|id| changes.crm.pipeline_now(id));
        let pipelines = new_pipelines.collect();
        Ok(Decision::events(changes.into_events(), pipelines))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::crm::pipelines::STAGES_MAX;
    use crate::id::{AccountId, PipelineId};
    use switchboard_engine::state::State as _;
    use switchboard_engine::testkit::carry_out;

    pub(in crate::crm::pipelines) fn new(name: &str) -> NewPipeline {
        NewPipeline {
            name: name.parse().unwrap(),
            sort: None,
            is_main: false,
            stages: Vec::new(),
            won: None,
            lost: None,
        }
    }

    fn create(crm: &mut Crm, pipelines: Vec<NewPipeline>) -> Result<Vec<u64>, PipelineRejection> {
        let by = By::Service;
        let answer = carry_out(crm, CreatePipelines { by, pipelines })?;
        Ok(answer.into_iter().map(|it| it.pipeline.id.0).collect())
    }

    #[test]
    fn pipelines_get_the_next_numbers_and_the_main_one_is_first() {
        let mut crm = Crm::initial(&AccountId::from_random([1; 16]));
        let main = NewPipeline {
            is_main: true,
            won: Some("Paid".parse().unwrap()),
            ..new("Main")
        };
        assert_eq!(create(&mut crm, vec![new("Other"), main]), Ok(vec![2, 3]));
        let order: Vec<_> = crm.pipelines.iter().map(|it| (it.id.0, it.sort)).collect();
        assert_eq!(order, [(3, 3), (1, 1), (2, 2)]);
        let main_stages = crm.pipelines[0].stages.iter();
        let stages: Vec<_> = main_stages.map(|it| (it.id.0, it.name.as_str())).collect();
        assert_eq!(stages[0], (9, "Incoming leads"));
        assert_eq!(stages[1], (10, "Initial contact"));
        assert_eq!(stages[4], (142, "Paid"));
        assert_eq!(crm.arrival().map(|it| it.0), Some(PipelineId(3)));
    }

    #[test]
    fn the_51st_pipeline_and_the_101st_stage_are_refused_as_a_whole() {
        let mut crm = Crm::initial(&AccountId::from_random([1; 16]));
        let many = vec![new("x"); PIPELINES_MAX];
        let before = crm.clone();
        let rejection = create(&mut crm, many).unwrap_err();
        assert_eq!(rejection, PipelineRejection::TooManyPipelines);
        assert_eq!(crm, before);
        let stage = NewStage {
            name: "x".parse().unwrap(),
            sort: None,
            color: None,
        };
        let mut large = new("x");
        large.stages = vec![stage.clone(); STAGES_MAX];
        create(&mut crm, vec![large.clone()]).unwrap();
        large.stages.push(stage);
        let rejection = create(&mut crm, vec![large]).unwrap_err();
        assert_eq!(rejection, PipelineRejection::TooManyStages);
    }
}
