//! `GET /admin/v1/oauth-clients/{id}`: one OAuth client.

use actix_web::{HttpResponse, web};

use crate::admin::oauth::clients::view::OauthClient;
use crate::admin::oauth::clients::{known, of_one};
use crate::extract::access::Access;
use crate::extract::operator::Operator;
use crate::openapi::Operation;
use crate::reply::problem::Problem;

pub(crate) async fn get(
    access: Access<Operator>,
    path: web::Path<String>,
) -> Result<HttpResponse, Problem> {
    let client = known(&access.state, &path).await?;
    Ok(HttpResponse::Ok().json(OauthClient::new(&client)))
}

pub(crate) fn describe() -> Operation {
    of_one(Operation::operator(
        "getOauthClient",
        "Get an OAuth client.",
    ))
    .gives::<OauthClient<'_>>(200, "The client without its secret.")
}
