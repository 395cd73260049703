//! `/admin/v1/channels/{id}/connections`: which accounts are connected to a channel, and how.

use actix_web::{HttpRequest, HttpResponse, web};
use serde_json::{Value, json};
use switchboard_actors::domain::audit::By;
use switchboard_actors::domain::chat::channel::HookVersion;
use switchboard_actors::domain::id::{AccountId, ScopeId};
use switchboard_actors::error::Refused;
use switchboard_actors::system::operator::connections::{Connected, NotConnected};

use crate::http::admin::channels::{id, id_schema, unknown};
use crate::http::extract::operator::Operator;
use crate::http::extract::query::Query;
use crate::http::openapi::{Asker, Operation, Schema, Tag, must};
use crate::http::reply::problem::Problem;
use crate::http::state::AppState;

/// `GET …/connections`: the accounts that are connected, by id.
pub(crate) async fn list(
    _: Operator,
    path: web::Path<String>,
    request: HttpRequest,
    state: web::Data<AppState>,
) -> Result<HttpResponse, Problem> {
    let channel = id(&path)?;
    let query = Query::of(&request)?;
    let limit = usize::try_from(query.limit()?).unwrap_or(1);
    let after = query.parsed::<AccountId>("cursor")?;
    let system = state.system();
    if system.channel(&channel).is_none() {
        return Err(unknown());
    }
    let page = system.connections(&channel, after, limit).await?;
    let connections: Vec<Value> = page.entries.iter().map(view).collect();
    Ok(HttpResponse::Ok().json(json!({ "connections": connections, "next": page.next })))
}

/// `DELETE …/connections/{account}`: ends a connection.
pub(crate) async fn end(
    _: Operator,
    path: web::Path<(String, String)>,
    state: web::Data<AppState>,
) -> Result<HttpResponse, Problem> {
    let (channel, account) = path.into_inner();
    let not_there = || Problem::NotFound(NotConnected.to_string());
    let account: AccountId = account.parse().map_err(|_not_an_id| not_there())?;
    let scope = ScopeId::new(id(&channel)?, account);
    let ended = state.system().end_connection(By::Operator, &scope).await;
    ended.map_err(|refused| match refused {
        Refused::Rejected(NotConnected) => not_there(),
        Refused::Unavailable(unavailable) => unavailable.into(),
    })?;
    Ok(HttpResponse::NoContent().finish())
}

fn view(connected: &Connected) -> Value {
    let Connected { scope, connection } = connected;
    json!({
        "account_id": scope.account(),
        "scope_id": scope,
        "title": connection.title,
        "hook_api_version": connection.version,
        "is_time_window_disabled": connection.time_window_disabled,
    })
}

pub(crate) fn describe_list() -> Operation {
    let connection = Schema::object([
        must("account_id", Schema::uuid()),
        must("scope_id", Schema::text()),
        must(
            "title",
            Schema::text().says("What the integration calls the connection."),
        ),
        must("hook_api_version", Schema::choice(&HookVersion::NAMES)),
        must("is_time_window_disabled", Schema::boolean()),
    ]);
    let list = Schema::object([
        must("connections", Schema::list(connection)),
        must("next", Schema::text().or_null()),
    ]);
    Operation::new(
        Tag::Operator,
        Asker::Operator,
        "listConnections",
        "Lists the accounts that are connected to a channel.",
    )
    .path("id", id_schema())
    .cursor()
    .answers(200, "The connections, by the id of the account.", list)
    .refuses(404, "There is no such channel.")
}

pub(crate) fn describe_end() -> Operation {
    Operation::new(
        Tag::Operator,
        Asker::Operator,
        "endConnection",
        "Ends the connection of an account to a channel.",
    )
    .says("Callbacks that are still queued for it are cancelled. The integration may connect the account again.")
    .path("id", id_schema())
    .path("account", Schema::uuid())
    .answers_nothing(204, "The account is not connected.")
    .refuses(404, "There is no such channel, or the account is not connected to it.")
}
