//! `GET /api/v4/leads/pipelines` and `…/{id}`, `…/{id}/statuses` and `…/{id}/statuses/{status}`: the pipelines of the
//! caller's account with their stages, which the counterpart calls statuses.

use actix_web::{HttpResponse, web};
use switchboard_actors::domain::crm::{Crm, Pipeline, Stage, StageKind};
use switchboard_actors::domain::id::{AccountNumber, PipelineId, StageId};

use crate::account::place::Place;
use crate::extract::access::Access;
use crate::openapi::{Operation, Schema};
use crate::reply::hal::{self, Links};
use crate::reply::problem::Problem;

/// Colours of stages, as the counterpart gives them to new ones.
const COLORS: [&str; 4] = ["#99ccff", "#ffff99", "#ffcc66", "#ffcccc"];

pub(crate) async fn list(access: Access) -> Result<HttpResponse, Problem> {
    let user = access.open().await?;
    let (crm, place) = (user.crm().await?, access.place(&user)?);
    Ok(hal::ok(&Pipelines::new(&place, &crm.pipelines)))
}

pub(crate) async fn get(access: Access, id: web::Path<String>) -> Result<HttpResponse, Problem> {
    let user = access.open().await?;
    let (crm, place) = (user.crm().await?, access.place(&user)?);
    let (at, pipeline) = pipeline(&crm, &id)?;
    Ok(hal::ok(&PipelineView::new(&place, at, pipeline)))
}

pub(crate) async fn statuses(
    access: Access,
    id: web::Path<String>,
) -> Result<HttpResponse, Problem> {
    let user = access.open().await?;
    let (crm, place) = (user.crm().await?, access.place(&user)?);
    let (_, pipeline) = pipeline(&crm, &id)?;
    Ok(hal::ok(&Statuses::new(&place, pipeline)))
}

pub(crate) async fn status(
    access: Access,
    ids: web::Path<(String, String)>,
) -> Result<HttpResponse, Problem> {
    let user = access.open().await?;
    let (crm, place) = (user.crm().await?, access.place(&user)?);
    let (id, status) = ids.into_inner();
    let (_, pipeline) = pipeline(&crm, &id)?;
    let mut stages = pipeline.stages.iter().enumerate();
    let (at, stage) = stages
        .find(|(_, stage)| stage.id.to_string() == status)
        .ok_or_else(|| Problem::NotFound(format!("the pipeline {id} has no such status")))?;
    Ok(hal::ok(&StageView::new(&place, pipeline.id, at, stage)))
}

/// The pipeline with this number, and its place among all.
fn pipeline<'c>(crm: &'c Crm, id: &str) -> Result<(usize, &'c Pipeline), Problem> {
    let mut pipelines = crm.pipelines.iter().enumerate();
    pipelines
        .find(|(_, pipeline)| pipeline.id.to_string() == id)
        .ok_or_else(|| Problem::NotFound("there is no such pipeline".to_owned()))
}

fn color(at: usize, stage: &Stage) -> &'static str {
    match stage.kind {
        StageKind::Unsorted => "#c1c1c1",
        StageKind::Open => COLORS.iter().cycle().nth(at).copied().unwrap_or_default(),
        StageKind::Won => "#ccff66",
        StageKind::Lost => "#d5d8db",
    }
}

view! {
    #[schemars(inline)]
    struct Pipelines<'b>(place: &Place<'_>, pipelines: &'b [Pipeline]) {
        _total_items: usize = pipelines.len(),
        _links: Links = Links::to(format!("{}/api/v4/leads/pipelines", place.base)),
        _embedded: PipelinesEmbedded<'b> = PipelinesEmbedded::new(place, pipelines),
    }

    #[schemars(inline)]
    struct PipelinesEmbedded<'b>(place: &Place<'_>, pipelines: &'b [Pipeline]) [
        let views = pipelines.iter().enumerate();
    ] {
        pipelines: Vec<PipelineView<'b>> = views.map(|(at, it)| PipelineView::new(place, at, it)).collect(),
    }

    #[schemars(rename = "Pipeline")]
    struct PipelineView<'b>(place: &Place<'_>, at: usize, pipeline: &'b Pipeline) {
        id: PipelineId = pipeline.id,
        name: &'b str = pipeline.name.as_ref(),
        sort: usize = at.saturating_add(1),
        is_main: bool = at == 0,
        #[schemars(extend("const" = true))]
        is_unsorted_on: bool = true,
        #[schemars(extend("const" = false))]
        is_archive: bool = false,
        account_id: AccountNumber = place.account,
        _links: Links = Links::to(format!("{}/api/v4/leads/pipelines/{}", place.base, pipeline.id)),
        _embedded: StagesEmbedded<'b> = StagesEmbedded::new(place, pipeline),
    }

    #[schemars(inline)]
    struct Statuses<'b>(place: &Place<'_>, pipeline: &'b Pipeline) {
        _total_items: usize = pipeline.stages.len(),
        _links: Links = Links::to(format!("{}/api/v4/leads/pipelines/{}/statuses", place.base, pipeline.id)),
        _embedded: StagesEmbedded<'b> = StagesEmbedded::new(place, pipeline),
    }

    #[schemars(inline)]
    struct StagesEmbedded<'b>(place: &Place<'_>, pipeline: &'b Pipeline) [
        let stages = pipeline.stages.iter().enumerate();
    ] {
        statuses: Vec<StageView<'b>> = stages.map(|(at, stage)| StageView::new(place, pipeline.id, at, stage)).collect(),
    }

    #[schemars(rename = "Status")]
    struct StageView<'b>(place: &Place<'_>, pipeline: PipelineId, at: usize, stage: &'b Stage) {
        id: StageId = stage.id,
        name: &'b str = stage.name.as_ref(),
        sort: usize = at.saturating_add(1).saturating_mul(10),
        is_editable: bool = stage.kind == StageKind::Open,
        pipeline_id: PipelineId = pipeline,
        color: &'static str = color(at, stage),
        /// 1 is the system stage «unsorted», 0 every other one.
        #[schemars(range(max = 1))]
        r#type: u8 = u8::from(stage.kind == StageKind::Unsorted),
        account_id: AccountNumber = place.account,
        _links: Links = Links::to(format!("{}/api/v4/leads/pipelines/{pipeline}/statuses/{}", place.base, stage.id)),
    }
}

pub(crate) fn describe() -> Operation {
    Operation::leads("listPipelines", "List pipelines with their stages.")
        .gives_hal::<Pipelines<'_>>(200, "The pipelines.")
}

pub(crate) fn describe_get() -> Operation {
    Operation::leads("getPipeline", "Get a pipeline with its stages.")
        .path("id", Schema::number())
        .gives_hal::<PipelineView<'_>>(200, "The pipeline.")
        .refuses(404, "There is no such pipeline in the account.")
}

pub(crate) fn describe_statuses() -> Operation {
    Operation::leads("listStatuses", "List the stages of a pipeline.")
        .path("id", Schema::number())
        .gives_hal::<Statuses<'_>>(200, "The stages.")
        .refuses(404, "There is no such pipeline in the account.")
}

pub(crate) fn describe_status() -> Operation {
    Operation::leads("getStatus", "Get a stage of a pipeline.")
        .path("id", Schema::number())
        .path("status", Schema::number())
        .gives_hal::<StageView<'_>>(200, "The stage.")
        .refuses(404, "There is no such pipeline, or it has no such stage.")
}
