//! `POST /inbox/v1/conversations/{id}/snooze`: a user has a conversation out of the way until a time.

use actix_web::{HttpResponse, web};
use serde_json::json;
use switchboard_actors::domain::id::ConversationId;
use switchboard_actors::domain::time::UnixMillis;
use switchboard_actors::system::user_access::SnoozeRequest;
use switchboard_actors::wire;
use switchboard_actors::wire::body::value::Whole;

use crate::extract::access::Access;
use crate::inbox::reply::{unknown, visible};
use crate::inbox::update_responsible::refused;
use crate::inbox::view::Conversation;
use crate::openapi::{Operation, Schema};
use crate::reply::problem::Problem;

/// The last second that a body can name: in the year 9999.
const LAST_SECOND: i64 = 253_402_300_799;

/// A time that a snooze can name.
pub(super) type SnoozeSecond = Whole<0, LAST_SECOND>;

/// The end of a snooze.
pub(super) fn until(second: SnoozeSecond) -> UnixMillis {
    UnixMillis::from_secs(u64::try_from(second.get()).unwrap_or_default())
}

wire::body!(
    struct SnoozeBody {
        /// The conversation is open again at this time, in seconds since 1970: in the future, at most a year ahead.
        until: SnoozeSecond,
        /// True when the customer's next message that is not silent opens it earlier.
        #[body(default(true))]
        wake_on_message: bool,
    }
);

pub(crate) async fn post(
    access: Access,
    id: web::Path<String>,
    payload: web::Payload,
) -> Result<HttpResponse, Problem> {
    let id: ConversationId = id.parse().map_err(|_not_an_id| unknown())?;
    let user = access.open().await?;
    let parsed = access.json(payload).await;
    let body: SnoozeBody = visible(&user, id, parsed).await?;
    let request = SnoozeRequest {
        until: until(body.until),
        wakes_on_message: body.wake_on_message,
    };
    let view = user
        .snooze_conversation(id, request)
        .await
        .map_err(refused)?;
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
        .refuses(
            404,
            "There is no such conversation that the caller may see.",
        )
}
