//! `POST /api/v4/leads/pipelines/{id}/statuses`, `PATCH` and `DELETE …/statuses/{status}`: creates, updates and deletes
//! stages of a pipeline.

use std::str::FromStr;

use actix_web::{HttpResponse, web};
use serde_json::json;
use switchboard_actors::domain::crm::pipelines::STAGES_MAX;
use switchboard_actors::domain::crm::pipelines::rejection::PipelineRejection;
use switchboard_actors::domain::id::PipelineId;
use switchboard_actors::wire::account_body::pipelines::{self, NewStatus, UpdatedStatus};

use super::{StageView, StatusMade, refused};
use crate::account::batch;
use crate::extract::access::Access;
use crate::extract::caller::Administrator;
use crate::extract::numbered::Numbered;
use crate::openapi::{Operation, Schema};
use crate::reply::hal;
use crate::reply::problem::Problem;

pub(crate) async fn post(
    access: Access<Administrator>,
    Numbered(id): Numbered<PipelineId>,
    payload: web::Payload,
) -> Result<HttpResponse, Problem> {
    let bytes = access.entities(payload).await?;
    let items = pipelines::parse_new_statuses(&bytes)?;
    let user = access.open().await?;
    let result = user.create_statuses(id, batch::values(&items)).await;
    let stages = result.map_err(|why| why.into_error(refused))?;
    let place = access.place(&user)?;
    Ok(batch::answer("statuses", &stages, &items, |stage, name| {
        StatusMade::new(&place, id, stage, name)
    }))
}

pub(crate) async fn patch(
    access: Access<Administrator>,
    ids: web::Path<(String, String)>,
    payload: web::Payload,
) -> Result<HttpResponse, Problem> {
    let pipeline = number(&ids.0, PipelineRejection::UnknownPipeline)?;
    let stage = number(&ids.1, PipelineRejection::UnknownStage)?;
    let bytes = access.entities(payload).await?;
    let change = pipelines::parse_status_update(&bytes)?;
    let user = access.open().await?;
    let result = user.update_status(pipeline, stage, change).await;
    let stage = result.map_err(|why| why.into_error(refused))?;
    let place = access.place(&user)?;
    Ok(hal::ok(&StageView::new(&place, pipeline, &stage)))
}

pub(crate) async fn delete(
    access: Access<Administrator>,
    ids: web::Path<(String, String)>,
) -> Result<HttpResponse, Problem> {
    let pipeline = number(&ids.0, PipelineRejection::UnknownPipeline)?;
    let stage = number(&ids.1, PipelineRejection::UnknownStage)?;
    let result = access.open().await?.delete_status(pipeline, stage).await;
    result.map_err(|why| why.into_error(refused))?;
    Ok(HttpResponse::NoContent().finish())
}

/// The number in an address; anything else names nothing.
fn number<T: FromStr>(text: &str, unknown: PipelineRejection) -> Result<T, Problem> {
    text.parse().map_err(|_no_number| refused(unknown))
}

pub(crate) fn describe_post() -> Operation {
    let example = json!([{ "name": "Contract", "sort": 60, "color": "#fffeb2" }]);
    Operation::leads("createStatuses", "Create stages of a pipeline (atomic).")
        .says("The body may also be a single stage, or an object of stages by number. What a role allows in general, it allows in a new stage.")
        .path("id", Schema::number())
        .takes_items::<NewStatus>(STAGES_MAX, example)
        .answers_several::<StatusMade<'_>>(200, "On disk.", "statuses")
        .refuses(
            403,
            "Only administrators may do this; a pipeline has at most 100 stages besides the system ones.",
        )
        .refuses(404, "There is no such pipeline in the account.")
}

pub(crate) fn describe_patch() -> Operation {
    Operation::leads("updateStatus", "Update a stage of a pipeline.")
        .says("Fields that the body does not name keep their values. Of a system stage, only the name changes.")
        .path("id", Schema::number())
        .path("status", Schema::number())
        .takes::<UpdatedStatus>(json!({ "name": "Contract", "color": "#fffeb2" }))
        .gives_hal::<StageView<'_>>(200, "The stage as it is now.")
        .refuses(403, "Only administrators may do this.")
        .refuses(404, "There is no such pipeline, or it has no such stage.")
}

pub(crate) fn describe_delete() -> Operation {
    Operation::leads("deleteStatus", "Delete a stage of a pipeline.")
        .says("Its number is never given again. Rights over it vanish from roles and users.")
        .path("id", Schema::number())
        .path("status", Schema::number())
        .answers_nothing(204, "On disk.")
        .refuses(
            403,
            "Only administrators may do this, and a system stage stays.",
        )
        .refuses(404, "There is no such pipeline, or it has no such stage.")
        .refuses(
            409,
            "Leads are in it, those of a source arrive in it, or it is the last open stage.",
        )
}
