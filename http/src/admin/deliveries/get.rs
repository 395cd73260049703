//! `GET /admin/v1/deliveries/{id}`: one delivery with its attempts. The id is that of the message.

use actix_web::{HttpResponse, web};

use crate::admin::deliveries::view::DeliveryLog;
use crate::admin::deliveries::{id, unknown};
use crate::extract::access::Access;
use crate::extract::operator::Operator;
use crate::openapi::{Operation, Schema};
use crate::reply::problem::Problem;

pub(crate) async fn get(
    access: Access<Operator>,
    path: web::Path<String>,
) -> Result<HttpResponse, Problem> {
    let result = access.system().delivery(id(&path)?).await;
    let delivery = result?.ok_or_else(unknown)?;
    Ok(HttpResponse::Ok().json(DeliveryLog::new(&delivery)))
}

pub(crate) fn describe() -> Operation {
    Operation::operator("getDelivery", "Get a delivery with its attempts.")
        .path("id", Schema::uuid().says("The id of the message."))
        .gives::<DeliveryLog<'_>>(200, "The delivery as it is now.")
        .refuses(404, "There is no such delivery.")
}
