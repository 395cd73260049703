//! `POST /v2/origin/custom/<scope_id>/typing`: a customer is writing; the inbox shows it for a while.

use actix_web::HttpResponse;
use serde_json::json;
use switchboard_actors::domain::id::ScopeId;
use switchboard_actors::domain::violation::ViolationCode;
use switchboard_actors::error::Refused;
use switchboard_actors::system::chat::TypingRejection;
use switchboard_actors::wire::chat_body;

use crate::chat::fields::{conversation_fields, scope_id, who};
use crate::extract::signed::SignedBody;
use crate::openapi::{Operation, Schema, may, must};
use crate::reply::chat_error::ChatError;
use crate::state::AppState;

pub(super) async fn typing(
    state: &AppState,
    scope: ScopeId,
    body: SignedBody,
) -> Result<HttpResponse, ChatError> {
    let scope = state.system().connected(scope).await?;
    let body = chat_body::typing::parse(body.bytes())?;
    state
        .system()
        .typing(scope, &body.conversation, &body.sender, body.lasts)
        .await
        .map_err(refused)?;
    Ok(HttpResponse::NoContent().finish())
}

fn refused(refused: Refused<TypingRejection>) -> ChatError {
    refused.into_error(|rejection| match rejection {
        TypingRejection::ConversationNotFound => ChatError::ConversationNotFound { hint: None },
        TypingRejection::UnknownPerson => {
            ChatError::field("sender.ref_id", ViolationCode::InvalidValue, &rejection)
        }
    })
}

pub(super) fn describe() -> Operation {
    let mut fields = conversation_fields();
    fields.push(must("sender", who()));
    fields.push(may(
        "duration_ms",
        Schema::between(1, 60_000)
            .default_is(5_000)
            .says("How long the inbox shows it, in milliseconds."),
    ));
    let body = Schema::object(fields)
        .open()
        .needing_one_of(&["conversation_id", "conversation_ref_id"]);
    let example = json!({ "conversation_id": "c-ada", "sender": { "id": "u-ada" } });
    Operation::current_chat("showTyping", "Show that a customer is typing.")
        .says("The inbox shows it for a short time. Nothing is stored.")
        .path("scope_id", scope_id())
        .body(body, example)
        .answers_nothing(204, "Shown. Nothing is stored.")
}
