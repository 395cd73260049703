//! `POST /inbox/v1/conversations/{id}/viewing`: an account user has the conversation open; others see it, nothing is stored.

use actix_web::{HttpResponse, web};

use crate::extract::access::Access;
use crate::inbox::place::{self, NO_CONVERSATION, unknown};
use crate::openapi::{Operation, Schema};
use crate::reply::problem::Problem;

pub(crate) async fn post(access: Access, id: web::Path<String>) -> Result<HttpResponse, Problem> {
    let id = place::conversation(&id)?;
    let user = access.open().await?;
    let viewer = user.report_viewing(id).await?;
    viewer.ok_or_else(unknown)?;
    Ok(HttpResponse::NoContent().finish())
}

pub(crate) fn describe() -> Operation {
    Operation::inbox("reportViewing", "Show that the caller has the conversation open.")
        .says("Other users see it for 15 seconds; repeat it while the conversation is open. Nothing is stored.")
        .path("id", Schema::uuid())
        .answers_nothing(204, "Shown.")
        .refuses(404, NO_CONVERSATION)
}
