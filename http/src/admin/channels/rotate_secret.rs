//! `POST /admin/v1/channels/{id}/rotate-secret`: another secret. The old one signs callbacks, and is taken in requests,
//! until the grace period ends or `end-rotation` ends it.

use std::time::Duration;

use actix_web::http::header;
use actix_web::{HttpResponse, web};
use serde_json::json;
use switchboard_actors::domain::audit::By;
use switchboard_actors::domain::installation::channels::rotate_secret::RotateSecret;
use switchboard_actors::wire::operator_body::channels::NewSecret;

use crate::admin::channels::view::ChannelMade;
use crate::admin::channels::{id, id_schema, refused};
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
    let new: NewSecret = access.json_or_nothing(payload).await?;
    let is_generated = new.secret.is_none();
    let rotate = RotateSecret {
        by: By::Operator,
        id,
        secret: new.secret,
        grace: Duration::from_secs(new.grace_seconds.count()),
    };
    let channel = access
        .system()
        .rotate_secret(rotate)
        .await
        .map_err(refused)?;
    Ok(HttpResponse::Ok()
        .insert_header((header::CACHE_CONTROL, "no-store"))
        .json(ChannelMade::new(&channel, is_generated, access.state.now())))
}

pub(crate) fn describe() -> Operation {
    Operation::operator("rotateSecret", "Rotate the secret of a channel.")
        .says("The service accepts both secrets until the grace period ends; until then it signs with the old one.")
        .path("id", id_schema())
        .takes_or_nothing::<NewSecret>(json!({ "grace_seconds": 7_200 }))
        .gives::<ChannelMade<'_>>(200, "The channel, with its secret if that was made now: this once.")
        .refuses(404, "There is no such channel.")
        .refuses(409, "A rotation is in progress.")
}
