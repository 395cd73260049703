//! `GET /admin/v1/oauth-clients`: all OAuth clients, by id. There are as many as an operator makes, so there are no pages.

use actix_web::{HttpResponse, web};

use crate::http::admin::oauth::clients::view::OauthClient;
use crate::http::extract::operator::Operator;
use crate::http::openapi::Operation;
use crate::http::reply::list;
use crate::http::reply::problem::Problem;
use crate::http::state::AppState;

pub(crate) async fn list(_: Operator, state: web::Data<AppState>) -> Result<HttpResponse, Problem> {
    let clients = state.system().stored_oauth_clients().await?;
    Ok(list::all(
        "oauth_clients",
        clients.iter().map(OauthClient::of),
    ))
}

pub(crate) fn describe() -> Operation {
    Operation::operator("listOauthClients", "List OAuth clients.")
        .answers_list::<OauthClient<'_>>("oauth_clients", "The OAuth clients.")
}
