//! `POST /admin/v1/channels/{id}/rotate-secret`: another secret. The old one signs callbacks, and is taken in requests,
//! until the grace period ends or `end-rotation` ends it.

use std::time::Duration;

use actix_web::http::header;
use actix_web::{HttpRequest, HttpResponse, web};
use serde_json::json;
use switchboard_actors::domain::audit::By;
use switchboard_actors::domain::installation::channels::rotate_secret::RotateSecret;

use crate::admin::channels::id_schema;
use crate::admin::channels::view::ChannelMade;
use crate::admin::channels::{body, id, refused};
use crate::extract::body::read_json_or_nothing;
use crate::extract::operator::Operator;
use crate::openapi::Operation;
use crate::reply::problem::Problem;
use crate::state::AppState;

/// The grace period when none is named: a day.
const GRACE_SECONDS: u64 = 86_400;

pub(crate) async fn rotate(
    _: Operator,
    path: web::Path<String>,
    request: HttpRequest,
    payload: web::Payload,
    state: web::Data<AppState>,
) -> Result<HttpResponse, Problem> {
    let id = id(&path)?;
    let bytes = read_json_or_nothing(&request, payload, state.body_limit()).await?;
    let rotate = body::rotate(&bytes)?;
    let made = rotate.secret.is_none();
    let rotate = RotateSecret {
        by: By::Operator,
        id,
        secret: rotate.secret,
        grace: Duration::from_secs(rotate.grace_seconds.unwrap_or(GRACE_SECONDS)),
    };
    let channel = state
        .system()
        .rotate_secret(rotate)
        .await
        .map_err(refused)?;
    Ok(HttpResponse::Ok()
        .insert_header((header::CACHE_CONTROL, "no-store"))
        .json(ChannelMade::of(&channel, made, state.now())))
}

pub(crate) fn describe() -> Operation {
    Operation::operator("rotateSecret", "Rotate the secret of a channel.")
        .says("The service accepts both secrets until the grace period ends; until then it signs with the old one.")
        .path("id", id_schema())
        .body_or_nothing(body::rotate_schema(), json!({ "grace_seconds": 7_200 }))
        .gives::<ChannelMade<'_>>(200, "The channel, with its secret if that was made now: this once.")
        .refuses(404, "There is no such channel.")
        .refuses(409, "A rotation is in progress.")
}
