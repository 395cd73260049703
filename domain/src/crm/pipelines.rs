//! Pipelines and their stages, and those with numbers that were chosen for an account, so that programs that carry these
//! numbers find them.

pub mod changed;
pub mod color;
pub mod counts;
pub mod create;
pub mod declare;
pub mod delete;
pub mod numbers;
pub mod rejection;
pub mod shape;
pub mod stages;
pub mod update;

use std::collections::BTreeSet;

use crate::crm::{LOST, Pipeline, WON};
use crate::field::given;
use crate::id::{PipelineId, StageId};
use crate::text::Name;

/// The most pipelines of an account.
pub const PIPELINES_MAX: usize = 50;
/// The most stages of a pipeline besides the unsorted one and the two ends.
pub const STAGES_MAX: usize = 100;
/// The largest number that can be chosen: every client takes it for a whole number of 32 bits.
pub const NUMBER_MAX: u64 = 2_147_483_647;
/// The open stages of the first pipeline, and of a pipeline that is created without stages.
pub const FIRST_STAGES: [(u64, &str); 3] = [
    (2, "Initial contact"),
    (3, "Negotiation"),
    (4, "Decision making"),
];

given! {
    /// The fields of a pipeline.
    pub struct PipelineFields {
        id: PipelineId, "The pipeline's number.", like "3177727";
        name: Name, "The name.", like "Sales";
        unsorted_id: StageId, "The number of its first stage, in which leads from conversations arrive.", like "32392156";
    }

    /// The fields of a stage.
    pub struct PipelineStageFields {
        id: StageId, "The stage's number.", like "32392159";
        name: Name, "The name.", like "Initial contact";
    }
}

/// A pipeline as it is given, with the stages between the unsorted one and the two ends.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ChosenPipeline {
    /// Its number.
    pub id: PipelineId,
    /// Its name.
    pub name: Name,
    /// The number of its unsorted stage.
    pub unsorted: StageId,
    /// The stages in which leads are worked on, in order.
    pub stages: Vec<ChosenStage>,
}

/// A stage as it is given.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ChosenStage {
    /// Its number.
    pub id: StageId,
    /// Its name.
    pub name: Name,
}

/// Something is wrong with pipelines that were chosen.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PipelineError {
    /// The place behind the name of the list, as in `0.stages.1.id`.
    pub path: String,
    /// The mistake, and what to write instead.
    pub why: String,
}

/// The pipelines of an account for which these were chosen, the default one first.
///
/// # Errors
/// With everything that is wrong.
pub fn pipelines(chosen: &[ChosenPipeline]) -> Result<Vec<Pipeline>, Vec<PipelineError>> {
    let mut check = Check::default();
    if chosen.len() > PIPELINES_MAX {
        let why = format!("an account has at most {PIPELINES_MAX} pipelines");
        check.wrong(String::new(), why);
    }
    let pipelines = chosen.iter().take(PIPELINES_MAX).enumerate();
    for (at, pipeline) in pipelines {
        check.pipeline(at, pipeline);
    }
    if check.wrong.is_empty() {
        let sorted = (1..).zip(chosen);
        Ok(sorted.map(|(sort, it)| it.pipeline(sort)).collect())
    } else {
        Err(check.wrong)
    }
}

#[derive(Default)]
struct Check {
    pipelines: BTreeSet<PipelineId>,
    stages: BTreeSet<StageId>,
    wrong: Vec<PipelineError>,
}

impl Check {
    fn pipeline(&mut self, at: usize, pipeline: &ChosenPipeline) {
        let is_new = self.pipelines.insert(pipeline.id);
        self.number(format!("{at}.id"), pipeline.id.0, is_new);
        self.stage(format!("{at}.unsorted_id"), pipeline.unsorted);
        let path = format!("{at}.stages");
        if pipeline.stages.is_empty() || pipeline.stages.len() > STAGES_MAX {
            let why = format!(
                "a pipeline has 1 to {STAGES_MAX} stages besides the unsorted one and the two ends"
            );
            return self.wrong(path, why);
        }
        for (place, stage) in pipeline.stages.iter().enumerate() {
            self.stage(format!("{path}.{place}.id"), stage.id);
        }
    }

    fn stage(&mut self, path: String, stage: StageId) {
        if stage == WON || stage == LOST {
            let why = format!("every pipeline has {WON} and {LOST} by itself; leave them out");
            return self.wrong(path, why);
        }
        let is_new = self.stages.insert(stage);
        self.number(path, stage.0, is_new);
    }

    fn number(&mut self, path: String, number: u64, is_new: bool) {
        if !(1..=NUMBER_MAX).contains(&number) {
            self.wrong(path, format!("write a whole number from 1 to {NUMBER_MAX}"));
        } else if !is_new {
            let why = format!("another one of the account has the number {number} already");
            self.wrong(path, why);
        }
    }

    fn wrong(&mut self, path: String, why: String) {
        self.wrong.push(PipelineError { path, why });
    }
}

impl ChosenPipeline {
    fn pipeline(&self, sort: u64) -> Pipeline {
        let stages = self.stages.iter();
        let open = stages.map(|stage| (stage.id, stage.name.as_str().to_owned()));
        Pipeline {
            sort,
            ..Pipeline::new(self.id, self.name.as_str().to_owned(), self.unsorted, open)
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    pub(super) fn chosen(id: u64, unsorted: u64, stages: &[u64]) -> ChosenPipeline {
        let stages = stages.iter().map(|id| ChosenStage {
            id: StageId(*id),
            name: format!("Stage {id}").parse().unwrap(),
        });
        ChosenPipeline {
            id: PipelineId(id),
            name: format!("Pipeline {id}").parse().unwrap(),
            unsorted: StageId(unsorted),
            stages: stages.collect(),
        }
    }

    #[test]
    fn a_pipeline_has_its_stages_between_the_system_stages() {
        let result = pipelines(&[chosen(3_177_727, 50, &[60, 70]), chosen(9, 51, &[61])]).unwrap();
        let ids = |at: usize| -> Vec<u64> { result[at].stages.iter().map(|it| it.id.0).collect() };
        assert_eq!(
            (result[0].id, ids(0)),
            (PipelineId(3_177_727), vec![50, 60, 70, 142, 143])
        );
        assert_eq!(
            (result[1].id, ids(1)),
            (PipelineId(9), vec![51, 61, 142, 143])
        );
        assert_eq!(result[0].stages[0].kind, crate::crm::StageKind::Unsorted);
    }

    #[test]
    fn everything_wrong_is_named_with_its_place() {
        let wrong = pipelines(&[
            chosen(1, 50, &[60, 50, 142]),
            chosen(1, 60, &[]),
            chosen(NUMBER_MAX + 1, 0, &[7]),
        ])
        .unwrap_err();
        let paths: Vec<&str> = wrong.iter().map(|it| it.path.as_str()).collect();
        assert_eq!(
            paths,
            [
                "0.stages.1.id",
                "0.stages.2.id",
                "1.id",
                "1.unsorted_id",
                "1.stages",
                "2.id",
                "2.unsorted_id",
            ]
        );
        let many = vec![chosen(1, 50, &[60]); PIPELINES_MAX + 1];
        assert_eq!(pipelines(&many).unwrap_err()[0].path, "");
    }
}
