//! `POST /admin/v1/deliveries/{id}/replay`: what was delivered, given up or cancelled is sent again, with the same
//! id, and what waits for its next attempt is sent now.

use actix_web::{HttpResponse, web};
use switchboard_actors::domain::audit::By;
use switchboard_actors::system::deliveries::ReplayRejection;

use crate::admin::deliveries::view::DeliveryLog;
use crate::admin::deliveries::{id, unknown};
use crate::extract::access::Access;
use crate::extract::operator::Operator;
use crate::openapi::{Operation, Schema};
use crate::reply::problem::Problem;

pub(crate) async fn replay(
    access: Access<Operator>,
    path: web::Path<String>,
) -> Result<HttpResponse, Problem> {
    let result = access
        .system()
        .replay_delivery(By::Operator, id(&path)?)
        .await;
    let delivery = result.map_err(|refused| {
        refused.into_error(|rejection| match rejection {
            ReplayRejection::Unknown => unknown(),
            ReplayRejection::TooMuchQueued(refusal) => refusal.into(),
            ReplayRejection::OnItsWay
            | ReplayRejection::Queued(_)
            | ReplayRejection::NotConnected => Problem::Conflict(rejection.to_string()),
        })
    })?;
    Ok(HttpResponse::Ok().json(DeliveryLog::new(&delivery)))
}

pub(crate) fn describe() -> Operation {
    Operation::operator("replayDelivery",
        "Replay a delivery under the same id.",
    )
    .says("A message that waits for its next attempt is sent now. The count of attempts continues: `X-Delivery-Attempt` is above 1, so the integration knows that it may have the message already.")
    .path("id", Schema::uuid().says("The id of the message."))
    .gives::<DeliveryLog<'_>>(200, "The delivery as it is now.")
    .refuses(404, "There is no such delivery.")
    .refuses(
        409,
        "An attempt is in progress, the message is queued already, or its scope is not connected.",
    )
    .refuses(429, "Backpressure: too many callbacks are queued.")
}
