//! `POST /inbox/v1/conversations/{id}/close`: a user is done with a conversation, until the next message that is not silent.

use actix_web::{HttpResponse, web};

use crate::extract::access::Access;
use crate::inbox::place::{self, NO_CONVERSATION};
use crate::inbox::update_responsible::refused;
use crate::openapi::{Operation, Schema};
use crate::reply::problem::Problem;

pub(crate) async fn post(access: Access, id: web::Path<String>) -> Result<HttpResponse, Problem> {
    let id = place::conversation(&id)?;
    let user = access.open().await?;
    user.close_conversation(id).await.map_err(refused)?;
    Ok(HttpResponse::NoContent().finish())
}

pub(crate) fn describe() -> Operation {
    Operation::inbox("closeConversation", "Close a conversation.")
        .says("Its talk is closed; the lead stays as it is. The next message that is not silent, or the next reply, opens it again.")
        .path("id", Schema::uuid())
        .answers_nothing(204, "On disk.")
        .refuses(403, "The caller may not edit the lead.")
        .refuses(409, "The conversation is closed already, or has no lead.")
        .refuses(404, NO_CONVERSATION)
}
