//! `PATCH /inbox/v1/conversations`: a user closes, assigns or snoozes several conversations at once, or undoes that.

use actix_web::{HttpResponse, ResponseError as _, web};
use serde_json::json;
use switchboard_actors::domain::id::{ConversationId, UndoId};
use switchboard_actors::domain::several::ConversationsChange;
use switchboard_actors::domain::violation::ViolationCode;
use switchboard_actors::error::CommandError;
use switchboard_actors::system::user_access::{ConversationLeadRejection, ConversationsReport};
use switchboard_actors::wire::body::Body;
use switchboard_actors::wire::inbox_body::{ConversationsBody, SeveralRequest};

use crate::extract::access::Access;
use crate::extract::body;
use crate::inbox::update_responsible::refused;
use crate::openapi::Operation;
use crate::reply::problem::Problem;

view! {
    #[schemars(inline)]
    struct ConversationsAnswer(report: ConversationsReport) {
        /// One for each conversation, in the order of the request.
        outcomes: Vec<ConversationOutcome> = report.outcomes.into_iter().map(|it| ConversationOutcome::new(it.id, it.result)).collect(),
        /// The name of this change: the caller undoes it with the action `undo` within 30 seconds, unless another change follows.
        /// Null when nothing has changed, and of an undo.
        undo: Option<UndoId> = report.undo,
    }

    #[schemars(inline)]
    struct ConversationOutcome(id: ConversationId, result: Result<(), CommandError<ConversationLeadRejection>>) [
        let problem = result.err().map(refused);
    ] {
        id: ConversationId = id,
        /// 200 when the conversation was changed, else the status that a request for this conversation alone would have had.
        #[schemars(range(min = 200, max = 599))]
        status: u16 = problem.as_ref().map_or(200, |problem| problem.status_code().as_u16()),
        /// The reason when it was not changed.
        detail: Option<String> = problem.map(|problem| problem.to_string()),
    }
}

pub(crate) async fn patch(access: Access, payload: web::Payload) -> Result<HttpResponse, Problem> {
    let user = access.open().await?;
    let bytes = body::read_json(&access.request, payload, access.state.body_limit()).await?;
    let now = access.system().now();
    let request = ConversationsBody::read_as(&bytes, |body, fields| {
        SeveralRequest::from_body(body, fields, now)
    })?;
    let report = match request {
        SeveralRequest::Change(conversations, change) => {
            if let ConversationsChange::Assign(owners) = change {
                let (users, code) = (user.users(), ViolationCode::NotSupportedChoice);
                let is_active = |id| users.get(id).is_some_and(|it| it.active);
                if owners.user.flatten().is_some_and(|id| !is_active(id)) {
                    let detail = ConversationLeadRejection::UnknownUser.to_string();
                    return Err(Problem::field("user_id", code, &detail));
                }
                let is_group = |id| users.groups().contains_key(&id);
                if owners.group.flatten().is_some_and(|id| !is_group(id)) {
                    let detail = ConversationLeadRejection::UnknownGroup.to_string();
                    return Err(Problem::field("group_id", code, &detail));
                }
            }
            user.update_conversations(conversations, change).await
        }
        SeveralRequest::Undo(undo) => user.undo_conversations(undo).await.ok_or_else(over)?,
    };
    Ok(HttpResponse::Ok().json(ConversationsAnswer::new(report)))
}

fn over() -> Problem {
    Problem::NotFound(
        "there is nothing to undo: this was not your last change, it was undone, or more than 30 seconds have passed; change the conversations one by one".to_owned(),
    )
}

pub(crate) fn describe() -> Operation {
    Operation::inbox("updateConversations", "Update several conversations at once.")
        .says("Closes, assigns, gives back or snoozes up to 250 conversations. Each has an outcome of its own, and one that fails keeps none of the others from it. The caller can undo the change within 30 seconds: each conversation is then as before, but one that a colleague changed meanwhile stays as it is, and its outcome says so.")
        .takes::<ConversationsBody>(json!({
            "action": "assign",
            "conversations": [{ "id": "af9945ff-1490-4cad-807d-945c15d88bec", "replaces": null }],
            "user_id": 1,
        }))
        .gives::<ConversationsAnswer>(200, "The outcomes. What was changed is on disk.")
        .refuses(404, "There is nothing to undo.")
}
