//! `POST /admin/v1/channels/{id}/test-send`: sends one signed test callback now and answers what came. That the address
//! failed is a fact in a 200, not an error of this request.

use actix_web::{HttpRequest, HttpResponse, web};
use serde_json::{Value, json};
use switchboard_actors::domain::audit::By;
use switchboard_actors::error::Refused;
use switchboard_actors::system::operator::test_send::{TestOutcome, TestRejection};

use crate::http::admin::channels::{body, id, unknown, wrong};
use crate::http::extract::body::read_json_or_nothing;
use crate::http::extract::operator::Operator;
use crate::http::reply::problem::Problem;
use crate::http::state::AppState;

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
    let came = came.map_err(|refused| match refused {
        Refused::Rejected(TestRejection::UnknownChannel) => unknown(),
        Refused::Rejected(rejection @ TestRejection::UnknownAccount) => {
            wrong("account_id", rejection.to_string())
        }
        Refused::Rejected(rejection @ (TestRejection::NoAccount | TestRejection::NoAddress(_))) => {
            Problem::Conflict(rejection.to_string())
        }
        Refused::Unavailable(unavailable) => unavailable.into(),
    })?;
    Ok(HttpResponse::Ok().json(view(&came)))
}

fn view(came: &TestOutcome) -> Value {
    let trace = &came.trace;
    let mut view = json!({
        "delivered": came.is_delivered(),
        "reason": came.reason(),
        "status": came.outcome.status(),
        "failure": came.outcome.failure(),
        "version": came.version.as_str(),
        "scope_id": came.scope,
        "url": came.url,
        "address": trace.address,
        "message_id": came.message,
        "answered_ms": trace.answered_ms,
        "took_ms": trace.took_ms,
    });
    // What the sender says of a failure stands where an answer's body would.
    let excerpt = if came.outcome.failure().is_some() {
        "detail"
    } else {
        "excerpt"
    };
    if let Some(view) = view.as_object_mut() {
        view.insert(excerpt.to_owned(), trace.excerpt.as_str().into());
    }
    view
}
