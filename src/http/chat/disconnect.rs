//! `DELETE /v2/origin/custom/<channel_id>/disconnect`: ends the connection of an account; 200 also when there is none.

use actix_web::HttpResponse;
use switchboard_actors::domain::id::{ChannelId, ScopeId};
use switchboard_actors::wire::chat_body;

use crate::http::extract::signed::SignedBody;
use crate::http::reply::chat_error::ChatError;
use crate::http::state::AppState;

pub(super) async fn disconnect(
    state: &AppState,
    channel: &ChannelId,
    body: SignedBody,
) -> Result<HttpResponse, ChatError> {
    let parsed = chat_body::disconnect::parse(body.bytes(), body.rules())?;
    state
        .system()
        .disconnect(&ScopeId::new(channel.clone(), parsed.account))
        .await?;
    Ok(HttpResponse::Ok().finish())
}
