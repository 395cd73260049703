//! `/healthz`: the process is up. `/readyz`: it takes work.

use actix_web::{HttpResponse, web};
use switchboard_actors::error::Unavailable;

use crate::http::openapi::{Operation, Schema};
use crate::http::state::AppState;

pub(crate) async fn healthz() -> HttpResponse {
    HttpResponse::Ok()
        .content_type("text/plain; charset=utf-8")
        .body("ok\n")
}

pub(crate) async fn readyz(state: web::Data<AppState>) -> HttpResponse {
    let store = state.system().writable();
    let draining = state.is_draining();
    // Reading goes on while the disk is full: a load balancer that follows this answer must not stop reads.
    let ready = matches!(store, Ok(()) | Err(Unavailable::DiskFull)) && !draining;
    let writable = store.is_ok() && !draining;
    let store = store.map_or_else(|why| why.to_string(), |()| "ok".to_owned());
    // Data outside the damaged part is served as before until the index is rebuilt, so damage alone does not make the
    // service unready.
    let damaged = state.system().is_index_damaged();
    let checks = Checks::of(store, damaged, draining);
    let body = Readiness::of(ready, writable, checks);
    if ready {
        HttpResponse::Ok().json(body)
    } else {
        HttpResponse::ServiceUnavailable().json(body)
    }
}

view! {
    struct Readiness(ready: bool, writable: bool, checks: Checks) {
        ready: bool = ready,
        /// Whether the service accepts writes: not while the disk is full. Reads continue.
        writable: bool = writable,
        checks: Checks = checks,
    }

    #[schemars(inline)]
    struct Checks(store: String, damaged: bool, draining: bool) {
        /// `ok`, or why nothing can be stored: writes are refused with 503.
        store: String = store,
        /// `damaged` until the service has rebuilt the index; requests for data in the damaged part get 503.
        #[schemars(extend("enum" = ["ok", "damaged"]))]
        index: &'static str = if damaged { "damaged" } else { "ok" },
        /// Whether the service is stopping, or restarting itself to rebuild a damaged index.
        draining: bool = draining,
    }
}

pub(crate) fn describe_healthz() -> Operation {
    Operation::service("getHealth", "Get the liveness of the process.").answers_as(
        200,
        "It is.",
        "text/plain",
        Schema::only("ok\n"),
    )
}

pub(crate) fn describe_readyz() -> Operation {
    Operation::service("getReadiness", "Get the readiness of the service.")
        .gives::<Readiness>(200, "The service is ready.")
        .gives::<Readiness>(503, "The service is not ready.")
}
