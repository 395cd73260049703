//! `POST /v2/origin/custom/<channel_id>/connect`: connects an account to a channel.

use actix_web::HttpResponse;
use serde_json::json;
use switchboard_actors::domain::hook_version::HookVersion;
use switchboard_actors::domain::id::{AccountId, ChannelId, ScopeId};
use switchboard_actors::domain::scope::Connection;
use switchboard_actors::domain::violation::{Violation, ViolationCode, Violations};
use switchboard_actors::error::CommandError;
use switchboard_actors::system::chat::{ConnectRejection, ConnectRequest};
use switchboard_actors::wire::chat_body;

use crate::chat::fields::channel_id;
use crate::extract::signed::SignedBody;
use crate::openapi::{Operation, Schema, may, must};
use crate::reply::chat_error::ChatError;
use crate::state::AppState;

view! {
    // All five keys, always: clients read them without a default.
    #[schemars(inline)]
    struct Connected<'a>(account: AccountId, scope: &'a ScopeId, connection: &'a Connection) {
        account_id: AccountId = account,
        /// `<channel_id>_<account_id>`.
        scope_id: &'a ScopeId = scope,
        title: &'a str = &connection.title,
        hook_api_version: HookVersion = connection.version,
        is_time_window_disabled: bool = connection.time_window_disabled,
    }
}

pub(super) async fn connect(
    state: &AppState,
    channel: &ChannelId,
    body: SignedBody,
) -> Result<HttpResponse, ChatError> {
    let fields = chat_body::connect::parse(body.bytes(), body.rules())?;
    let request = ConnectRequest {
        account: fields.account,
        title: fields.title.map(|title| title.as_str().to_owned()),
        version: fields.hook_version,
        time_window_disabled: fields.time_window_disabled,
    };
    let account = request.account;
    let (scope, connection) = state
        .system()
        .connect(channel, request)
        .await
        .map_err(refused)?;
    Ok(HttpResponse::Ok().json(Connected::new(account, &scope, &connection)))
}

fn refused(refused: CommandError<ConnectRejection>) -> ChatError {
    refused.into_error(|rejection| match rejection {
        ConnectRejection::UnknownChannel => ChatError::NotRegistered,
        ConnectRejection::AccountNotAllowed => ChatError::AccountNotAllowed,
        ConnectRejection::UnknownAccount => ChatError::Invalid(Violations::from(Violation {
            path: "account_id".to_owned(),
            code: ViolationCode::InvalidValue,
            detail: "there is no account with this id".to_owned(),
        })),
    })
}

pub(super) fn describe() -> Operation {
    let body = Schema::object([
        must("account_id", Schema::uuid()),
        may(
            "title",
            Schema::line(255).says("Shown to account users; the channel's name if it is left out."),
        ),
        may(
            "hook_api_version",
            Schema::choice(&HookVersion::NAMES).default_is("v1"),
        ),
        may(
            "is_time_window_disabled",
            Schema::boolean()
                .default_is(false)
                .says("Current generation only."),
        ),
    ]);
    let example = json!({
        "account_id": "af9945ff-1490-4cad-807d-945c15d88bec",
        "title": "Flower shop",
        "hook_api_version": "v2",
    });
    Operation::chat("connect", "Connect an account to a channel.")
        .says("Repeating is fine: the last call's title and version count.")
        .path("channel_id", channel_id())
        .body(body, example)
        .gives::<Connected<'_>>(200, "The account is connected.")
        .refuses(
            403,
            "The signature is invalid, or the channel does not allow the account.",
        )
}
