//! `POST /api/v4/users/activate`: users may come in again. The 202 means: on disk.

use actix_web::{HttpRequest, HttpResponse, web};
use serde_json::json;

use crate::http::extract::body;
use crate::http::extract::caller::Administrator;
use crate::http::openapi::{Asker, Operation, Tag};
use crate::http::reply::problem::Problem;
use crate::http::state::AppState;
use crate::http::users::ids;
use crate::http::users::{switch, switching_is_available};

pub(crate) async fn post(
    Administrator(caller): Administrator,
    request: HttpRequest,
    payload: web::Payload,
    state: web::Data<AppState>,
) -> Result<HttpResponse, Problem> {
    switching_is_available(&state, caller.account)?;
    let body = body::read_json(&request, payload, state.body_limit()).await?;
    switch(&state, &caller, &body, true).await?;
    Ok(HttpResponse::Accepted().finish())
}

pub(crate) fn describe() -> Operation {
    Operation::new(
        Tag::Users,
        Asker::Administrator,
        "activateUsers",
        "Users may come in again: all of them or none.",
    )
    .body(ids(), json!([{ "id": 2 }]))
    .answers_nothing(202, "On disk.")
    .refuses(
        403,
        "Only administrators of accounts on the Enterprise plan may do this.",
    )
}
