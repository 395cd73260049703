//! `GET /admin/v1/replays/{id}`: how far a job is.

use actix_web::{HttpResponse, web};

use crate::admin::replays::view::ReplayJob;
use crate::admin::replays::{number, unknown};
use crate::extract::access::Access;
use crate::extract::operator::Operator;
use crate::openapi::{Operation, Schema};
use crate::reply::problem::Problem;

pub(crate) async fn get(
    access: Access<Operator>,
    path: web::Path<String>,
) -> Result<HttpResponse, Problem> {
    let number = number(&path)?;
    let jobs = access.system().replays().await?;
    let job = jobs.iter().find(|job| job.number == number);
    Ok(HttpResponse::Ok().json(ReplayJob::new(job.ok_or_else(unknown)?)))
}

pub(crate) fn describe() -> Operation {
    Operation::operator("getReplay", "Get a replay job.")
        .path("id", Schema::number())
        .gives::<ReplayJob<'_>>(200, "The job.")
        .refuses(404, "There is no such replay job.")
}
