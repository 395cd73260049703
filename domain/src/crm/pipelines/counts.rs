//! The number of leads in each stage. The owner of the CRM decides with it whether a stage can go: no lead can move there
//! at the same time.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

use crate::crm::LeadChanged;
use crate::id::{PipelineId, StageId};

/// The number of leads in each stage that has some.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(from = "Vec<StoredCount>", into = "Vec<StoredCount>")]
pub struct StageCounts {
    counts: BTreeMap<(PipelineId, StageId), u64>,
}

type StoredCount = (PipelineId, StageId, u64);

impl StageCounts {
    /// Counts a lead that is new, or is as follows now.
    pub(in crate::crm) fn count(&mut self, changed: &LeadChanged) {
        let now = (changed.lead.pipeline, changed.lead.stage);
        let before = changed.before.map(|before| (before.pipeline, before.stage));
        let is_gone = changed.lead.merged_into.is_some();
        if before == Some(now) && !is_gone {
            return;
        }
        if let Some((pipeline, stage)) = before {
            self.leave(pipeline, stage);
        }
        if is_gone {
            return;
        }
        let leads = self.counts.entry(now).or_default();
        *leads = leads.saturating_add(1);
    }

    fn leave(&mut self, pipeline: PipelineId, stage: StageId) {
        let stage = (pipeline, stage);
        let Some(leads) = self.counts.get_mut(&stage) else {
            return;
        };
        *leads = leads.saturating_sub(1);
        if *leads == 0 {
            self.counts.remove(&stage);
        }
    }

    /// The number of leads in a stage.
    #[must_use]
    pub fn in_stage(&self, pipeline: PipelineId, stage: StageId) -> u64 {
        self.counts
            .get(&(pipeline, stage))
            .copied()
            .unwrap_or_default()
    }

    /// The number of leads in a pipeline.
    #[must_use]
    pub fn in_pipeline(&self, pipeline: PipelineId) -> u64 {
        let all = (pipeline, StageId(0))..=(pipeline, StageId(u64::MAX));
        self.counts.range(all).map(|(_, leads)| leads).sum()
    }
}

impl From<Vec<StoredCount>> for StageCounts {
    fn from(stored: Vec<StoredCount>) -> Self {
        let counts = stored.into_iter();
        Self {
            counts: counts
                .map(|(pipeline, stage, leads)| ((pipeline, stage), leads))
                .collect(),
        }
    }
}

impl From<StageCounts> for Vec<StoredCount> {
    fn from(stages: StageCounts) -> Self {
        let counts = stages.counts.into_iter();
        counts
            .map(|((pipeline, stage), leads)| (pipeline, stage, leads))
            .collect()
    }
}
