//! `DELETE /api/v4/leads/pipelines/{id}`: deletes a pipeline without leads.

use actix_web::HttpResponse;
use switchboard_actors::domain::id::PipelineId;

use super::refused;
use crate::extract::access::Access;
use crate::extract::caller::Administrator;
use crate::extract::numbered::Numbered;
use crate::openapi::{Operation, Schema};
use crate::reply::problem::Problem;

pub(crate) async fn delete(
    access: Access<Administrator>,
    Numbered(id): Numbered<PipelineId>,
) -> Result<HttpResponse, Problem> {
    let result = access.open().await?.delete_pipeline(id).await;
    result.map_err(|why| why.into_error(refused))?;
    Ok(HttpResponse::NoContent().finish())
}

pub(crate) fn describe() -> Operation {
    Operation::leads("deletePipeline", "Delete a pipeline.")
        .says("Its number and those of its stages are never given again. Rights over its stages vanish from roles and users.")
        .path("id", Schema::number())
        .answers_nothing(204, "On disk.")
        .refuses(403, "Only administrators may do this.")
        .refuses(404, "There is no such pipeline in the account.")
        .refuses(
            409,
            "It is the main pipeline, leads are in it, or those of a source arrive in it.",
        )
}
