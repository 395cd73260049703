//! `GET /admin/v1/deliveries/{id}/request`: the callback as it would be sent now, with what was written. It stands apart
//! from the delivery: only who asks for it sees it.

use actix_web::http::header;
use actix_web::{HttpRequest, HttpResponse, web};
use serde_json::{Value, json};
use switchboard_actors::domain::chat::channel::HookVersion;
use switchboard_actors::system::deliveries::CallbackRequest;

use crate::http::admin::deliveries::{id, no_request};
use crate::http::extract::operator::Operator;
use crate::http::extract::query::Query;
use crate::http::openapi::{Asker, Operation, Schema, Tag, must};
use crate::http::reply::problem::Problem;
use crate::http::state::AppState;

/// `version`, which is `v1` or `v2`; without it what the account speaks.
pub(crate) async fn show(
    _: Operator,
    path: web::Path<String>,
    request: HttpRequest,
    state: web::Data<AppState>,
) -> Result<HttpResponse, Problem> {
    let query = Query::of(&request)?;
    let version = match query.text("version") {
        None => None,
        Some(given) => {
            let known = HookVersion::NAMES.iter().find(|(name, _)| *name == given);
            let (_, version) = known.ok_or_else(|| {
                Problem::BadRequest(format!("version must be v1 or v2, got «{given}»"))
            })?;
            Some(*version)
        }
    };
    let callback = state.system().callback_request(id(&path)?, version).await;
    Ok(HttpResponse::Ok()
        .insert_header((header::CACHE_CONTROL, "no-store"))
        .json(view(&callback.map_err(no_request)?)))
}

fn view(callback: &CallbackRequest) -> Value {
    let attempt = &callback.attempt;
    let headers = [
        ("Content-Type", "application/json".to_owned()),
        ("X-Signature", attempt.signature.clone()),
        ("webhook-id", attempt.message.to_string()),
        ("webhook-timestamp", attempt.at.secs().to_string()),
        ("X-Delivery-Attempt", attempt.attempt.to_string()),
    ];
    let headers: Vec<Value> = headers
        .into_iter()
        .map(|(name, value)| json!({ "name": name, "value": value }))
        .collect();
    json!({
        "version": callback.version.as_str(),
        "scope_id": callback.scope,
        "method": "POST",
        "url": attempt.url,
        "headers": headers,
        "signature": attempt.signature,
        "body": String::from_utf8_lossy(&attempt.body),
    })
}

pub(crate) fn describe() -> Operation {
    let header = Schema::object([must("name", Schema::text()), must("value", Schema::text())]);
    let answer = Schema::object([
        must("version", Schema::choice(&HookVersion::NAMES)),
        must("scope_id", Schema::text()),
        must("method", Schema::only("POST")),
        must("url", Schema::text()),
        must("headers", Schema::list(header)),
        must(
            "signature",
            Schema::text().says("The value of X-Signature."),
        ),
        must("body", Schema::text().says("The bytes that are signed.")),
    ]);
    Operation::new(
        Tag::Operator,
        Asker::Operator,
        "showCallbackRequest",
        "Tells the callback as it would be sent now.",
    )
    .path("id", Schema::uuid().says("The id of the message."))
    .query(
        "version",
        Schema::choice(&HookVersion::NAMES).says("What the account speaks if it is left out."),
    )
    .answers(200, "The request.", answer)
    .refuses(400, "The version is none.")
    .refuses(404, "There is no such delivery.")
    .refuses(
        409,
        "There is no address to send to, or no form for it in this version.",
    )
}
