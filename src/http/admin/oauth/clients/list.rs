//! `GET /admin/v1/oauth-clients`: the OAuth clients, by id.

use actix_web::HttpResponse;

use crate::http::admin::oauth::clients::view::OauthClient;
use crate::http::extract::access::Access;
use crate::http::extract::operator::Operator;
use crate::http::extract::query::Query;
use crate::http::openapi::Operation;
use crate::http::reply::list;
use crate::http::reply::paging;
use crate::http::reply::problem::Problem;

pub(crate) async fn list(access: Access<Operator>) -> Result<HttpResponse, Problem> {
    let query = Query::of_list(&access.request, &[])?;
    let clients = access.system().stored_oauth_clients().await?;
    let page = paging::smallest_first(&query, clients.iter(), |client| client.id)?;
    let clients = page.entries.into_iter().map(OauthClient::of);
    Ok(list::page("oauth_clients", clients, page.next))
}

pub(crate) fn describe() -> Operation {
    Operation::operator("listOauthClients", "List OAuth clients.")
        .cursor()
        .answers_next::<OauthClient<'_>>("oauth_clients", "A page, by id.")
}
