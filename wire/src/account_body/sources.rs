//! The bodies of sources. What the counterpart lists besides (`services`, `origin_code`) says how a source is shown and
//! where it comes from; it is checked and not kept.

use std::collections::BTreeSet;

use crate::account_body::batch::{self, BatchError};
use crate::account_body::items::{self, Item, Items, WithId};
use crate::body;
use crate::body::Body;
use crate::domain::crm::source::{SOURCES_MAX, Source, SourceSettings};
use crate::domain::crm::sources::SourceChange;
use crate::domain::crm::{Crm, Pipeline, Stage, StageKind};
use crate::domain::id::{PipelineId, SourceNumber, StageId};
use crate::domain::text::{RoleName, SourceId};
use crate::domain::violation::ViolationCode;
use crate::json::BodyError;
use crate::json::object::ObjectReader;

body!(
    /// A source to be added.
    #[body(open)]
    pub struct NewSource {
        #[body(needed)]
        name: Option<RoleName>,
        /// The id that messages give; unique in the account.
        #[body(needed)]
        external_id: Option<SourceId>,
        #[body(flatten)]
        others: OtherFields,
    }

    /// A change of a source.
    #[body(open, lenient)]
    pub struct ChangedSource {
        name: Option<RoleName>,
        /// The id that messages give; unique in the account.
        external_id: Option<SourceId>,
        #[body(flatten)]
        others: OtherFields,
    }

    /// The fields of a source beside name and external id.
    #[body(open)]
    pub struct OtherFields {
        /// A pipeline of the account; the first if it is left out.
        pipeline_id: Option<PipelineId>,
        /// A stage of that pipeline that is no end of it; the unsorted one if it is left out.
        status_id: Option<StageId>,
        /// True when it is also for messages without a source, and with an unknown one.
        default: Option<bool>,
    }
);

/// Reads sources to be added.
///
/// # Errors
/// With everything that is wrong with any of them.
pub fn parse_new(body: &[u8], crm: &Crm) -> Result<Vec<Item<SourceSettings>>, BatchError> {
    let root = batch::parse(body)?;
    Items::new(&root, "sources", SOURCES_MAX)?.read(|item| {
        let source = NewSource::take(item)?;
        let place = place(item, &source.others, crm, crm.pipelines.first());
        let (pipeline, stage) = place.or_else(|| Some((crm.pipelines.first()?.id, None)))?;
        Some(SourceSettings {
            name: source.name?,
            external_id: source.external_id?,
            pipeline,
            stage,
            default: source.others.default.unwrap_or(false),
        })
    })
}

/// Reads what is to be different of a source whose leads arrive in the pipeline `current`.
///
/// # Errors
/// With everything that is wrong.
pub fn parse_change(
    body: &[u8],
    crm: &Crm,
    current: PipelineId,
) -> Result<SourceChange, BodyError> {
    ChangedSource::read_as(body, |source, body| {
        Some(change(source, body, crm, current))
    })
}

/// Reads what is to be different of several sources, each named by its `id`.
///
/// # Errors
/// With everything that is wrong with any of them.
pub fn parse_changes(
    body: &[u8],
    crm: &Crm,
) -> Result<Vec<Item<(SourceNumber, SourceChange)>>, BatchError> {
    let root = batch::parse(body)?;
    let mut ids = BTreeSet::new();
    Items::new(&root, "sources", SOURCES_MAX)?.read(|item| {
        let source = named(item, crm, &mut ids)?;
        let body = ChangedSource::take(item)?;
        let change = change(item, body, crm, source.settings.pipeline);
        Some((source.id, change))
    })
}

/// Reads which sources are to be deleted, each named by its `id`.
///
/// # Errors
/// With everything that is wrong with any of them.
pub fn parse_ids(body: &[u8], crm: &Crm) -> Result<BTreeSet<SourceNumber>, BatchError> {
    let root = batch::parse(body)?;
    let mut ids = BTreeSet::new();
    let items = Items::new(&root, "sources", SOURCES_MAX)?;
    items.read(|item| named(item, crm, &mut ids).map(|source| source.id))?;
    Ok(ids)
}

/// The source that an item names. One that is not there, or that an earlier item names, is reported.
fn named<'c>(
    item: &ObjectReader<'_, '_>,
    crm: &'c Crm,
    seen: &mut BTreeSet<SourceNumber>,
) -> Option<&'c Source> {
    let id = SourceNumber(WithId::take(item)?.id.0);
    let source = crm.source(id);
    if source.is_none() {
        let detail = "expected the id of a source of this account".to_owned();
        item.reject("id", ViolationCode::NotSupportedChoice, detail);
    } else {
        items::once(item, "id", "source", id, seen);
    }
    source
}

/// Reads the change of a source whose leads arrive in the pipeline `current`.
fn change(
    source: &ObjectReader<'_, '_>,
    body: ChangedSource,
    crm: &Crm,
    current: PipelineId,
) -> SourceChange {
    let current = crm.pipelines.iter().find(|known| known.id == current);
    SourceChange {
        place: place(source, &body.others, crm, current),
        name: body.name,
        external_id: body.external_id,
        default: body.others.default,
    }
}

/// Reads the stage where leads arrive: `pipeline_id` and `status_id`, the unsorted stage when only the pipeline is named.
fn place(
    source: &ObjectReader<'_, '_>,
    others: &OtherFields,
    crm: &Crm,
    current: Option<&Pipeline>,
) -> Option<(PipelineId, Option<StageId>)> {
    let (wanted, stage) = (others.pipeline_id, others.status_id);
    let pipeline = match wanted {
        Some(wanted) => {
            let target_pipeline = crm.pipelines.iter().find(|known| known.id == wanted);
            if target_pipeline.is_none() {
                let detail = "expected the id of a pipeline of this account".to_owned();
                source.reject("pipeline_id", ViolationCode::NotSupportedChoice, detail);
            }
            target_pipeline?
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
