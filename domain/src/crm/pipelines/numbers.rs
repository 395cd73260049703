//! The numbers of pipelines and stages. The service gives the next one behind the highest ever used, so the number of
//! something that was deleted never names something else.

use serde::{Deserialize, Serialize};

use crate::crm::pipelines::NUMBER_MAX;
use crate::crm::pipelines::rejection::PipelineRejection;
use crate::crm::{LOST, Pipeline, WON};
use crate::id::{PipelineId, StageId};

/// The highest numbers so far.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct LastNumbers {
    pipeline: u64,
    stage: u64,
}

impl LastNumbers {
    /// Counts the numbers of these pipelines and their stages.
    pub(in crate::crm) fn count<'p>(&mut self, pipelines: impl IntoIterator<Item = &'p Pipeline>) {
        for pipeline in pipelines {
            self.pipeline = self.pipeline.max(pipeline.id.0);
            for stage in &pipeline.stages {
                // Every pipeline has the ends, whose numbers are fixed.
                if stage.id != WON && stage.id != LOST {
                    self.stage = self.stage.max(stage.id.0);
                }
            }
        }
    }

    /// The next number of a pipeline.
    pub(super) fn next_pipeline(&mut self) -> Result<PipelineId, PipelineRejection> {
        self.pipeline = within(self.pipeline.saturating_add(1))?;
        Ok(PipelineId(self.pipeline))
    }

    /// The next number of a stage.
    pub(super) fn next_stage(&mut self) -> Result<StageId, PipelineRejection> {
        let mut next = self.stage.saturating_add(1);
        while next == WON.0 || next == LOST.0 {
            next = next.saturating_add(1);
        }
        self.stage = within(next)?;
        Ok(StageId(self.stage))
    }
}

fn within(number: u64) -> Result<u64, PipelineRejection> {
    if number > NUMBER_MAX {
        return Err(PipelineRejection::NoNumberLeft);
    }
    Ok(number)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_go_up_past_those_of_the_ends() {
        let mut numbers = LastNumbers {
            pipeline: NUMBER_MAX,
            stage: 140,
        };
        assert_eq!(numbers.next_stage(), Ok(StageId(141)));
        assert_eq!(numbers.next_stage(), Ok(StageId(144)));
        let last = numbers.next_pipeline();
        assert_eq!(last, Err(PipelineRejection::NoNumberLeft));
    }
}
