//! The bodies of sources. What the counterpart lists besides (`services`, `origin_code`) says how a source is shown and
//! where it comes from; it is checked and not kept.

use crate::domain::crm::source::{SOURCES_MAX, SourceSettings};
use crate::domain::crm::sources::SourceChange;
use crate::domain::crm::{Crm, Pipeline, Stage, StageKind};
use crate::domain::id::{PipelineId, StageId};
use crate::domain::violation::ViolationCode;
use crate::wire::account_body::batch::{self, BatchError};
use crate::wire::account_body::items::{Item, Items};
use crate::wire::json::object::{Nulls, ObjectReader};
use crate::wire::json::{self, BodyError};

/// Reads sources to be added.
///
/// # Errors
/// With everything that is wrong with any of them.
pub fn parse_new(body: &[u8], crm: &Crm) -> Result<Vec<Item<SourceSettings>>, BatchError> {
    let root = batch::parse(body)?;
    Items::of(&root, "sources", SOURCES_MAX)?.read(|source| {
        let name = source.required_parsed("name");
        let external_id = source.required_parsed("external_id");
        let place = place(source, crm, crm.pipelines.first());
        let default = source.optional_bool("default").unwrap_or(false);
        let (pipeline, stage) = place.or_else(|| Some((crm.pipelines.first()?.id, None)))?;
        Some(SourceSettings {
            name: name?,
            external_id: external_id?,
            pipeline,
            stage,
            default,
        })
    })
}

/// Reads what is to be different of a source whose deals arrive in the pipeline `current`.
///
/// # Errors
/// With everything that is wrong.
pub fn parse_change(
    body: &[u8],
    crm: &Crm,
    current: PipelineId,
) -> Result<SourceChange, BodyError> {
    json::read(body, Nulls::Absent, |source| {
        let current = crm.pipelines.iter().find(|known| known.id == current);
        Some(SourceChange {
            name: source.optional_parsed("name"),
            external_id: source.optional_parsed("external_id"),
            place: place(source, crm, current),
            default: source.optional_bool("default"),
        })
    })
}

/// Where deals are to arrive: `pipeline_id` and `status_id`, the unsorted stage when only the pipeline is named.
fn place(
    source: &ObjectReader<'_, '_>,
    crm: &Crm,
    current: Option<&Pipeline>,
) -> Option<(PipelineId, Option<StageId>)> {
    let wanted = number(source, "pipeline_id").map(PipelineId);
    let stage = number(source, "status_id").map(StageId);
    let pipeline = match wanted {
        Some(wanted) => {
            let found = crm.pipelines.iter().find(|known| known.id == wanted);
            if found.is_none() {
                let detail = "expected the id of a pipeline of this account".to_owned();
                source.reject("pipeline_id", ViolationCode::NotSupportedChoice, detail);
            }
            found?
        }
        None => current?,
    };
    let is_place = |stage: &Stage| match stage.kind {
        StageKind::Unsorted | StageKind::Open => true,
        // A lead that is won or lost from the beginning would never be worked on.
        StageKind::Won | StageKind::Lost => false,
    };
    let mut places = pipeline.stages.iter().filter(|stage| is_place(stage));
    if let Some(stage) = stage
        && !places.any(|known| known.id == stage)
    {
        let detail = format!(
            "expected the id of a stage of the pipeline {}, but not that of an end",
            pipeline.id
        );
        source.reject("status_id", ViolationCode::NotSupportedChoice, detail);
    }
    (wanted.is_some() || stage.is_some()).then_some((pipeline.id, stage))
}

fn number(source: &ObjectReader<'_, '_>, name: &str) -> Option<u64> {
    let number = source.optional_integer(name, 1..=i64::MAX)?;
    u64::try_from(number).ok()
}
