//! `POST /admin/v1/deliveries/{id}/discard`: it is not sent any more, unless the attempt in progress succeeds.

use actix_web::{HttpResponse, web};
use switchboard_actors::domain::audit::By;
use switchboard_actors::system::deliveries::DiscardRejection;

use crate::admin::deliveries::view::DeliveryLog;
use crate::admin::deliveries::{id, unknown};
use crate::extract::access::Access;
use crate::extract::operator::Operator;
use crate::openapi::{Operation, Schema};
use crate::reply::problem::Problem;

pub(crate) async fn discard(
    access: Access<Operator>,
    path: web::Path<String>,
) -> Result<HttpResponse, Problem> {
    let result = access
        .system()
        .discard_delivery(By::Operator, id(&path)?)
        .await;
    let delivery = result.map_err(|refused| {
        refused.into_error(|rejection| match rejection {
            DiscardRejection::Unknown => unknown(),
            DiscardRejection::Final => Problem::Conflict(rejection.to_string()),
        })
    })?;
    Ok(HttpResponse::Ok().json(DeliveryLog::new(&delivery)))
}

pub(crate) fn describe() -> Operation {
    Operation::operator(
        "discardDelivery",
        "Discard a delivery; an attempt in progress may still succeed.",
    )
    .path("id", Schema::uuid().says("The id of the message."))
    .gives::<DeliveryLog<'_>>(200, "The delivery as it is now.")
    .refuses(404, "There is no such delivery.")
    .refuses(409, "The delivery has already ended.")
}
