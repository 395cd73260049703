//! The reasons not to create, update or delete pipelines and stages.

use crate::crm::pipelines::{NUMBER_MAX, PIPELINES_MAX, STAGES_MAX};
use crate::id::SourceNumber;

/// The rejection of a change of pipelines.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum PipelineRejection {
    /// There is no pipeline of this number.
    #[error("there is no such pipeline")]
    UnknownPipeline,
    /// The pipeline has no stage of this number.
    #[error("the pipeline has no such status")]
    UnknownStage,
    /// The account has as many pipelines as it can have.
    #[error("an account has at most {PIPELINES_MAX} pipelines; delete unused ones")]
    TooManyPipelines,
    /// A pipeline has as many stages as it can have.
    #[error(
        "a pipeline has at most {STAGES_MAX} statuses besides the system ones; delete unused ones"
    )]
    TooManyStages,
    /// The numbers are used up, since one was chosen near the end.
    #[error("no number up to {NUMBER_MAX} is left; the configuration chose one near the end")]
    NoNumberLeft,
    /// The main pipeline stays.
    #[error("the main pipeline cannot be deleted; make another one main first")]
    MainPipeline,
    /// The main pipeline is main until another one is.
    #[error("the main pipeline stays main until another one becomes main")]
    NeedsMain,
    /// A system stage stays.
    #[error("a system status cannot be deleted: every pipeline has its unsorted one, 142 and 143")]
    SystemStage,
    /// Of a system stage, only the name changes.
    #[error("only the name of a system status can change")]
    FixedField(&'static str),
    /// A pipeline without an open stage is of no use.
    #[error("the last open status of a pipeline cannot be deleted; create another one first")]
    LastStage,
    /// Leads are in it.
    #[error("{0} leads are in it; move them to other statuses first")]
    HasLeads(u64),
    /// Leads of a source arrive in it.
    #[error("leads of the source {0} arrive in it; change or delete the source first")]
    HasSource(SourceNumber),
}
