//! `POST /admin/v1/channels/{id}/test-send`: sends one signed test callback now and answers what came. That the address
//! failed is a fact in a 200, not an error of this request.

use actix_web::{HttpResponse, web};
use serde_json::json;
use switchboard_actors::domain::audit::By;
use switchboard_actors::system::operator::test_send::{TestRejection, TestRequest};
use switchboard_actors::wire::operator_body::channels::TestSend;

use crate::admin::channels::{id, id_schema, unknown, wrong};
use crate::admin::test_outcome::Came;
use crate::extract::access::Access;
use crate::extract::operator::Operator;
use crate::openapi::Operation;
use crate::reply::problem::Problem;

pub(crate) async fn send(
    access: Access<Operator>,
    path: web::Path<String>,
    payload: web::Payload,
) -> Result<HttpResponse, Problem> {
    let id = id(&path)?;
    let body: TestSend = access.json_or_nothing(payload).await?;
    let test = TestRequest {
        version: body.version,
        account: body.account_id,
    };
    let result = access.system().test_send(By::Operator, &id, test).await;
    let came = result.map_err(|refused| {
        refused.into_error(|rejection| match rejection {
            TestRejection::UnknownChannel => unknown(),
            TestRejection::UnknownAccount => wrong("account_id", rejection.to_string()),
            TestRejection::NoAccount | TestRejection::NoAddress(_) => {
                Problem::Conflict(rejection.to_string())
            }
        })
    })?;
    Ok(HttpResponse::Ok().json(Came::new(&came)))
}

pub(crate) fn describe() -> Operation {
    Operation::operator("testSend", "Send a signed test callback.")
        .says("That the address failed is a fact in a 200, not an error of this request.")
        .path("id", id_schema())
        .takes_or_nothing::<TestSend>(json!({ "version": "v2" }))
        .gives::<Came<'_>>(200, "The outcome.")
        .refuses(404, "There is no such channel.")
        .refuses(
            409,
            "There is no account to send for, or no address to send to.",
        )
}
