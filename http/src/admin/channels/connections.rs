//! `/admin/v1/channels/{id}/connections`: which accounts are connected to a channel, and how.

use actix_web::{HttpResponse, web};
use switchboard_actors::domain::hook_version::HookVersion;
use switchboard_actors::domain::id::{AccountId, ScopeId};
use switchboard_actors::system::operator::connections::ConnectedAccount;

use crate::admin::channels::{id, id_schema, unknown};
use crate::extract::access::Access;
use crate::extract::operator::Operator;
use crate::extract::query::Query;
use crate::openapi::Operation;
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
