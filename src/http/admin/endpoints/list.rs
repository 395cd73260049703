//! `GET /admin/v1/endpoints`: all of them, by channel and version.

use actix_web::{HttpResponse, web};
use serde_json::{Value, json};
use switchboard_actors::domain::endpoint::LastError;
use switchboard_actors::domain::time::UnixMillis;
use switchboard_actors::system::endpoints::EndpointView;

use crate::http::extract::operator::Operator;
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
