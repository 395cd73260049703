//! `PATCH /api/v4/leads/pipelines/{id}`: updates a pipeline.

use actix_web::{HttpResponse, web};
use serde_json::json;
use switchboard_actors::domain::id::PipelineId;
use switchboard_actors::wire::account_body::pipelines::{self, UpdatedPipeline};

use super::{PipelineView, refused};
use crate::account::unkept;
use crate::extract::access::Access;
use crate::extract::caller::Administrator;
use crate::extract::numbered::Numbered;
use crate::openapi::{Operation, Schema};
use crate::reply::hal;
use crate::reply::problem::Problem;

pub(crate) async fn patch(
    access: Access<Administrator>,
    Numbered(id): Numbered<PipelineId>,
    payload: web::Payload,
) -> Result<HttpResponse, Problem> {
    let bytes = access.entities(payload).await?;
    let change = pipelines::parse_update(&bytes)?;
    let user = access.open().await?;
    let result = user.update_pipeline(id, change).await;
    let now = result.map_err(|why| why.into_error(refused))?;
    let place = access.place(&user)?;
    let view = PipelineView::new(&place, now.is_main, &now.pipeline);
    Ok(hal::ok(&view))
}

pub(crate) fn describe() -> Operation {
    Operation::leads("updatePipeline", "Update a pipeline.")
        .says("Fields that the body does not name keep their values. With `is_main` true, it becomes the main pipeline in place of the other one.")
        .path("id", Schema::number())
        .takes::<UpdatedPipeline>(json!({ "name": "Retail", "sort": 10 }))
        .gives_hal::<PipelineView<'_>>(
            200,
            &unkept::PIPELINES.answer("The pipeline as it is now."),
        )
        .refuses(403, "Only administrators may do this.")
        .refuses(404, "There is no such pipeline in the account.")
}
