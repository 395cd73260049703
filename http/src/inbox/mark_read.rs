//! `POST /inbox/v1/conversations/{id}/read`: an account user has read what there is; nothing is unread any more.

use actix_web::{HttpResponse, web};

use crate::extract::access::Access;
use crate::inbox::place::{self, NO_CONVERSATION, unknown};
use crate::openapi::{Operation, Schema};
use crate::reply::problem::Problem;

pub(crate) async fn post(access: Access, id: web::Path<String>) -> Result<HttpResponse, Problem> {
    let id = place::conversation(&id)?;
    let user = access.open().await?;
    if user.mark_read(id).await? {
        Ok(HttpResponse::NoContent().finish())
    } else {
        Err(unknown())
    }
}

pub(crate) fn describe() -> Operation {
    Operation::inbox("markRead", "Mark a conversation as read.")
        .path("id", Schema::uuid())
        .answers_nothing(204, "Noted.")
        .refuses(404, NO_CONVERSATION)
}
