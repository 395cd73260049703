//! `POST /api/v4/talks/{id}/close`: a user is done with a talk. Its lead stays as it is, and the next loud message or
//! answer in the chat takes the talk up again.
//!
//! The counterpart may ask the customer for a rating first, unless `force_close` is true. Nothing rates talks here, so
//! every talk is closed at once.

use actix_web::{HttpResponse, web};
use serde_json::json;
use switchboard_actors::domain::id::LeadId;
use switchboard_actors::wire::account_body::talks::CloseTalk;

use crate::account::refused;
use crate::extract::access::Access;
use crate::extract::numbered::Numbered;
use crate::openapi::{Operation, Schema};
use crate::reply::problem::Problem;

pub(crate) async fn post(
    access: Access,
    Numbered(id): Numbered<LeadId>,
    payload: web::Payload,
) -> Result<HttpResponse, Problem> {
    let unknown = || Problem::NotFound("there is no such talk".to_owned());
    let user = access.open().await?;
    user.lead(id).await?.ok_or_else(unknown)?;
    let _checked: CloseTalk = access.json_or_nothing(payload).await?;
    let result = user.close_talk(id).await;
    result.map_err(|why| refused(why, unknown))?;
    Ok(HttpResponse::Accepted().finish())
}

pub(crate) fn describe() -> Operation {
    Operation::leads("closeTalk", "Close a talk.")
        .says("The lead stays as it is. The next loud message or answer in the chat takes the talk up again.")
        .path("id", Schema::number())
        .takes_or_nothing::<CloseTalk>(json!({ "force_close": true }))
        .answers_nothing(202, "On disk.")
        .refuses(403, "The caller may not edit the lead.")
        .refuses(404, "There is no such talk that the caller may see.")
        .refuses(422, "The talk is closed already.")
}
