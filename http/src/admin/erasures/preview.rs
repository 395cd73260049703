//! `POST /admin/v1/erasures/preview`: how much an erasure would erase. Nothing is erased.

use actix_web::{HttpResponse, web};
use serde_json::json;
use switchboard_actors::erasures::Target;
use switchboard_actors::wire::operator_body::NamedTarget;

use crate::admin::erasures::unknown_target;
use crate::admin::erasures::view::Preview;
use crate::extract::access::Access;
use crate::extract::operator::Operator;
use crate::openapi::Operation;
use crate::reply::problem::Problem;

pub(crate) async fn preview(
    access: Access<Operator>,
    payload: web::Payload,
) -> Result<HttpResponse, Problem> {
    let body: NamedTarget = access.json(payload).await?;
    let target = Target::from(body);
    if !access.system().is_there(&target).await? {
        return Err(unknown_target());
    }
    let tally = access.system().preview_erasure(target).await?;
    Ok(HttpResponse::Ok().json(Preview::new(&tally)))
}

pub(crate) fn describe() -> Operation {
    let account = "af9945ff-1490-4cad-807d-945c15d88bec";
    Operation::operator("previewErasure", "Count what an erasure would erase.")
        .says("Nothing is erased. Reads the whole journal.")
        .takes::<NamedTarget>(json!({ "what": "customer", "account_id": account, "contact_id": 1 }))
        .gives::<Preview>(200, "The counts.")
        .refuses(
            404,
            "There is no such account, no such customer of it, or no such relayed conversation.",
        )
}
