//! `POST /v2/origin/custom/<scope_id>/react`: somebody leaves a sign on a message, or takes it back.

use actix_web::HttpResponse;
use switchboard_actors::domain::id::ScopeId;
use switchboard_actors::system::chat::ReactRequest;
use switchboard_actors::wire::chat_body;

use crate::http::chat::send_message::not_changed;
use crate::http::extract::signed::SignedBody;
use crate::http::reply::chat_error::ChatError;
use crate::http::state::AppState;

pub(super) async fn react(
    state: &AppState,
    scope: &ScopeId,
    body: SignedBody,
) -> Result<HttpResponse, ChatError> {
    if !state.system().is_connected(scope).await? {
        return Err(ChatError::NotRegistered);
    }
    let body = chat_body::react::parse(body.bytes())?;
    let request = ReactRequest {
        conversation: body.conversation,
        id: body.id,
        msgid: body.msgid,
        user: body.user,
        kind: body.kind,
        emoji: body.emoji,
    };
    let done = state.system().react(scope, request).await;
    done.map_err(not_changed)?;
    Ok(HttpResponse::Ok().finish())
}
