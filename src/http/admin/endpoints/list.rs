//! `GET /admin/v1/endpoints`: all of them, by channel and version.

use actix_web::{HttpResponse, web};
use serde_json::{Value, json};
use switchboard_actors::domain::chat::channel::HookVersion;
use switchboard_actors::domain::dispatch::outcome::Class;
use switchboard_actors::domain::endpoint::LastError;
use switchboard_actors::domain::time::UnixMillis;
use switchboard_actors::system::endpoints::EndpointView;

use crate::http::admin::deliveries::failures;
use crate::http::extract::operator::Operator;
use crate::http::openapi::{Asker, Operation, Schema, Tag, must};
use crate::http::reply::health::fields as health_fields;
use crate::http::reply::health::health;
use crate::http::reply::problem::Problem;
use crate::http::state::AppState;

pub(crate) async fn list(_: Operator, state: web::Data<AppState>) -> Result<HttpResponse, Problem> {
    let endpoints = state.system().endpoints().await?;
    let endpoints: Vec<Value> = endpoints.iter().map(endpoint).collect();
    Ok(HttpResponse::Ok().json(json!({ "endpoints": endpoints })))
}

fn endpoint(endpoint: &EndpointView) -> Value {
    let (survey, record) = (&endpoint.survey, &endpoint.record);
    let mut view = json!({
        "channel_id": survey.endpoint.channel,
        "version": survey.endpoint.version,
        "address": endpoint.address,
        "queued": endpoint.queued,
        "in_flight": survey.in_flight,
        "oldest_queued_at": survey.oldest.map(UnixMillis::secs),
        "failing_since": survey.failing_since.map(UnixMillis::secs),
        "disabled_at": record.disabled.as_ref().map(|disabled| disabled.at.secs()),
        "succeeded_at": record.succeeded_at.map(UnixMillis::secs),
        "last_error": record.last_error.as_ref().map(error),
    });
    if let (Some(view), Value::Object(health)) = (view.as_object_mut(), health(&survey.health)) {
        view.extend(health);
    }
    view
}

fn error(error: &LastError) -> Value {
    json!({
        "at": error.at.secs(),
        "address": error.address,
        "status": error.status,
        "failure": error.failure,
        "class": error.class.as_str(),
        "excerpt": error.excerpt,
    })
}

pub(crate) fn describe() -> Operation {
    let error = Schema::object([
        must("at", Schema::seconds()),
        must("address", Schema::text().or_null()),
        must("status", Schema::between(100, 999).or_null()),
        must("failure", failures().or_null()),
        must("class", Schema::words(Class::NAMES)),
        must("excerpt", Schema::text()),
    ]);
    let mut fields = vec![
        must("channel_id", Schema::text()),
        must("version", Schema::choice(&HookVersion::NAMES)),
        must("address", Schema::text().or_null()),
        must("queued", Schema::count()),
        must("in_flight", Schema::count()),
        must("oldest_queued_at", Schema::seconds().or_null()),
        must("failing_since", Schema::seconds().or_null()),
        must("disabled_at", Schema::seconds().or_null()),
        must("succeeded_at", Schema::seconds().or_null()),
        must("last_error", error.or_null()),
    ];
    fields.extend(health_fields());
    let endpoint = Schema::named("Endpoint", Schema::object(fields));
    let list = Schema::object([must("endpoints", Schema::list(endpoint))]);
    let summary = "Lists the addresses that callbacks go to, and how they are.";
    Operation::new(Tag::Operator, Asker::Operator, "listEndpoints", summary).answers(
        200,
        "The addresses, by channel and version.",
        list,
    )
}
