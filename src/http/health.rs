//! `/healthz`: the process is up. `/readyz`: it takes work.

use actix_web::{HttpResponse, web};
use serde_json::json;
use switchboard_actors::error::Unavailable;

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
    // Reading goes on while the disk is full: whoever sends requests to where it is ready must not take reading away.
    let ready = matches!(store, Ok(()) | Err(Unavailable::DiskFull)) && !draining;
    let writable = store.is_ok() && !draining;
    let store = store.map_or_else(|why| why.to_string(), |()| "ok".to_owned());
    // What does not lie in the damaged part is served as ever until the index is made again, so this alone does not take
    // the service away.
    let index = if state.system().is_index_damaged() {
        "damaged"
    } else {
        "ok"
    };
    let checks = json!({ "store": store, "index": index, "draining": draining });
    let body = json!({ "ready": ready, "writable": writable, "checks": checks });
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
                Schema::text()
                    .says("`ok`, or why nothing can be stored: writes are refused with 503."),
            ),
            must(
                "index",
                Schema::words(["ok", "damaged"]).says(
                    "`damaged` until the index is made again: what lies in the damaged part is refused with 503.",
                ),
            ),
            must(
                "draining",
                Schema::boolean()
                    .says("Whether the service is stopping, or restarting itself to make a damaged index again."),
            ),
        ]);
        let writable = Schema::boolean().says(
            "Whether writes are taken. They are not while the disk is full; reading goes on.",
        );
        let ready = Schema::object([
            must("ready", Schema::boolean()),
            must("writable", writable),
            must("checks", checks),
        ]);
        Schema::named("Readiness", ready)
    };
    Operation::new(
        Tag::Service,
        Asker::Anyone,
        "getReadiness",
        "Tells whether the service takes requests.",
    )
    .answers(200, "It does.", ready())
    .answers(503, "It does not.", ready())
}
