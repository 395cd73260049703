//! `POST /admin/v1/replays/{id}/cancel`: the job goes on no more; what it has queued stays queued.

use actix_web::{HttpResponse, web};
use switchboard_actors::domain::audit::By;

use crate::admin::replays::view::ReplayJob;
use crate::admin::replays::{number, refused};
use crate::extract::access::Access;
use crate::extract::operator::Operator;
use crate::openapi::{Operation, Schema};
use crate::reply::problem::Problem;

pub(crate) async fn cancel(
    access: Access<Operator>,
    path: web::Path<String>,
) -> Result<HttpResponse, Problem> {
    let number = number(&path)?;
    let result = access.system().cancel_replay(By::Operator, number).await;
    Ok(HttpResponse::Ok().json(ReplayJob::new(&result.map_err(refused)?)))
}

pub(crate) fn describe() -> Operation {
    Operation::operator("cancelReplay", "Cancel a replay job.")
        .says("Callbacks that the job has queued stay queued.")
        .path("id", Schema::number())
        .gives::<ReplayJob<'_>>(200, "The job as it is now.")
        .refuses(404, "There is no such replay job.")
        .refuses(409, "The job has already ended.")
}
