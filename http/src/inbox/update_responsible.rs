//! `PATCH /inbox/v1/conversations/{id}/responsible`: a user assigns a conversation to a user, to a group or to both, takes it over or gives
//! it back.

use actix_web::{HttpResponse, web};
use serde_json::json;
use switchboard_actors::domain::conversation::assign_group::OtherGroupRejection;
use switchboard_actors::domain::conversation::snooze_conversation::SnoozeRejection;
use switchboard_actors::domain::violation::ViolationCode;
use switchboard_actors::error::CommandError;
use switchboard_actors::system::user_access::{ConversationLeadRejection, CrmRejection};
use switchboard_actors::wire::body::Body;
use switchboard_actors::wire::inbox_body::OwnersBody;

use crate::extract::access::Access;
use crate::inbox::place::{self, NO_CONVERSATION, unknown};
use crate::inbox::reply::visible;
use crate::inbox::view::Conversation;
use crate::openapi::{Operation, Schema};
use crate::reply::problem::{Present, Problem};

pub(crate) async fn patch(
    access: Access,
    id: web::Path<String>,
    payload: web::Payload,
) -> Result<HttpResponse, Problem> {
    let id = place::conversation(&id)?;
    let user = access.open().await?;
    let bytes = access.read_json(payload).await;
    let parsed = bytes.and_then(|bytes| {
        Ok(OwnersBody::read_as(&bytes, |body, owners| {
            owners.change(body)
        })?)
    });
    let change = visible(&user, id, parsed).await?;
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
            ConversationLeadRejection::UnknownGroup => {
                Problem::field("group_id", ViolationCode::NotSupportedChoice, &detail)
            }
            ConversationLeadRejection::OtherGroup(OtherGroupRejection(group)) => {
                Problem::ConflictWith {
                    detail,
                    present: Box::new(Present {
                        group_id: Some(json!(group)),
                        ..Present::default()
                    }),
                }
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
                    present: Box::new(Present {
                        responsible_user_id: Some(json!(user)),
                        ..Present::default()
                    }),
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
    Operation::inbox("updateResponsible", "Update the responsible user and the group of a conversation.")
        .says("The responsible user of the newest lead answers for the conversation. `replaces` keeps two users from taking one conversation: who comes second gets a 409 with the present `responsible_user_id`, and nothing is stored. A conversation also has at most one group: `group_id` assigns it, and `replaces_group` compares it in the same way, with the present `group_id` in the 409. With both, both change in one step or neither. A conversation without a lead can have a group.")
        .path("id", Schema::uuid())
        .takes::<OwnersBody>(json!({ "user_id": 1, "replaces": null }))
        .gives::<Conversation<'_>>(200, "On disk. The caller may have given away the right to see the conversation.")
        .refuses(403, "The caller may not edit the lead.")
        .refuses(409, "The responsible user or the group is another one by now, or the conversation has no lead to be responsible for.")
        .refuses(404, NO_CONVERSATION)
}
