//! `DELETE /inbox/v1/conversations/{id}/snooze`: a user ends a snooze before its time.

use actix_web::{HttpResponse, web};

use crate::extract::access::Access;
use crate::inbox::place::{self, NO_CONVERSATION};
use crate::inbox::update_responsible::refused;
use crate::openapi::{Operation, Schema};
use crate::reply::problem::Problem;

pub(crate) async fn delete(access: Access, id: web::Path<String>) -> Result<HttpResponse, Problem> {
    let id = place::conversation(&id)?;
    let user = access.open().await?;
    user.wake_conversation(id).await.map_err(refused)?;
    Ok(HttpResponse::NoContent().finish())
}

pub(crate) fn describe() -> Operation {
    Operation::inbox("wakeConversation", "Wake a snoozed conversation.")
        .says("Its status is that from before the snooze. Nothing changes if it is not snoozed.")
        .path("id", Schema::uuid())
        .answers_nothing(204, "On disk.")
        .refuses(403, "The caller may not edit the lead.")
        .refuses(409, "The conversation has no lead.")
        .refuses(404, NO_CONVERSATION)
}
