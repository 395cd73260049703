//! `POST /inbox/v1/conversations/{id}/unread`: a conversation counts as unread for all users, until one of them reads it.

use actix_web::{HttpResponse, web};

use crate::extract::access::Access;
use crate::openapi::{Operation, Schema};
use crate::reply::problem::Problem;

pub(crate) async fn post(access: Access, id: web::Path<String>) -> Result<HttpResponse, Problem> {
    let unknown = || Problem::NotFound("there is no such conversation".to_owned());
    let id = id.parse().map_err(|_not_an_id| unknown())?;
    let user = access.open().await?;
    if user.mark_unread(id).await? {
        Ok(HttpResponse::NoContent().finish())
    } else {
        Err(unknown())
    }
}

pub(crate) fn describe() -> Operation {
    Operation::inbox("markUnread", "Mark a conversation as unread.")
        .says("It counts as unread for all users until one of them reads it.")
        .path("id", Schema::uuid())
        .answers_nothing(204, "On disk.")
        .refuses(
            404,
            "There is no such conversation that the caller may see.",
        )
}
