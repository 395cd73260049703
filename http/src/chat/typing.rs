//! `POST /v2/origin/custom/<scope_id>/typing`: a customer is writing; the inbox shows it for a while.

use std::time::Duration;

use actix_web::HttpResponse;
use serde_json::json;
use switchboard_actors::domain::id::ScopeId;
use switchboard_actors::domain::violation::ViolationCode;
use switchboard_actors::error::CommandError;
use switchboard_actors::system::chat::TypingRejection;
use switchboard_actors::wire::body::Body;
use switchboard_actors::wire::chat_body::typing::{self, TypingBody};

use crate::chat::fields::scope_id;
use crate::extract::signed::SignedBody;
use crate::openapi::Operation;
use crate::reply::chat_error::ChatError;
use crate::state::AppState;

pub(super) async fn typing(
    state: &AppState,
    scope: ScopeId,
    body: SignedBody,
) -> Result<HttpResponse, ChatError> {
    let scope = state.system().connected(scope).await?;
    let body = typing::parse(body.bytes())?;
    let (conversation, sender) = (body.conversation.into(), body.sender.into());
    let duration = Duration::from_millis(body.duration_ms.count());
    state
        .system()
        .report_typing(scope, &conversation, &sender, duration)
        .await
        .map_err(refused)?;
    Ok(HttpResponse::NoContent().finish())
}

fn refused(refused: CommandError<TypingRejection>) -> ChatError {
    refused.into_error(|rejection| match rejection {
        TypingRejection::ConversationNotFound => ChatError::ConversationNotFound { hint: None },
        TypingRejection::UnknownPerson => {
            ChatError::field("sender.ref_id", ViolationCode::InvalidValue, &rejection)
        }
    })
}

pub(super) fn describe() -> Operation {
    let body = TypingBody::schema().needing_one_of(&["conversation_id", "conversation_ref_id"]);
    let example = json!({ "conversation_id": "c-ada", "sender": { "id": "u-ada" } });
    Operation::current_chat("reportTyping", "Show that a customer is typing.")
        .says("The inbox shows it for a short time. Nothing is stored.")
        .path("scope_id", scope_id())
        .body(body, example)
        .answers_nothing(204, "Shown. Nothing is stored.")
}
