//! The configuration declares pipelines of an account: a minimum. They exist afterwards with these numbers and names; other
//! pipelines and stages stay, and so do leads and rights, which name them.

use crate::Decision;
use crate::crm::pipelines::shape::next_sort;
use crate::crm::pipelines::{PIPELINES_MAX, STAGES_MAX};
use crate::crm::{Crm, CrmEvent, Pipeline, Stage, StageKind};
use switchboard_engine::state::{Command, Moment};

/// The configuration declares pipelines of an account. Those that it does not have are created; those that are there get
/// the declared names and the stages that they lack. Nothing else of them changes.
#[derive(Clone, Debug)]
pub struct DeclarePipelines {
    /// The pipelines.
    pub declared: Vec<Pipeline>,
    /// True for an account that is there: one without pipelines of its own has the usual one, which the rights of its users
    /// name.
    pub to_existing: bool,
}

/// The declared pipelines do not go with those that the account has.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum DeclarePipelinesRejection {
    /// A number is that of another stage.
    #[error(
        "the stage {declared} cannot be declared in the pipeline {pipeline}: the account has the pipelines {stored}, and their numbers stay"
    )]
    OtherStage {
        /// The number of the stage.
        declared: u64,
        /// The number of the pipeline that it is declared in.
        pipeline: u64,
        /// The pipelines of the account, for people.
        stored: String,
    },
    /// There would be too many.
    #[error(
        "with the declared ones, the account would have more than {PIPELINES_MAX} pipelines, or a pipeline more than {STAGES_MAX} stages; delete unused ones"
    )]
    TooMany,
}

impl DeclarePipelinesRejection {
    fn stage(stored: &[Pipeline], pipeline: &Pipeline, stage: &Stage) -> Self {
        let list = stored.iter().map(|pipeline| {
            let stages: Vec<_> = pipeline.stages.iter().map(|it| it.id.to_string()).collect();
            format!("{} (stages {})", pipeline.id, stages.join(", "))
        });
        Self::OtherStage {
            declared: stage.id.0,
            pipeline: pipeline.id.0,
            stored: list.collect::<Vec<_>>().join(", "),
        }
    }
}

/// The pipelines of an account that has `stored`, with the declared ones.
///
/// # Errors
/// When a declared stage is one of another pipeline or of another kind, or there would be too many.
pub fn with_declared(
    stored: &[Pipeline],
    declared: &[Pipeline],
) -> Result<Vec<Pipeline>, DeclarePipelinesRejection> {
    let mut pipelines = stored.to_vec();
    for declared in declared {
        for stage in &declared.stages {
            if !fits(stored, declared, stage) {
                return Err(DeclarePipelinesRejection::stage(stored, declared, stage));
            }
        }
        let mut all = pipelines.iter_mut();
        match all.find(|pipeline| pipeline.id == declared.id) {
            Some(pipeline) => pipeline.take_over(declared),
            None if stored.is_empty() => pipelines.push(declared.clone()),
            None => {
                let sort = next_sort(&pipelines);
                pipelines.push(Pipeline {
                    sort,
                    ..declared.clone()
                });
            }
        }
    }
    let is_large = |pipeline: &Pipeline| pipeline.open().count() > STAGES_MAX;
    if pipelines.len() > PIPELINES_MAX || pipelines.iter().any(is_large) {
        return Err(DeclarePipelinesRejection::TooMany);
    }
    Ok(pipelines)
}

/// Returns whether the number of a declared stage is free, or that of the same stage. The unsorted stage of a pipeline that
/// is there is the same one only.
fn fits(stored: &[Pipeline], declared: &Pipeline, stage: &Stage) -> bool {
    let is_end = matches!(stage.kind, StageKind::Won | StageKind::Lost);
    let mut owners = stored.iter().filter_map(|pipeline| {
        let same_number = pipeline.stage(stage.id)?;
        Some((pipeline.id, same_number.kind))
    });
    let is_there = stored.iter().any(|pipeline| pipeline.id == declared.id);
    match owners.find(|_| !is_end) {
        Some(owner) => owner == (declared.id, stage.kind),
        None => is_end || stage.kind == StageKind::Open || !is_there,
    }
}

impl Pipeline {
    /// Takes the declared names, and the stages that are not there yet.
    fn take_over(&mut self, declared: &Self) {
        self.name.clone_from(&declared.name);
        for stage in declared
            .stages
            .iter()
            .filter(|it| it.kind == StageKind::Open)
        {
            let mut stages = self.stages.iter_mut();
            if let Some(own_stage) = stages.find(|known| known.id == stage.id) {
                own_stage.name.clone_from(&stage.name);
            } else {
                let stage = self.next_stage(stage.id, stage.name.clone());
                self.stages.push(stage);
            }
        }
        self.arrange();
    }
}

impl Command for DeclarePipelines {
    type Of = Crm;
    type Reply = ();
    type Rejection = DeclarePipelinesRejection;

    fn decide(
        self,
        state: &Crm,
        _moment: &mut Moment<'_, CrmEvent>,
    ) -> Result<Decision<CrmEvent, ()>, DeclarePipelinesRejection> {
        let usual_pipelines = Crm::first_pipelines();
        let current = match state.pipelines.as_slice() {
            [] if self.to_existing => usual_pipelines.as_slice(),
            pipelines => pipelines,
        };
        let pipelines = with_declared(current, &self.declared)?;
        if state.pipelines == pipelines {
            return Ok(Decision::unchanged(()));
        }
        Ok(Decision::event(CrmEvent::Begun(pipelines), ()))
    }
}

#[cfg(test)]
mod tests {
    use super::super::tests::chosen;
    use super::*;
    use crate::audit::By;
    use crate::crm::pipelines::pipelines;
    use crate::crm::pipelines::stages::{DeleteStage, StageChange, UpdateStage};
    use crate::id::{AccountId, PipelineId, StageId};
    use switchboard_engine::state::State;
    use switchboard_engine::testkit::carry_out;

    fn declare(declared: Vec<Pipeline>) -> DeclarePipelines {
        DeclarePipelines {
            declared,
            to_existing: false,
        }
    }

    fn order(crm: &Crm, at: usize) -> Vec<u64> {
        let stages = crm.pipelines[at].stages.iter();
        stages.map(|stage| stage.id.0).collect()
    }

    #[test]
    fn declared_pipelines_are_a_minimum() {
        let mut crm = Crm::initial(&AccountId::from_random([1; 16]));
        let first = pipelines(&[chosen(7, 50, &[60, 61])]).unwrap();
        carry_out(&mut crm, declare(first.clone())).unwrap();
        assert_eq!(crm.pipelines, first);
        // What was changed over the interface.
        let (by, pipeline) = (By::Service, PipelineId(7));
        let change = StageChange {
            name: Some("Own".parse().unwrap()),
            sort: Some(99),
            color: Some("#fff000".parse().unwrap()),
        };
        let update = UpdateStage {
            by: by.clone(),
            pipeline,
            stage: StageId(60),
            change,
        };
        carry_out(&mut crm, update).unwrap();
        let delete = DeleteStage {
            by,
            pipeline,
            stage: StageId(61),
        };
        carry_out(&mut crm, delete).unwrap();
        let more = pipelines(&[chosen(8, 51, &[70]), chosen(7, 50, &[60, 61])]).unwrap();
        carry_out(&mut crm, declare(more)).unwrap();
        assert_eq!(order(&crm, 0), [50, 60, 61, 142, 143]);
        assert_eq!(order(&crm, 1), [51, 70, 142, 143]);
        let stage = &crm.pipelines[0].stages[1];
        assert_eq!(
            (stage.name.as_str(), stage.sort, stage.color.as_str()),
            ("Stage 60", 99, "#fff000")
        );
        assert_eq!(crm.arrival(), Some((PipelineId(7), StageId(50))));
        carry_out(&mut crm, declare(first)).unwrap();
        assert_eq!(crm.pipelines.len(), 2, "nothing is removed");
    }

    #[test]
    fn numbers_of_other_stages_are_a_conflict() {
        let mut crm = Crm::initial(&AccountId::from_random([1; 16]));
        let first = pipelines(&[chosen(7, 50, &[60])]).unwrap();
        carry_out(&mut crm, declare(first.clone())).unwrap();
        for other in [
            chosen(8, 50, &[61]),
            chosen(8, 51, &[60]),
            chosen(7, 51, &[60]),
            chosen(7, 60, &[61]),
        ] {
            let other = pipelines(&[other]).unwrap();
            let rejection = carry_out(&mut crm, declare(other)).unwrap_err();
            assert!(
                rejection
                    .to_string()
                    .contains("7 (stages 50, 60, 142, 143)"),
                "{rejection}"
            );
        }
        assert_eq!(crm.pipelines, first);
        let many: Vec<_> = (0..50)
            .map(|n| chosen(100 + n, 200 + n, &[300 + n]))
            .collect();
        let too_many = declare(pipelines(&many).unwrap());
        assert_eq!(
            carry_out(&mut crm, too_many),
            Err(DeclarePipelinesRejection::TooMany)
        );
    }
}
