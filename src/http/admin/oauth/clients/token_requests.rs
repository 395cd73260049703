//! `GET /admin/v1/oauth-clients/{id}/token-requests`: the newest requests of a client for tokens, with the reason of each
//! refusal.

use actix_web::{HttpResponse, web};

use crate::http::admin::oauth::clients::{known, of_one};
use crate::http::extract::operator::Operator;
use crate::http::oauth::view::TokenRequestView;
use crate::http::openapi::Operation;
use crate::http::reply::list;
use crate::http::reply::problem::Problem;
use crate::http::state::AppState;

pub(crate) async fn list(
    _: Operator,
    path: web::Path<String>,
    state: web::Data<AppState>,
) -> Result<HttpResponse, Problem> {
    let client = known(&state, &path).await?.id;
    let requests = state.token_log().of(client);
    Ok(list::all(
        "token_requests",
        requests.iter().map(TokenRequestView::of),
    ))
}

pub(crate) fn describe() -> Operation {
    of_one(Operation::operator(
        "listTokenRequests",
        "List the newest token requests of an OAuth client.",
    ))
    .says("Newest first: at most 50, and 10 with a wrong secret. The list is in memory: a restart empties it.")
    .answers_list::<TokenRequestView<'_>>("token_requests", "The requests.")
}
