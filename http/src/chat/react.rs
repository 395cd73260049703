//! `POST /v2/origin/custom/<scope_id>/react`: a person sets a reaction on a message, or removes it.

use actix_web::HttpResponse;
use serde_json::json;
use switchboard_actors::domain::chat::reaction::ReactionKind;
use switchboard_actors::domain::id::ScopeId;
use switchboard_actors::system::chat::ReactRequest;
use switchboard_actors::wire::chat_body;

use crate::chat::fields::{conversation_fields, scope_id, who};
use crate::chat::send_message::not_changed;
use crate::extract::signed::SignedBody;
use crate::openapi::{Operation, Schema, may, must};
use crate::reply::chat_error::ChatError;
use crate::state::AppState;

pub(super) async fn react(
    state: &AppState,
    scope: ScopeId,
    body: SignedBody,
) -> Result<HttpResponse, ChatError> {
    let scope = state.system().connected(scope).await?;
    let body = chat_body::react::parse(body.bytes())?;
    let request = ReactRequest {
        conversation: body.conversation,
        id: body.id,
        msgid: body.msgid,
        user: body.user,
        kind: body.kind,
        emoji: body.emoji,
    };
    let result = state.system().react(scope, request).await;
    result.map_err(not_changed)?;
    Ok(HttpResponse::Ok().finish())
}

pub(super) fn describe() -> Operation {
    let mut fields = conversation_fields();
    fields.extend([
        may(
            "id",
            Schema::uuid().says("Our id of the message; or msgid."),
        ),
        may(
            "msgid",
            Schema::line(255).says("The integration's id of the message; or id."),
        ),
        must("user", who()),
        must("type", Schema::choice(&ReactionKind::NAMES)),
        may(
            "emoji",
            Schema::text().says(
                "1 to 32 characters; `unreact` without it removes all reactions of the person.",
            ),
        ),
    ]);
    let body = Schema::object(fields)
        .open()
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
