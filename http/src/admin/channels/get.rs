//! `GET /admin/v1/channels/{id}`: one channel.

use actix_web::{HttpResponse, web};

use crate::admin::channels::id_schema;
use crate::admin::channels::view::Channel;
use crate::admin::channels::{id, unknown};
use crate::extract::access::Access;
use crate::extract::operator::Operator;
use crate::openapi::Operation;
use crate::reply::problem::Problem;

pub(crate) async fn get(
    access: Access<Operator>,
    path: web::Path<String>,
) -> Result<HttpResponse, Problem> {
    let id = id(&path)?;
    let channels = access.system().stored_channels().await?;
    let channel = channels.get(&id).ok_or_else(unknown)?;
    Ok(HttpResponse::Ok().json(Channel::new(channel, access.state.now())))
}

pub(crate) fn describe() -> Operation {
    Operation::operator("getChannel", "Get a channel.")
        .path("id", id_schema())
        .gives::<Channel<'_>>(200, "The channel with no secret.")
        .refuses(404, "There is no such channel.")
}
