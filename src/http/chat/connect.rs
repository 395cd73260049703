//! `POST /v2/origin/custom/<channel_id>/connect`: connects an account to a channel.

use actix_web::HttpResponse;
use serde::Serialize;
use switchboard_actors::domain::chat::channel::HookVersion;
use switchboard_actors::domain::id::{AccountId, ChannelId, ScopeId};
use switchboard_actors::domain::violation::{Violation, ViolationCode, Violations};
use switchboard_actors::error::Refused;
use switchboard_actors::system::chat::{ConnectRejection, ConnectRequest};
use switchboard_actors::wire::chat_body;

use crate::http::extract::signed::SignedBody;
use crate::http::reply::chat_error::ChatError;
use crate::http::state::AppState;

/// The answer: all five keys, always (clients read them without a default).
#[derive(Serialize)]
struct Connected<'a> {
    account_id: AccountId,
    scope_id: &'a ScopeId,
    title: &'a str,
    hook_api_version: HookVersion,
    is_time_window_disabled: bool,
}

pub(super) async fn connect(
    state: &AppState,
    channel: &ChannelId,
    body: SignedBody,
) -> Result<HttpResponse, ChatError> {
    let parsed = chat_body::connect::parse(body.bytes(), body.rules())?;
    let request = ConnectRequest {
        account: parsed.account,
        title: parsed.title.map(|title| title.as_str().to_owned()),
        version: parsed.hook_version,
        time_window_disabled: parsed.time_window_disabled,
    };
    let account = request.account;
    let (scope, connection) = state
        .system()
        .connect(channel, request)
        .await
        .map_err(refused)?;
    Ok(HttpResponse::Ok().json(Connected {
        account_id: account,
        scope_id: &scope,
        title: &connection.title,
        hook_api_version: connection.version,
        is_time_window_disabled: connection.time_window_disabled,
    }))
}

fn refused(refused: Refused<ConnectRejection>) -> ChatError {
    match refused {
        Refused::Rejected(ConnectRejection::UnknownChannel) => ChatError::NotRegistered,
        Refused::Rejected(ConnectRejection::AccountNotAllowed) => ChatError::AccountNotAllowed,
        Refused::Rejected(ConnectRejection::UnknownAccount) => {
            ChatError::Invalid(Violations::from(Violation {
                path: "account_id".to_owned(),
                code: ViolationCode::InvalidValue,
                detail: "there is no account with this id".to_owned(),
            }))
        }
        Refused::Unavailable(unavailable) => unavailable.into(),
    }
}
