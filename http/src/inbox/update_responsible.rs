//! `PATCH /inbox/v1/conversations/{id}/responsible`: a user assigns a conversation, takes it over or gives it back.

use actix_web::{HttpResponse, web};
use serde_json::json;
use switchboard_actors::domain::conversation::snooze_conversation::SnoozeRejection;
use switchboard_actors::domain::id::{ConversationId, UserId};
use switchboard_actors::domain::violation::ViolationCode;
use switchboard_actors::error::CommandError;
use switchboard_actors::system::user_access::{
    ConversationLeadRejection, CrmRejection, ResponsibleChange,
};
use switchboard_actors::wire;

use crate::extract::access::Access;
use crate::inbox::reply::{unknown, visible};
use crate::inbox::view::Conversation;
use crate::openapi::{Operation, Schema};
use crate::reply::problem::{Present, Problem};

wire::body!(
    struct ResponsibleBody {
        /// The new responsible user, an active user of the account; null gives the conversation back.
        #[body(null, needed)]
        user_id: Option<UserId>,
        /// The responsible user that the caller saw; null for none.
        #[body(null, needed)]
        replaces: Option<UserId>,
    }
);

pub(crate) async fn patch(
    access: Access,
    id: web::Path<String>,
    payload: web::Payload,
) -> Result<HttpResponse, Problem> {
    let id: ConversationId = id.parse().map_err(|_not_an_id| unknown())?;
    let user = access.open().await?;
    let parsed = access.json(payload).await;
    let body: ResponsibleBody = visible(&user, id, parsed).await?;
    let change = ResponsibleChange {
        user: body.user_id,
        replaces: body.replaces,
    };
    let view = user.update_responsible(id, change).await.map_err(refused)?;
    let conversation = Conversation::new(access.system(), &view, &access.base);
    Ok(HttpResponse::Ok().json(conversation))
}

/// The answer when a conversation is not changed through its lead.
pub(super) fn refused(error: CommandError<ConversationLeadRejection>) -> Problem {
    error.into_error(|rejection| {
        let detail = rejection.to_string();
        match rejection {
            ConversationLeadRejection::UnknownConversation => unknown(),
            ConversationLeadRejection::NoLead => Problem::Conflict(detail),
            ConversationLeadRejection::UnknownUser => {
                Problem::field("user_id", ViolationCode::NotSupportedChoice, &detail)
            }
            ConversationLeadRejection::Snooze(SnoozeRejection::Changed) => {
                Problem::Conflict(detail)
            }
            ConversationLeadRejection::Snooze(SnoozeRejection::Past | SnoozeRejection::TooFar) => {
                Problem::field("until", ViolationCode::InvalidValue, &detail)
            }
            ConversationLeadRejection::Lead(CrmRejection::OtherResponsible(user)) => {
                Problem::ConflictWith {
                    detail,
                    present: Present {
                        responsible_user_id: Some(json!(user)),
                        ..Present::default()
                    },
                }
            }
            ConversationLeadRejection::Lead(CrmRejection::TalkClosed) => Problem::Conflict(detail),
            ConversationLeadRejection::Lead(other) => {
                crate::account::refused(CommandError::Rejected(other), unknown)
            }
        }
    })
}

pub(crate) fn describe() -> Operation {
    Operation::inbox("updateResponsible", "Update the responsible user of a conversation.")
        .says("The responsible user of the newest lead answers for the conversation. `replaces` keeps two users from taking one conversation: who comes second gets a 409 with the present `responsible_user_id`, and nothing is stored.")
        .path("id", Schema::uuid())
        .takes::<ResponsibleBody>(json!({ "user_id": 1, "replaces": null }))
        .gives::<Conversation<'_>>(200, "On disk. The caller may have given away the right to see the conversation.")
        .refuses(403, "The caller may not edit the lead.")
        .refuses(409, "The responsible user is another one by now, or the conversation has no lead.")
        .refuses(
            404,
            "There is no such conversation that the caller may see.",
        )
}
