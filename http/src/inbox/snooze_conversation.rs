//! `POST /inbox/v1/conversations/{id}/snooze`: a user has a conversation out of the way until a time.

use actix_web::{HttpResponse, web};
use serde_json::json;
use switchboard_actors::wire::inbox_body::SnoozeBody;

use crate::extract::access::Access;
use crate::inbox::place::{self, NO_CONVERSATION};
use crate::inbox::reply::visible;
use crate::inbox::update_responsible::refused;
use crate::inbox::view::Conversation;
use crate::openapi::{Operation, Schema};
use crate::reply::problem::Problem;

pub(crate) async fn post(
    access: Access,
    id: web::Path<String>,
    payload: web::Payload,
) -> Result<HttpResponse, Problem> {
    let id = place::conversation(&id)?;
    let user = access.open().await?;
    let parsed = access.json(payload).await;
    let body: SnoozeBody = visible(&user, id, parsed).await?;
    let result = user.snooze_conversation(id, body.into()).await;
    let view = result.map_err(refused)?;
    let conversation = Conversation::new(access.system(), &view, &access.base);
    Ok(HttpResponse::Ok().json(conversation))
}

pub(crate) fn describe() -> Operation {
    Operation::inbox("snoozeConversation", "Snooze a conversation.")
        .says("It is out of the lists of open and waiting conversations until the time, or until the customer writes aloud. When the time comes, it is open again, until the next answer, and at the top of the lists. A new snooze takes the place of an earlier one. Closing the talk ends it; a reply does not.")
        .path("id", Schema::uuid())
        .takes::<SnoozeBody>(json!({ "until": 1_900_000_000, "wake_on_message": true }))
        .gives::<Conversation<'_>>(200, "On disk.")
        .refuses(403, "The caller may not edit the lead.")
        .refuses(409, "The conversation is closed, or has no lead.")
        .refuses(404, NO_CONVERSATION)
}
