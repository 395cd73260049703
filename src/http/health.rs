//! `/healthz`: the process is up. `/readyz`: it takes work.

use actix_web::{HttpResponse, web};
use serde_json::json;

use crate::http::openapi::{Asker, Operation, Schema, Tag, must};
use crate::http::state::AppState;

pub(crate) async fn healthz() -> HttpResponse {
    HttpResponse::Ok()
        .content_type("text/plain; charset=utf-8")
        .body("ok\n")
}

pub(crate) async fn readyz(state: web::Data<AppState>) -> HttpResponse {
    let store = state.system().writable();
    let draining = state.is_draining();
    let ready = store.is_ok() && !draining;
    let store = store.map_or_else(|why| why.to_string(), |()| "ok".to_owned());
    let body = json!({ "ready": ready, "checks": { "store": store, "draining": draining } });
    if ready {
        HttpResponse::Ok().json(body)
    } else {
        HttpResponse::ServiceUnavailable().json(body)
    }
}

pub(crate) fn describe_healthz() -> Operation {
    Operation::new(
        Tag::Service,
        Asker::Anyone,
        "getHealth",
        "Tells whether the process is up.",
    )
    .answers_as(200, "It is.", "text/plain", Schema::only("ok\n"))
}

pub(crate) fn describe_readyz() -> Operation {
    let ready = || {
        let checks = Schema::object([
            must(
                "store",
                Schema::text().says("`ok`, or why nothing can be stored."),
            ),
            must(
                "draining",
                Schema::boolean().says("Whether the service is stopping."),
            ),
        ]);
        let ready = Schema::object([must("ready", Schema::boolean()), must("checks", checks)]);
        Schema::named("Readiness", ready)
    };
    Operation::new(
        Tag::Service,
        Asker::Anyone,
        "getReadiness",
        "Tells whether the service takes work.",
    )
    .answers(200, "It does.", ready())
    .answers(503, "It does not.", ready())
}
