//! `GET /admin/v1/replays`: the jobs that are remembered, newest first.

use actix_web::{HttpResponse, web};

use crate::http::admin::replays::view::ReplayJob;
use crate::http::extract::operator::Operator;
use crate::http::openapi::Operation;
use crate::http::reply::list;
use crate::http::reply::problem::Problem;
use crate::http::state::AppState;

pub(crate) async fn list(_: Operator, state: web::Data<AppState>) -> Result<HttpResponse, Problem> {
    let jobs = state.system().replays().await?;
    Ok(list::all("replays", jobs.iter().map(ReplayJob::of)))
}

pub(crate) fn describe() -> Operation {
    Operation::operator("listReplays", "List replay jobs.")
        .says("Newest first.")
        .answers_list::<ReplayJob<'_>>("replays", "The jobs.")
}
