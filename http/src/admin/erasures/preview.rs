//! `POST /admin/v1/erasures/preview`: how much an erasure would erase. Nothing is erased.

use actix_web::{HttpRequest, HttpResponse, web};
use serde_json::json;

use crate::admin::erasures::view::Preview;
use crate::admin::erasures::{body, unknown_target};
use crate::extract::body::read_json;
use crate::extract::operator::Operator;
use crate::openapi::Operation;
use crate::reply::problem::Problem;
use crate::state::AppState;

pub(crate) async fn preview(
    _: Operator,
    request: HttpRequest,
    payload: web::Payload,
    state: web::Data<AppState>,
) -> Result<HttpResponse, Problem> {
    let bytes = read_json(&request, payload, state.body_limit()).await?;
    let target = body::target(&bytes)?;
    if !state.system().is_there(&target).await? {
        return Err(unknown_target());
    }
    let tally = state.system().preview_erasure(target).await?;
    Ok(HttpResponse::Ok().json(Preview::of(&tally)))
}

pub(crate) fn describe() -> Operation {
    let account = "af9945ff-1490-4cad-807d-945c15d88bec";
    Operation::operator("previewErasure", "Count what an erasure would erase.")
        .says("Nothing is erased. Reads the whole journal.")
        .body(
            body::schema(),
            json!({ "what": "customer", "account_id": account, "contact_id": 1 }),
        )
        .gives::<Preview>(200, "The counts.")
        .refuses(404, "There is no such account, or no such customer of it.")
}
