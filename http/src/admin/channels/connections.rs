//! `/admin/v1/channels/{id}/connections`: which accounts are connected to a channel, and how.

use actix_web::{HttpResponse, web};
use switchboard_actors::domain::audit::By;
use switchboard_actors::domain::chat::channel::HookVersion;
use switchboard_actors::domain::id::{AccountId, ScopeId};
use switchboard_actors::system::operator::connections::{ConnectedAccount, DisconnectRejection};

use crate::admin::channels::{id, id_schema, unknown};
use crate::extract::access::Access;
use crate::extract::operator::Operator;
use crate::extract::query::Query;
use crate::openapi::{Operation, Schema};
use crate::reply::list;
use crate::reply::problem::Problem;

/// `GET …/connections`: the accounts that are connected, by id.
pub(crate) async fn list(
    access: Access<Operator>,
    path: web::Path<String>,
) -> Result<HttpResponse, Problem> {
    let channel = id(&path)?;
    let query = Query::of_list(&access.request, &[])?;
    let limit = query.entries()?;
    let after = query.parsed::<AccountId>("cursor")?;
    let system = access.system();
    if system.channel(&channel).is_none() {
        return Err(unknown());
    }
    let page = system.connections(&channel, after, limit).await?;
    let connections = page.entries.iter().map(ConnectionView::new);
    Ok(list::page("connections", connections, page.next))
}

/// `DELETE …/connections/{account}`: ends a connection.
pub(crate) async fn end(
    access: Access<Operator>,
    path: web::Path<(String, String)>,
) -> Result<HttpResponse, Problem> {
    let (channel, account) = path.into_inner();
    let not_there = || Problem::NotFound(DisconnectRejection.to_string());
    let account: AccountId = account.parse().map_err(|_not_an_id| not_there())?;
    let scope = ScopeId::new(id(&channel)?, account);
    let result = access.system().end_connection(By::Operator, &scope).await;
    result.map_err(|refused| refused.into_error(|DisconnectRejection| not_there()))?;
    Ok(HttpResponse::NoContent().finish())
}

view! {
    #[schemars(inline)]
    struct ConnectionView<'c>(connected: &'c ConnectedAccount) [let ConnectedAccount { scope, connection } = connected;] {
        account_id: AccountId = scope.account(),
        scope_id: &'c ScopeId = scope,
        /// The integration's name for the connection.
        title: &'c str = &connection.title,
        hook_api_version: HookVersion = connection.version,
        is_time_window_disabled: bool = connection.time_window_disabled,
    }
}

pub(crate) fn describe_list() -> Operation {
    Operation::operator("listConnections", "List the connections of a channel.")
        .path("id", id_schema())
        .cursor()
        .answers_next::<ConnectionView<'_>>(
            "connections",
            "The connections, by the id of the account.",
        )
        .refuses(404, "There is no such channel.")
}

pub(crate) fn describe_end() -> Operation {
    Operation::operator("endConnection",
        "Disconnect an account from a channel.",
    )
    .says("Callbacks that are still queued for it are cancelled. The integration may connect the account again.")
    .path("id", id_schema())
    .path("account", Schema::uuid())
    .answers_nothing(204, "The account is not connected.")
    .refuses(404, "There is no such channel, or the account is not connected to it.")
}
