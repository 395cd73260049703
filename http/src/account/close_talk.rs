//! `POST /api/v4/talks/{id}/close`: a user is done with a talk. Its lead stays as it is, and the next loud message or
//! answer in the chat takes the talk up again.
//!
//! The counterpart may ask the customer for a rating first, unless `force_close` is true. Nothing rates talks here, so
//! every talk is closed at once.

use actix_web::{HttpRequest, HttpResponse, web};
use serde_json::json;
use switchboard_actors::domain::id::DealId;
use switchboard_actors::wire::account_body::talks;

use crate::account::refused;
use crate::extract::body;
use crate::extract::caller::AnyUser;
use crate::extract::numbered::Numbered;
use crate::openapi::{Operation, Schema, may};
use crate::reply::problem::Problem;
use crate::state::AppState;

pub(crate) async fn post(
    AnyUser(caller): AnyUser,
    Numbered(id): Numbered<DealId>,
    request: HttpRequest,
    payload: web::Payload,
    state: web::Data<AppState>,
) -> Result<HttpResponse, Problem> {
    let unknown = || Problem::NotFound("there is no such talk".to_owned());
    let access = state.system().user_access(&caller).await?;
    access.lead(id).await?.ok_or_else(unknown)?;
    let bytes = body::read_json_or_nothing(&request, payload, state.body_limit()).await?;
    talks::parse_close(&bytes)?;
    let closed = access.close_talk(id).await;
    closed.map_err(|why| refused(why, unknown))?;
    Ok(HttpResponse::Accepted().finish())
}

pub(crate) fn describe() -> Operation {
    let force = Schema::boolean()
        .says("Whether to close without a rating. There is none: it changes nothing.");
    let body = Schema::object([may("force_close", force)]).open();
    Operation::deals("closeTalk", "Close a talk.")
        .says("The lead stays as it is. The next loud message or answer in the chat takes the talk up again.")
        .path("id", Schema::number())
        .body_or_nothing(body, json!({ "force_close": true }))
        .answers_nothing(202, "On disk, also when it was closed already.")
        .refuses(403, "The caller may not edit the lead.")
        .refuses(404, "There is no such talk that the caller may see.")
}
