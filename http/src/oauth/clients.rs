//! `/inbox/v1/oauth-clients`: the OAuth clients that the account may install, with what it granted.

use actix_web::{HttpRequest, HttpResponse, web};
use switchboard_actors::system::oauth::ConsentRequest;

use crate::extract::caller::Administrator;
use crate::extract::query::Query;
use crate::oauth::view::AvailableClient;
use crate::oauth::{may_see, refused, visible};
use crate::openapi::{Operation, Schema};
use crate::reply::list;
use crate::reply::problem::Problem;
use crate::state::AppState;

/// `GET /inbox/v1/oauth-clients`: those that the account may install, and those that it has installed, by id.
pub(crate) async fn list(
    Administrator(caller): Administrator,
    request: HttpRequest,
    state: web::Data<AppState>,
) -> Result<HttpResponse, Problem> {
    Query::of_known(&request, &[])?;
    let clients = state.system().stored_oauth_clients().await?;
    let grants = state.system().grants(caller.account).await?;
    let admissions = state.system().users(caller.account).await?.admissions();
    let visible = clients.iter().filter(|client| {
        let is_offered = client.settings.accounts.holds(caller.account);
        let is_known = grants.get(client.id).is_some() || admissions.contains_key(&client.id);
        (is_offered || is_known) && may_see(&caller, client.id)
    });
    let views = visible.map(|client| {
        let user_count = admissions.get(&client.id).copied().unwrap_or(0);
        AvailableClient::new(client, grants.get(client.id), user_count)
    });
    Ok(list::all("oauth_clients", views))
}

/// `GET /inbox/v1/oauth-clients/{id}`: what the consent page needs. With `redirect_uri`, checks that too.
pub(crate) async fn get(
    Administrator(caller): Administrator,
    path: web::Path<String>,
    request: HttpRequest,
    state: web::Data<AppState>,
) -> Result<HttpResponse, Problem> {
    let query = Query::of_known(&request, &["redirect_uri"])?;
    let request = ConsentRequest {
        client: visible(&caller, &path)?,
        redirect_uri: query.text("redirect_uri").map(str::to_owned),
        challenge: None,
        scopes: None,
    };
    let system = state.system();
    let client = system
        .consentable(caller.account, &request)
        .map_err(|rejection| refused(&rejection))?;
    let grants = system.grants(caller.account).await?;
    let users = system.users(caller.account).await?;
    let user_count = users.admitted_by(client.id).count();
    let view = AvailableClient::new(&client, grants.get(client.id), user_count);
    Ok(HttpResponse::Ok().json(view))
}

pub(crate) fn describe_list() -> Operation {
    Operation::oauth(
        "listAvailableClients",
        "List the OAuth clients of the account.",
    )
    .says("Those that the account may install, those that it has installed, and those that admitted users who are still active. An OAuth client gets itself alone.")
    .answers_list::<AvailableClient<'_>>("oauth_clients", "The clients.")
    .refuses(400, "A parameter is unknown; the list has none.")
}

pub(crate) fn describe_get() -> Operation {
    let redirect = Schema::text().says("The one of the request for the consent, to be checked.");
    Operation::oauth(
        "getAvailableClient",
        "Get an OAuth client that the account may install.",
    )
    .path("id", Schema::uuid())
    .query("redirect_uri", redirect)
    .gives::<AvailableClient<'_>>(200, "The client.")
    .refuses(400, "The client has another `redirect_uri`.")
    .refuses(403, "The client is not offered to the account.")
    .refuses(404, "There is no such client.")
}
