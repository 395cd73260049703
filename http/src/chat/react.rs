//! `POST /v2/origin/custom/<scope_id>/react`: a person sets a reaction on a message, or removes it.

use actix_web::HttpResponse;
use serde_json::json;
use switchboard_actors::domain::id::ScopeId;
use switchboard_actors::system::chat::ReactRequest;
use switchboard_actors::wire::body::Body;
use switchboard_actors::wire::chat_body::react::{self, ReactBody};

use crate::chat::fields::scope_id;
use crate::chat::send_message::not_changed;
use crate::extract::signed::SignedBody;
use crate::openapi::Operation;
use crate::reply::chat_error::ChatError;
use crate::state::AppState;

pub(super) async fn react(
    state: &AppState,
    scope: ScopeId,
    body: SignedBody,
) -> Result<HttpResponse, ChatError> {
    let scope = state.system().connected(scope).await?;
    let body = react::parse(body.bytes())?;
    let request = ReactRequest {
        conversation: body.conversation.into(),
        id: body.message.id,
        msgid: body.message.msgid,
        user: body.user.into(),
        kind: body.kind,
        emoji: body.emoji.and_then(|emoji| emoji.0),
    };
    let result = state.system().react(scope, request).await;
    result.map_err(not_changed)?;
    Ok(HttpResponse::Ok().finish())
}

pub(super) fn describe() -> Operation {
    let body = ReactBody::schema()
        .needing_one_of(&["conversation_id", "conversation_ref_id"])
        .needing_one_of(&["id", "msgid"]);
    let example = json!({
        "conversation_id": "c-ada",
        "msgid": "m-1",
        "user": { "id": "u-ada" },
        "type": "react",
        "emoji": "👍",
    });
    Operation::current_chat("react", "Set or remove a reaction of a customer.")
        .path("scope_id", scope_id())
        .body(body, example)
        .answers_nothing(200, "Done.")
}
