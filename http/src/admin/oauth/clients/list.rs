//! `GET /admin/v1/oauth-clients`: the OAuth clients, by id.

use actix_web::HttpResponse;

use crate::admin::oauth::clients::view::OauthClient;
use crate::extract::access::Access;
use crate::extract::operator::Operator;
use crate::extract::query::Query;
use crate::openapi::Operation;
use crate::reply::list;
use crate::reply::paging;
use crate::reply::problem::Problem;

pub(crate) async fn list(access: Access<Operator>) -> Result<HttpResponse, Problem> {
    let query = Query::of_list(&access.request, &[])?;
    let clients = access.system().stored_oauth_clients().await?;
    let page = paging::smallest_first(&query, clients.iter(), |client| client.id)?;
    let clients = page.entries.into_iter().map(OauthClient::new);
    Ok(list::page("oauth_clients", clients, page.next))
}

pub(crate) fn describe() -> Operation {
    Operation::operator("listOauthClients", "List OAuth clients.")
        .cursor()
        .answers_next::<OauthClient<'_>>("oauth_clients", "A page, by id.")
}
