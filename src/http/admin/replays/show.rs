//! `GET /admin/v1/replays/{id}`: how far a job is.

use actix_web::{HttpResponse, web};

use crate::http::admin::replays::view::ReplayJob;
use crate::http::admin::replays::{number, unknown};
use crate::http::extract::access::Access;
use crate::http::extract::operator::Operator;
use crate::http::openapi::{Operation, Schema};
use crate::http::reply::problem::Problem;

pub(crate) async fn show(
    access: Access<Operator>,
    path: web::Path<String>,
) -> Result<HttpResponse, Problem> {
    let number = number(&path)?;
    let jobs = access.system().replays().await?;
    let job = jobs.iter().find(|job| job.number == number);
    Ok(HttpResponse::Ok().json(ReplayJob::of(job.ok_or_else(unknown)?)))
}

pub(crate) fn describe() -> Operation {
    Operation::operator("showReplay", "Get a replay job.")
        .path("id", Schema::number())
        .gives::<ReplayJob<'_>>(200, "The job.")
        .refuses(404, "There is no such replay job.")
}
