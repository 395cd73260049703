//! `GET /api/v4/leads/pipelines` and `…/{id}`, `…/{id}/statuses` and `…/{id}/statuses/{status}`: the pipelines of the
//! caller's account with their stages, which the counterpart calls statuses. Administrators create, update and delete them.

pub(crate) mod create;
pub(crate) mod delete;
pub(crate) mod statuses;
pub(crate) mod update;

use actix_web::{HttpResponse, web};
use switchboard_actors::domain::crm::pipelines::color::StageColor;
use switchboard_actors::domain::crm::pipelines::rejection::PipelineRejection;
use switchboard_actors::domain::crm::pipelines::shape::PipelineNow;
use switchboard_actors::domain::crm::{Crm, Pipeline, Stage, StageKind};
use switchboard_actors::domain::id::{AccountNumber, PipelineId, StageId};
use switchboard_actors::domain::violation::ViolationCode;

use crate::account::place::Place;
use crate::extract::access::Access;
use crate::openapi::{Operation, Schema};
use crate::reply::hal::{self, Links};
use crate::reply::problem::Problem;

pub(crate) async fn list(access: Access) -> Result<HttpResponse, Problem> {
    let user = access.open().await?;
    let (crm, place) = (user.crm().await?, access.place(&user)?);
    Ok(hal::ok(&Pipelines::new(&place, &crm)))
}

pub(crate) async fn get(access: Access, id: web::Path<String>) -> Result<HttpResponse, Problem> {
    let user = access.open().await?;
    let (crm, place) = (user.crm().await?, access.place(&user)?);
    let pipeline = pipeline(&crm, &id)?;
    let is_main = crm.is_main(pipeline.id);
    Ok(hal::ok(&PipelineView::new(&place, is_main, pipeline)))
}

pub(crate) async fn list_statuses(
    access: Access,
    id: web::Path<String>,
) -> Result<HttpResponse, Problem> {
    let user = access.open().await?;
    let (crm, place) = (user.crm().await?, access.place(&user)?);
    let pipeline = pipeline(&crm, &id)?;
    Ok(hal::ok(&Statuses::new(&place, pipeline)))
}

pub(crate) async fn status(
    access: Access,
    ids: web::Path<(String, String)>,
) -> Result<HttpResponse, Problem> {
    let user = access.open().await?;
    let (crm, place) = (user.crm().await?, access.place(&user)?);
    let (id, status) = ids.into_inner();
    let pipeline = pipeline(&crm, &id)?;
    let mut stages = pipeline.stages.iter();
    let stage = stages
        .find(|stage| stage.id.to_string() == status)
        .ok_or_else(|| refused(PipelineRejection::UnknownStage))?;
    Ok(hal::ok(&StageView::new(&place, pipeline.id, stage)))
}

/// The pipeline with this number.
fn pipeline<'c>(crm: &'c Crm, id: &str) -> Result<&'c Pipeline, Problem> {
    let mut pipelines = crm.pipelines.iter();
    pipelines
        .find(|pipeline| pipeline.id.to_string() == id)
        .ok_or_else(|| refused(PipelineRejection::UnknownPipeline))
}

/// The answer to a rejected change, or to a number of nothing.
fn refused(rejection: PipelineRejection) -> Problem {
    use PipelineRejection as R;

    match rejection {
        R::UnknownPipeline | R::UnknownStage => Problem::NotFound(rejection.to_string()),
        R::TooManyPipelines | R::TooManyStages | R::NoNumberLeft | R::SystemStage => {
            Problem::Forbidden(rejection.to_string())
        }
        R::NeedsMain => Problem::field("is_main", ViolationCode::InvalidValue, &rejection),
        R::FixedField(field) => Problem::field(field, ViolationCode::InvalidValue, &rejection),
        R::MainPipeline | R::LastStage | R::HasLeads(_) | R::HasSource(_) => {
            Problem::Conflict(rejection.to_string())
        }
    }
}

/// The pipelines in the order of lists.
fn in_order(crm: &Crm) -> Vec<&Pipeline> {
    let mut pipelines: Vec<_> = crm.pipelines.iter().collect();
    pipelines.sort_by_key(|pipeline| (pipeline.sort, pipeline.id));
    pipelines
}

view! {
    #[schemars(inline)]
    struct Pipelines<'b>(place: &Place<'_>, crm: &'b Crm) {
        _total_items: usize = crm.pipelines.len(),
        _links: Links = Links::to(format!("{}/api/v4/leads/pipelines", place.base)),
        _embedded: PipelinesEmbedded<'b> = PipelinesEmbedded::new(place, crm),
    }

    #[schemars(inline)]
    struct PipelinesEmbedded<'b>(place: &Place<'_>, crm: &'b Crm) [
        let pipelines = in_order(crm).into_iter();
    ] {
        pipelines: Vec<PipelineView<'b>> = pipelines.map(|it| PipelineView::new(place, crm.is_main(it.id), it)).collect(),
    }

    #[schemars(rename = "Pipeline")]
    struct PipelineView<'b>(place: &Place<'_>, is_main: bool, pipeline: &'b Pipeline) {
        id: PipelineId = pipeline.id,
        name: &'b str = pipeline.name.as_ref(),
        sort: u64 = pipeline.sort,
        is_main: bool = is_main,
        #[schemars(extend("const" = true))]
        is_unsorted_on: bool = true,
        #[schemars(extend("const" = false))]
        is_archive: bool = false,
        account_id: AccountNumber = place.account,
        _links: Links = Links::to(format!("{}/api/v4/leads/pipelines/{}", place.base, pipeline.id)),
        _embedded: StagesEmbedded<'b> = StagesEmbedded::new(place, pipeline),
    }

    struct PipelineMade<'b>(place: &Place<'_>, made: &'b PipelineNow, request_id: &'b str) {
        #[serde(flatten)]
        pipeline: PipelineView<'b> = PipelineView::new(place, made.is_main, &made.pipeline),
        request_id: &'b str = request_id,
    }

    struct StatusMade<'b>(place: &Place<'_>, pipeline: PipelineId, stage: &'b Stage, request_id: &'b str) {
        #[serde(flatten)]
        status: StageView<'b> = StageView::new(place, pipeline, stage),
        request_id: &'b str = request_id,
    }

    #[schemars(inline)]
    struct Statuses<'b>(place: &Place<'_>, pipeline: &'b Pipeline) {
        _total_items: usize = pipeline.stages.len(),
        _links: Links = Links::to(format!("{}/api/v4/leads/pipelines/{}/statuses", place.base, pipeline.id)),
        _embedded: StagesEmbedded<'b> = StagesEmbedded::new(place, pipeline),
    }

    #[schemars(inline)]
    struct StagesEmbedded<'b>(place: &Place<'_>, pipeline: &'b Pipeline) [
        let stages = pipeline.stages.iter();
    ] {
        statuses: Vec<StageView<'b>> = stages.map(|stage| StageView::new(place, pipeline.id, stage)).collect(),
    }

    #[schemars(rename = "Status")]
    struct StageView<'b>(place: &Place<'_>, pipeline: PipelineId, stage: &'b Stage) {
        id: StageId = stage.id,
        name: &'b str = stage.name.as_ref(),
        sort: u64 = stage.sort,
        is_editable: bool = stage.kind == StageKind::Open,
        pipeline_id: PipelineId = pipeline,
        color: StageColor = stage.color,
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
