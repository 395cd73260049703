//! `POST /admin/v1/oauth-clients/{id}/rotate-secret`: another secret. The old one is refused at once.

use actix_web::http::header;
use actix_web::{HttpRequest, HttpResponse, web};
use serde_json::json;
use switchboard_actors::domain::audit::By;
use switchboard_actors::domain::oauth::clients::rotate_client_secret::RotateClientSecret;
use switchboard_actors::wire::json::object::Nulls;
use switchboard_actors::wire::json::read;

use crate::admin::oauth::clients::view::OauthClientMade;
use crate::admin::oauth::clients::{id, of_one, refused, secret_schema};
use crate::extract::body::read_json_or_nothing;
use crate::extract::operator::Operator;
use crate::openapi::{Operation, Schema, may};
use crate::reply::problem::Problem;
use crate::state::AppState;

pub(crate) async fn rotate(
    _: Operator,
    path: web::Path<String>,
    request: HttpRequest,
    payload: web::Payload,
    state: web::Data<AppState>,
) -> Result<HttpResponse, Problem> {
    let id = id(&path)?;
    let bytes = read_json_or_nothing(&request, payload, state.body_limit()).await?;
    let rotate = read(&bytes, Nulls::Refused, |body| {
        body.refuse_unknown(&["secret"]);
        Some(RotateClientSecret {
            by: By::Operator,
            id,
            secret: body.optional_parsed("secret"),
        })
    })?;
    let made = rotate.secret.is_none();
    let client = state.system().rotate_client_secret(rotate).await;
    let client = client.map_err(refused)?;
    Ok(HttpResponse::Ok()
        .insert_header((header::CACHE_CONTROL, "no-store"))
        .json(OauthClientMade::of(&client, made)))
}

pub(crate) fn describe() -> Operation {
    let body = Schema::object([may("secret", secret_schema())]);
    of_one(Operation::operator(
        "rotateClientSecret",
        "Rotate the secret of an OAuth client.",
    ))
    .says("The service refuses the old secret from now on. Tokens stay valid.")
    .body_or_nothing(body, json!({}))
    .gives::<OauthClientMade<'_>>(
        200,
        "The client, with its secret if that was made now: this once.",
    )
}
