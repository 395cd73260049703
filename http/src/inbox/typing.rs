//! `POST /inbox/v1/conversations/{id}/typing`: an account user is writing; others see it, nothing is stored.

use actix_web::{HttpResponse, web};

use crate::extract::access::Access;
use crate::inbox::place::{self, NO_CONVERSATION};
use crate::inbox::reply::refused;
use crate::openapi::{Operation, Schema};
use crate::reply::problem::Problem;

pub(crate) async fn post(access: Access, id: web::Path<String>) -> Result<HttpResponse, Problem> {
    let id = place::conversation(&id)?;
    let user = access.open().await?;
    user.report_typing(id).await.map_err(refused)?;
    Ok(HttpResponse::NoContent().finish())
}

pub(crate) fn describe() -> Operation {
    Operation::inbox("reportTypingAsUser", "Show that the caller is typing.")
        .says("Other users see it for a short time. Nothing is stored.")
        .path("id", Schema::uuid())
        .answers_nothing(204, "Shown.")
        .refuses(403, "The caller may not answer here.")
        .refuses(404, NO_CONVERSATION)
}
