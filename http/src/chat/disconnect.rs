//! `DELETE /v2/origin/custom/<channel_id>/disconnect`: ends the connection of an account; 200 also when there is none.

use actix_web::HttpResponse;
use serde_json::json;
use switchboard_actors::domain::id::{ChannelId, ScopeId};
use switchboard_actors::wire::chat_body::disconnect::{self, DisconnectBody};

use crate::chat::fields::channel_id;
use crate::extract::signed::SignedBody;
use crate::openapi::Operation;
use crate::reply::chat_error::ChatError;
use crate::state::AppState;

pub(super) async fn disconnect(
    state: &AppState,
    channel: &ChannelId,
    body: SignedBody,
) -> Result<HttpResponse, ChatError> {
    let fields = disconnect::parse(body.bytes(), body.rules())?;
    state
        .system()
        .disconnect(&ScopeId::new(channel.clone(), fields.account_id))
        .await?;
    Ok(HttpResponse::Ok().finish())
}

pub(super) fn describe() -> Operation {
    let example = json!({ "account_id": "af9945ff-1490-4cad-807d-945c15d88bec" });
    Operation::chat("disconnect", "Disconnect an account from a channel.")
        .says("Callbacks that are still queued for it are cancelled.")
        .path("channel_id", channel_id())
        .takes::<DisconnectBody>(example)
        .answers_nothing(200, "The account is not connected.")
}
