//! `POST /inbox/v1/conversations/{id}/dismiss-failures`: the failed messages of a conversation need nothing more.

use actix_web::{HttpResponse, web};

use crate::extract::access::Access;
use crate::inbox::place::{self, NO_CONVERSATION};
use crate::inbox::reply::refused;
use crate::openapi::{Operation, Schema};
use crate::reply::problem::Problem;

pub(crate) async fn post(access: Access, id: web::Path<String>) -> Result<HttpResponse, Problem> {
    let id = place::conversation(&id)?;
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
    .refuses(404, NO_CONVERSATION)
}
