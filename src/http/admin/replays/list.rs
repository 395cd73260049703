//! `GET /admin/v1/replays`: the jobs that are remembered, newest first.

use actix_web::{HttpResponse, web};
use serde_json::{Value, json};

use crate::http::admin::replays::view;
use crate::http::extract::operator::Operator;
use crate::http::openapi::{Asker, Operation, Schema, Tag, must};
use crate::http::reply::problem::Problem;
use crate::http::state::AppState;

pub(crate) async fn list(_: Operator, state: web::Data<AppState>) -> Result<HttpResponse, Problem> {
    let jobs = state.system().replays().await?;
    let jobs: Vec<Value> = jobs.iter().map(view::job).collect();
    Ok(HttpResponse::Ok().json(json!({ "replays": jobs })))
}

pub(crate) fn describe() -> Operation {
    let list = Schema::object([must("replays", Schema::list(view::schema()))]);
    Operation::new(
        Tag::Operator,
        Asker::Operator,
        "listReplays",
        "Lists the jobs that are remembered, newest first.",
    )
    .answers(200, "The jobs.", list)
}
