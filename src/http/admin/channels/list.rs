//! `GET /admin/v1/channels`: all channels, by id. There are as many as an operator makes, so there are no pages.

use actix_web::{HttpResponse, web};
use serde_json::json;

use crate::http::admin::channels::view;
use crate::http::extract::operator::Operator;
use crate::http::openapi::{Asker, Operation, Schema, Tag, must};
use crate::http::reply::problem::Problem;
use crate::http::state::AppState;

pub(crate) async fn list(_: Operator, state: web::Data<AppState>) -> Result<HttpResponse, Problem> {
    let now = state.now();
    let channels = state.system().stored_channels().await?;
    let channels: Vec<_> = channels
        .iter()
        .map(|channel| view::channel(channel, now))
        .collect();
    Ok(HttpResponse::Ok().json(json!({ "channels": channels })))
}

pub(crate) fn describe() -> Operation {
    let list = Schema::object([must("channels", Schema::list(view::schema()))]);
    Operation::new(
        Tag::Operator,
        Asker::Operator,
        "listChannels",
        "Lists all channels, by id.",
    )
    .answers(200, "The channels.", list)
}
