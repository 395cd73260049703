//! `POST /admin/v1/oauth-clients/{id}/rotate-secret`: another secret. The old one is refused at once.

use actix_web::http::header;
use actix_web::{HttpResponse, web};
use serde_json::json;
use switchboard_actors::domain::audit::By;
use switchboard_actors::domain::oauth::clients::rotate_client_secret::RotateClientSecret;
use switchboard_actors::wire::operator_body::oauth::NewClientSecret;

use crate::admin::oauth::clients::view::OauthClientMade;
use crate::admin::oauth::clients::{id, of_one, refused};
use crate::extract::access::Access;
use crate::extract::operator::Operator;
use crate::openapi::Operation;
use crate::reply::problem::Problem;

pub(crate) async fn rotate(
    access: Access<Operator>,
    path: web::Path<String>,
    payload: web::Payload,
) -> Result<HttpResponse, Problem> {
    let id = id(&path)?;
    let NewClientSecret { secret } = access.json_or_nothing(payload).await?;
    let by = By::Operator;
    let rotate = RotateClientSecret { by, id, secret };
    let is_generated = rotate.secret.is_none();
    let result = access.system().rotate_client_secret(rotate).await;
    let client = result.map_err(refused)?;
    Ok(HttpResponse::Ok()
        .insert_header((header::CACHE_CONTROL, "no-store"))
        .json(OauthClientMade::new(&client, is_generated)))
}

pub(crate) fn describe() -> Operation {
    of_one(Operation::operator(
        "rotateClientSecret",
        "Rotate the secret of an OAuth client.",
    ))
    .says("The service refuses the old secret from now on. Tokens stay valid.")
    .takes_or_nothing::<NewClientSecret>(json!({}))
    .gives::<OauthClientMade<'_>>(
        200,
        "The client, with its secret if that was made now: this once.",
    )
}
