//! `GET /admin/v1/oauth-clients/{id}/token-requests`: the newest requests of a client for tokens, with the reason of each
//! refusal.

use actix_web::{HttpResponse, web};

use crate::admin::oauth::clients::{known, of_one};
use crate::extract::access::Access;
use crate::extract::operator::Operator;
use crate::extract::query::Query;
use crate::oauth::view::TokenRequestView;
use crate::openapi::Operation;
use crate::reply::list;
use crate::reply::paging;
use crate::reply::problem::Problem;

pub(crate) async fn list(
    access: Access<Operator>,
    path: web::Path<String>,
) -> Result<HttpResponse, Problem> {
    let query = Query::of_list(&access.request, &[])?;
    let client = known(&access.state, &path).await?.id;
    let requests = access.state.token_log().requests_of(client);
    let page = paging::largest_first(&query, requests.iter(), |(number, _)| *number)?;
    let requests = page.entries.into_iter();
    let views = requests.map(|(_, request)| TokenRequestView::new(request));
    Ok(list::page("token_requests", views, page.next))
}

pub(crate) fn describe() -> Operation {
    of_one(Operation::operator(
        "listTokenRequests",
        "List the newest token requests of an OAuth client.",
    ))
    .says("Newest first: at most 50, and 10 with a wrong secret. The list is in memory: a restart empties it.")
    .cursor()
.answers_next::<TokenRequestView<'_>>("token_requests", "A page.")
}
