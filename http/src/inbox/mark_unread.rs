//! `POST /inbox/v1/conversations/{id}/unread`: a conversation counts as unread for all users, until one of them reads it.

use actix_web::{HttpResponse, web};

use crate::extract::access::Access;
use crate::inbox::place::{self, NO_CONVERSATION, unknown};
use crate::openapi::{Operation, Schema};
use crate::reply::problem::Problem;

pub(crate) async fn post(access: Access, id: web::Path<String>) -> Result<HttpResponse, Problem> {
    let id = place::conversation(&id)?;
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
        .refuses(404, NO_CONVERSATION)
}
