//! `/healthz`: the process is up. `/readyz`: it takes work.

use actix_web::{HttpResponse, web};
use serde_json::json;

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
