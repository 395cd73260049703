//! `/inbox/v1/oauth-clients`: the OAuth clients that the account may install, with what it granted.

use actix_web::{HttpRequest, HttpResponse, web};
use switchboard_actors::domain::oauth::clients::OauthClient;
use switchboard_actors::domain::oauth::grants::Grants;
use switchboard_actors::system::oauth::ConsentRequest;

use crate::http::extract::caller::Administrator;
use crate::http::extract::query::Query;
use crate::http::oauth::view::AvailableClient;
use crate::http::oauth::{id, refused};
use crate::http::openapi::{Operation, Schema};
use crate::http::reply::list;
use crate::http::reply::problem::Problem;
use crate::http::state::AppState;

/// `GET /inbox/v1/oauth-clients`: those that the account may install, and those that it has installed, by id.
pub(crate) async fn list(
    Administrator(caller): Administrator,
    state: web::Data<AppState>,
) -> Result<HttpResponse, Problem> {
    let clients = state.system().stored_oauth_clients().await?;
    let grants = state.system().grants(caller.account).await?;
    let available = clients.iter().filter(|client| {
        client.settings.accounts.holds(caller.account) || grants.get(client.id).is_some()
    });
    let available = available.map(|client| shown(client, &grants));
    Ok(list::all("oauth_clients", available))
}

/// `GET /inbox/v1/oauth-clients/{id}`: what the consent page needs. With `redirect_uri`, checks that too.
pub(crate) async fn show(
    Administrator(caller): Administrator,
    path: web::Path<String>,
    request: HttpRequest,
    state: web::Data<AppState>,
) -> Result<HttpResponse, Problem> {
    let query = Query::of(&request)?;
    let request = ConsentRequest {
        client: id(&path)?,
        redirect_uri: query.text("redirect_uri").map(str::to_owned),
        challenge: None,
    };
    let system = state.system();
    let client = system.consentable(caller.account, &request);
    let client = client.map_err(|rejection| refused(&rejection))?;
    let grants = system.grants(caller.account).await?;
    Ok(HttpResponse::Ok().json(shown(&client, &grants)))
}

fn shown<'c>(client: &'c OauthClient, grants: &'c Grants) -> AvailableClient<'c> {
    AvailableClient::of(client, grants.get(client.id))
}

pub(crate) fn describe_list() -> Operation {
    Operation::oauth(
        "listAvailableClients",
        "List the OAuth clients of the account.",
    )
    .says("Those that the account may install, and those that it has installed.")
    .answers_list::<AvailableClient<'_>>("oauth_clients", "The clients.")
}

pub(crate) fn describe_show() -> Operation {
    let redirect = Schema::text().says("The one of the request for the consent, to be checked.");
    Operation::oauth(
        "showAvailableClient",
        "Get an OAuth client that the account may install.",
    )
    .path("id", Schema::uuid())
    .query("redirect_uri", redirect)
    .gives::<AvailableClient<'_>>(200, "The client.")
    .refuses(400, "The client has another `redirect_uri`.")
    .refuses(403, "The client is not offered to the account.")
    .refuses(404, "There is no such client.")
}
