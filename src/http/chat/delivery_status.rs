//! `POST /v2/origin/custom/<scope_id>/<msgid>/delivery_status`: what became of an account user's message.

use actix_web::HttpResponse;
use switchboard_actors::domain::id::{MessageId, ScopeId};
use switchboard_actors::error::Refused;
use switchboard_actors::system::chat::StatusRejection;
use switchboard_actors::wire::chat_body;

use crate::http::extract::signed::SignedBody;
use crate::http::reply::chat_error::ChatError;
use crate::http::state::AppState;

pub(super) async fn delivery_status(
    state: &AppState,
    scope: &ScopeId,
    message: MessageId,
    body: SignedBody,
) -> Result<HttpResponse, ChatError> {
    if !state.system().is_connected(scope).await? {
        return Err(ChatError::NotRegistered);
    }
    let report = chat_body::delivery_status::parse(body.bytes(), body.rules(), message)?;
    state
        .system()
        .report(scope, message, report.status)
        .await
        .map_err(|refused| match refused {
            Refused::Rejected(StatusRejection::NotConnected) => ChatError::NotRegistered,
            Refused::Rejected(StatusRejection::MessageNotFound) => ChatError::MessageNotFound,
            Refused::Unavailable(unavailable) => unavailable.into(),
        })?;
    Ok(HttpResponse::Ok().finish())
}
