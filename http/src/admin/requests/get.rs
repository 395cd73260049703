//! `GET /admin/v1/requests/{id}`: one request with its headers, body and answer, and what is to be said of its signature.

use actix_web::{HttpResponse, web};

use crate::admin::requests::view::RequestKept;
use crate::extract::access::Access;
use crate::extract::operator::Operator;
use crate::openapi::{Operation, Schema};
use crate::reply::problem::Problem;

pub(crate) async fn get(
    access: Access<Operator>,
    path: web::Path<String>,
) -> Result<HttpResponse, Problem> {
    let entry = path
        .parse()
        .ok()
        .and_then(|id| access.state.request_log().get(id));
    let record = entry.ok_or_else(|| {
        Problem::NotFound("no such request is kept: only the newest ones are".to_owned())
    })?;
    let channel_id = record.sender.channel();
    let channel = channel_id.and_then(|id| access.system().channel(id));
    Ok(HttpResponse::Ok().json(RequestKept::new(&record, channel.as_deref(), &access.state)))
}

pub(crate) fn describe() -> Operation {
    Operation::operator(
        "getRequest",
        "Get a recorded request with its response and the verdict on its signature.",
    )
    .path("id", Schema::number())
    .gives::<RequestKept<'_>>(200, "The request.")
    .refuses(404, "There is no such recorded request.")
}
