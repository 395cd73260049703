//! `POST /inbox/v1/conversations/{id}/messages/{message}/withdraw`: a message that waits for its callback is not sent.

use actix_web::{HttpResponse, web};
use switchboard_actors::domain::id::{ConversationId, MessageId};
use switchboard_actors::system::user_access::WithdrawRejection;

use crate::extract::access::Access;
use crate::inbox::reply;
use crate::openapi::{Operation, Schema};
use crate::reply::problem::Problem;

pub(crate) async fn post(
    access: Access,
    ids: web::Path<(String, String)>,
) -> Result<HttpResponse, Problem> {
    let unknown =
        || Problem::NotFound("there is no such conversation, or no such message in it".to_owned());
    let (conversation, message) = ids.into_inner();
    let conversation: ConversationId = conversation.parse().map_err(|_not_an_id| unknown())?;
    let message: MessageId = message.parse().map_err(|_not_an_id| unknown())?;
    let user = access.open().await?;
    let withdrawn = user.withdraw_message(conversation, message).await;
    withdrawn.map_err(|refused| {
        refused.into_error(|rejection| match rejection {
            WithdrawRejection::Conversation(rejection) => reply::rejection(rejection),
            WithdrawRejection::UnknownMessage => Problem::NotFound(rejection.to_string()),
            WithdrawRejection::Final => Problem::Conflict(rejection.to_string()),
        })
    })?;
    Ok(HttpResponse::NoContent().finish())
}

pub(crate) fn describe() -> Operation {
    Operation::inbox("withdrawMessage", "Withdraw a message that waits to be sent.")
        .says("If an attempt is in progress and succeeds, the message is sent nevertheless. The messages behind it are sent next.")
        .path("id", Schema::uuid())
        .path("message", Schema::uuid().says("Our id of the message."))
        .answers_nothing(204, "On disk.")
        .refuses(403, "The caller may not edit the lead.")
        .refuses(
            404,
            "There is no such conversation that the caller may see, or no such message of an account user in it.",
        )
        .refuses(409, "The message has been sent, or is not sent any more.")
}
