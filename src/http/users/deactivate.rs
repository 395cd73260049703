//! `POST /api/v4/users/deactivate`: users are refused from now on. The 204 means: on disk.

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
    switch(&state, &caller, &body, false).await?;
    Ok(HttpResponse::NoContent().finish())
}

pub(crate) fn describe() -> Operation {
    let summary =
        "Users are refused from now on, with their tokens and sessions: all of them or none.";
    Operation::new(Tag::Users, Asker::Administrator, "deactivateUsers", summary)
        .body(ids(), json!([{ "id": 2 }]))
        .answers_nothing(204, "On disk.")
        .refuses(
            403,
            "Only administrators of accounts on the Enterprise plan may do this.",
        )
}
