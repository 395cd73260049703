//! `POST /inbox/v1/conversations/{id}/dismiss-failures`: the failed messages of a conversation need nothing more.

use actix_web::{HttpResponse, web};

use crate::extract::access::Access;
use crate::inbox::reply::refused;
use crate::openapi::{Operation, Schema};
use crate::reply::problem::Problem;

pub(crate) async fn post(access: Access, id: web::Path<String>) -> Result<HttpResponse, Problem> {
    let unknown = || Problem::NotFound("there is no such conversation".to_owned());
    let id = id.parse().map_err(|_not_an_id| unknown())?;
    let user = access.open().await?;
    user.dismiss_failures(id).await.map_err(refused)?;
    Ok(HttpResponse::NoContent().finish())
}

pub(crate) fn describe() -> Operation {
    Operation::inbox(
        "dismissFailures",
        "Dismiss the failed messages of a conversation.",
    )
    .says("The conversation no longer counts as failed; the states of its messages stay. A later failure counts again.")
    .path("id", Schema::uuid())
    .answers_nothing(204, "On disk.")
    .refuses(403, "The caller may not edit the lead.")
    .refuses(
        404,
        "There is no such conversation that the caller may see.",
    )
}
