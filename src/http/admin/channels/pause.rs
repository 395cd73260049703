//! `POST /admin/v1/channels/{id}/pause`: no callback of the channel is sent until it is resumed. Account users can stilln//! write, and what they write waits in order.

use actix_web::{HttpResponse, web};
use switchboard_actors::domain::audit::By;

use crate::http::admin::channels::id_schema;
use crate::http::admin::channels::{id, refused, view};
use crate::http::extract::operator::Operator;
use crate::http::openapi::{Asker, Operation, Tag};
use crate::http::reply::problem::Problem;
use crate::http::state::AppState;

pub(crate) async fn pause(
    _: Operator,
    path: web::Path<String>,
    state: web::Data<AppState>,
) -> Result<HttpResponse, Problem> {
    let id = id(&path)?;
    let done = state.system().pause_channel(By::Operator, id, true).await;
    let channel = done.map_err(refused)?;
    Ok(HttpResponse::Ok().json(view::channel(&channel, state.now())))
}

pub(crate) fn describe() -> Operation {
    Operation::new(
        Tag::Operator,
        Asker::Operator,
        "pauseChannel",
        "No callback of the channel is sent until it is resumed; what is written waits in order.",
    )
    .path("id", id_schema())
    .answers(200, "The channel as it is now.", view::schema())
    .refuses(404, "There is no such channel.")
}
