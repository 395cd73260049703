//! The bodies of sources. What the counterpart lists besides (`services`, `origin_code`) says how a source is shown and
//! where it comes from; it is checked and not kept.

use std::collections::BTreeSet;

use crate::domain::crm::source::{SOURCES_MAX, Source, SourceSettings};
use crate::domain::crm::sources::SourceChange;
use crate::domain::crm::{Crm, Pipeline, Stage, StageKind};
use crate::domain::id::{PipelineId, SourceNumber, StageId};
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
        Some(change(source, crm, current))
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
    let mut seen = BTreeSet::new();
    Items::of(&root, "sources", SOURCES_MAX)?.read(|item| {
        let source = named(item, crm, &mut seen)?;
        Some((source.id, change(item, crm, source.settings.pipeline)))
    })
}

/// Reads which sources are to be deleted, each named by its `id`.
///
/// # Errors
/// With everything that is wrong with any of them.
pub fn parse_ids(body: &[u8], crm: &Crm) -> Result<BTreeSet<SourceNumber>, BatchError> {
    let root = batch::parse(body)?;
    let mut seen = BTreeSet::new();
    let items = Items::of(&root, "sources", SOURCES_MAX)?;
    items.read(|item| named(item, crm, &mut seen).map(|source| source.id))?;
    Ok(seen)
}

/// The source that an item names. One that is not there, or that an earlier item names, is reported.
fn named<'c>(
    item: &ObjectReader<'_, '_>,
    crm: &'c Crm,
    seen: &mut BTreeSet<SourceNumber>,
) -> Option<&'c Source> {
    let id = item.required_integer("id", 1..=i64::MAX)?;
    let id = SourceNumber(u64::try_from(id).ok()?);
    let found = crm.source(id);
    if found.is_none() {
        let detail = "expected the id of a source of this account".to_owned();
        item.reject("id", ViolationCode::NotSupportedChoice, detail);
    } else if !seen.insert(id) {
        let detail = "the source is named twice".to_owned();
        item.reject("id", ViolationCode::InvalidValue, detail);
    }
    found
}

/// What a body says of a source whose deals arrive in the pipeline `current`.
fn change(source: &ObjectReader<'_, '_>, crm: &Crm, current: PipelineId) -> SourceChange {
    let current = crm.pipelines.iter().find(|known| known.id == current);
    SourceChange {
        name: source.optional_parsed("name"),
        external_id: source.optional_parsed("external_id"),
        place: place(source, crm, current),
        default: source.optional_bool("default"),
    }
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
