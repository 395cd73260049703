//! `POST /admin/v1/channels/{id}/test-send`: sends one signed test callback now and answers what came. That the address
//! failed is a fact in a 200, not an error of this request.

use actix_web::{HttpRequest, HttpResponse, web};
use serde_json::json;
use switchboard_actors::domain::audit::By;
use switchboard_actors::domain::chat::channel::HookVersion;
use switchboard_actors::system::operator::test_send::TestRejection;

use crate::admin::channels::id_schema;
use crate::admin::channels::{body, id, unknown, wrong};
use crate::admin::test_outcome::Came;
use crate::extract::body::read_json_or_nothing;
use crate::extract::operator::Operator;
use crate::openapi::{Operation, Schema, may};
use crate::reply::problem::Problem;
use crate::state::AppState;

pub(crate) async fn send(
    _: Operator,
    path: web::Path<String>,
    request: HttpRequest,
    payload: web::Payload,
    state: web::Data<AppState>,
) -> Result<HttpResponse, Problem> {
    let id = id(&path)?;
    let bytes = read_json_or_nothing(&request, payload, state.body_limit()).await?;
    let test = body::test(&bytes)?;
    let came = state.system().test_send(By::Operator, &id, test).await;
    let came = came.map_err(|refused| {
        refused.into_error(|rejection| match rejection {
            TestRejection::UnknownChannel => unknown(),
            TestRejection::UnknownAccount => wrong("account_id", rejection.to_string()),
            TestRejection::NoAccount | TestRejection::NoAddress(_) => {
                Problem::Conflict(rejection.to_string())
            }
        })
    })?;
    Ok(HttpResponse::Ok().json(Came::of(&came)))
}

pub(crate) fn describe() -> Operation {
    let body = Schema::object([
        may("version", Schema::choice(&HookVersion::NAMES)),
        may(
            "account_id",
            Schema::uuid().says("In whose name; a connected one if it is left out."),
        ),
    ]);
    Operation::operator("testSend", "Send a signed test callback.")
        .says("That the address failed is a fact in a 200, not an error of this request.")
        .path("id", id_schema())
        .body_or_nothing(body, json!({ "version": "v2" }))
        .gives::<Came<'_>>(200, "The outcome.")
        .refuses(404, "There is no such channel.")
        .refuses(
            409,
            "There is no account to send for, or no address to send to.",
        )
}
