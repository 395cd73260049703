//! The shape of every pipeline: its unsorted stage, its open ones in order, its two ends.

use serde::{Deserialize, Serialize};

use crate::crm::pipelines::color::StageColor;
use crate::crm::{Crm, LOST, WON};
use crate::id::{PipelineId, StageId};

/// The distance between the places of stages, so that others fit between them.
pub(super) const SORT_STEP: u64 = 10;

/// The stages that leads move through.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Pipeline {
    /// Its number.
    pub id: PipelineId,
    /// Its name.
    pub name: String,
    /// Its place among the pipelines in lists.
    pub sort: u64,
    /// Its stages in order: the system stage *unsorted*, the open ones, the two ends.
    pub stages: Vec<Stage>,
}

/// A stage of a pipeline.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Stage {
    /// Its number, unique in the account but for [`WON`] and [`LOST`].
    pub id: StageId,
    /// Its name.
    pub name: String,
    /// The kind of the stage.
    pub kind: StageKind,
    /// Its place among the stages of its kind.
    pub sort: u64,
    /// Its colour.
    pub color: StageColor,
}

/// The kind of a stage.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum StageKind {
    /// The stage in which leads from conversations arrive.
    Unsorted,
    /// A stage in which users work on leads.
    Open,
    /// The end, well.
    Won,
    /// The end, not well.
    Lost,
}

/// A pipeline as it is, with its standing among the others.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PipelineNow {
    /// The pipeline.
    pub pipeline: Pipeline,
    /// True when leads arrive in it by default.
    pub is_main: bool,
}

impl Crm {
    /// The pipeline with this number, with its standing.
    #[must_use]
    pub fn pipeline_now(&self, id: PipelineId) -> Option<PipelineNow> {
        Some(PipelineNow {
            pipeline: self.pipeline(id)?.clone(),
            is_main: self.is_main(id),
        })
    }

    /// Returns whether leads can be in this stage, or in the unsorted one of the pipeline. Before the first pipeline is
    /// stored, an account has the usual one.
    pub(in crate::crm) fn has_place(&self, pipeline: PipelineId, stage: Option<StageId>) -> bool {
        let usual_pipelines = self.pipelines.is_empty().then(Self::first_pipelines);
        let mut pipelines = usual_pipelines.as_ref().unwrap_or(&self.pipelines).iter();
        let pipeline = pipelines.find(|known| known.id == pipeline);
        pipeline.is_some_and(|it| stage.is_none_or(|stage| it.stage(stage).is_some()))
    }

    /// Returns whether leads arrive in this pipeline by default.
    #[must_use]
    pub fn is_main(&self, id: PipelineId) -> bool {
        self.pipelines.first().is_some_and(|main| main.id == id)
    }
}

/// The place in lists behind all of these.
pub(super) fn next_sort(pipelines: &[Pipeline]) -> u64 {
    let sorts = pipelines.iter().map(|pipeline| pipeline.sort);
    sorts.max().unwrap_or_default().saturating_add(1)
}

impl Pipeline {
    /// A pipeline with these open stages, in the first place of lists.
    #[must_use]
    pub fn new(
        id: PipelineId,
        name: String,
        unsorted: StageId,
        open: impl IntoIterator<Item = (StageId, String)>,
    ) -> Self {
        let stage = |id, name: &str, kind: StageKind, sort| Stage {
            id,
            name: name.to_owned(),
            kind,
            sort,
            color: kind.color(),
        };
        let mut pipeline = Self {
            id,
            name,
            sort: 1,
            stages: vec![
                stage(unsorted, "Incoming leads", StageKind::Unsorted, SORT_STEP),
                stage(WON, "Closed - won", StageKind::Won, 10_000),
                stage(LOST, "Closed - lost", StageKind::Lost, 11_000),
            ],
        };
        for (id, name) in open {
            let stage = pipeline.next_stage(id, name);
            pipeline.stages.push(stage);
        }
        pipeline.arrange();
        pipeline
    }

    /// A further open stage, behind the others.
    pub(super) fn next_stage(&self, id: StageId, name: String) -> Stage {
        Stage {
            id,
            name,
            kind: StageKind::Open,
            sort: self.next_sort(),
            color: StageColor::in_turn(self.open().count().saturating_add(1)),
        }
    }

    /// The place behind the last open stage, or behind the unsorted one.
    fn next_sort(&self) -> u64 {
        let last = self.open().map(|stage| stage.sort).max();
        last.unwrap_or(SORT_STEP).saturating_add(SORT_STEP)
    }

    /// Puts the stages in order.
    pub(super) fn arrange(&mut self) {
        self.stages
            .sort_by_key(|stage| (stage.kind.rank(), stage.sort, stage.id));
    }

    /// The stage with this number.
    #[must_use]
    pub fn stage(&self, id: StageId) -> Option<&Stage> {
        self.stages.iter().find(|stage| stage.id == id)
    }

    /// The stage in which leads from conversations arrive.
    #[must_use]
    pub fn unsorted(&self) -> Option<&Stage> {
        let mut stages = self.stages.iter();
        stages.find(|stage| stage.kind == StageKind::Unsorted)
    }

    /// The stages in which users work on leads.
    pub fn open(&self) -> impl Iterator<Item = &Stage> {
        let stages = self.stages.iter();
        stages.filter(|stage| stage.kind == StageKind::Open)
    }
}

impl StageKind {
    /// The colour of the first stage of this kind.
    fn color(self) -> StageColor {
        match self {
            Self::Unsorted => StageColor::UNSORTED,
            Self::Open => StageColor::in_turn(1),
            Self::Won => StageColor::WON,
            Self::Lost => StageColor::LOST,
        }
    }

    /// The place of the stages of this kind in a pipeline.
    fn rank(self) -> u8 {
        match self {
            Self::Unsorted => 0,
            Self::Open => 1,
            Self::Won => 2,
            Self::Lost => 3,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn stages_stand_in_order_between_the_system_stages() {
        let open = [(StageId(7), "a".to_owned()), (StageId(8), "b".to_owned())];
        let pipeline = Pipeline::new(PipelineId(1), "x".to_owned(), StageId(6), open);
        let places: Vec<_> = pipeline
            .stages
            .iter()
            .map(|it| (it.id.0, it.sort))
            .collect();
        assert_eq!(
            places,
            [(6, 10), (7, 20), (8, 30), (142, 10_000), (143, 11_000)]
        );
        let colors: Vec<_> = pipeline.stages.iter().map(|it| it.color.as_str()).collect();
        assert_eq!(
            colors,
            ["#c1c1c1", "#ffff99", "#ffcc66", "#ccff66", "#d5d8db"]
        );
    }
}
