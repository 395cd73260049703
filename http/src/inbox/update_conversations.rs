//! `PATCH /inbox/v1/conversations`: a user closes, assigns or snoozes several conversations at once, or undoes that.

use std::collections::BTreeSet;

use actix_web::{HttpResponse, ResponseError as _, web};
use serde_json::json;
use switchboard_actors::domain::conversation::snooze_conversation::check_time;
use switchboard_actors::domain::id::{ConversationId, UndoId, UserId};
use switchboard_actors::domain::time::UnixMillis;
use switchboard_actors::domain::violation::ViolationCode;
use switchboard_actors::error::CommandError;
use switchboard_actors::system::user_access::{
    CONVERSATIONS_MAX, ChosenConversation, ConversationLeadRejection, ConversationsChange,
    ConversationsReport, SnoozeRequest,
};
use switchboard_actors::wire;
use switchboard_actors::wire::body::Body;
use switchboard_actors::wire::body::value::List;
use switchboard_actors::wire::json::object::ObjectReader;

use crate::extract::access::Access;
use crate::extract::body;
use crate::inbox::snooze_conversation::{SnoozeSecond, until};
use crate::inbox::update_responsible::refused;
use crate::openapi::{Operation, Schema};
use crate::reply::problem::Problem;

const ACTIONS: [(&str, Action); 4] = [
    ("close", Action::Close),
    ("assign", Action::Assign),
    ("snooze", Action::Snooze),
    ("undo", Action::Undo),
];

#[derive(Clone, Copy, PartialEq, Eq)]
enum Action {
    Close,
    Assign,
    Snooze,
    Undo,
}

wire::body_values! {
    Action: Schema::choice(&ACTIONS), |found| found.choice(&ACTIONS);
}

wire::body!(
    struct ConversationsBody {
        action: Action,
        /// The conversations: 1 to 250, each once. Not with `undo`.
        conversations: Option<List<ChosenBody, CONVERSATIONS_MAX>>,
        /// With `assign`: the new responsible user, an active user of the account; null gives the conversations back.
        #[body(null)]
        user_id: Option<UserId>,
        /// With `snooze`: the conversations are open again at this time, in seconds since 1970: in the future, at most a year
        /// ahead.
        until: Option<SnoozeSecond>,
        /// With `snooze`: true when the customer's next message that is not silent opens a conversation earlier.
        #[body(default(true))]
        wake_on_message: bool,
        /// With `undo`: the `undo` of the answer to the change.
        undo: Option<UndoId>,
    }

    struct ChosenBody {
        id: ConversationId,
        /// With `assign`: the responsible user that the caller saw; null for none.
        #[body(null)]
        replaces: Option<UserId>,
    }
);

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

/// The change that a body asks for.
enum Wanted {
    Change(Vec<ChosenConversation>, ConversationsChange),
    Undo(UndoId),
}

pub(crate) async fn patch(access: Access, payload: web::Payload) -> Result<HttpResponse, Problem> {
    let user = access.open().await?;
    let bytes = body::read_json(&access.request, payload, access.state.body_limit()).await?;
    let now = access.system().now();
    let wanted = ConversationsBody::read_as(&bytes, |body, fields| wanted(body, fields, now))?;
    let report = match wanted {
        Wanted::Change(chosen, change) => {
            if let ConversationsChange::Assign(Some(assignee)) = change
                && !user.users().get(assignee).is_some_and(|it| it.active)
            {
                let detail = ConversationLeadRejection::UnknownUser.to_string();
                let code = ViolationCode::NotSupportedChoice;
                return Err(Problem::field("user_id", code, &detail));
            }
            user.update_conversations(chosen, change).await
        }
        Wanted::Undo(undo) => user.undo_conversations(undo).await.ok_or_else(over)?,
    };
    Ok(HttpResponse::Ok().json(ConversationsAnswer::new(report)))
}

fn over() -> Problem {
    Problem::NotFound(
        "there is nothing to undo: this was not your last change, it was undone, or more than 30 seconds have passed; change the conversations one by one".to_owned(),
    )
}

fn wanted(
    body: &ObjectReader<'_, '_>,
    fields: ConversationsBody,
    now: UnixMillis,
) -> Option<Wanted> {
    let change = match fields.action {
        Action::Undo => {
            body.required("undo");
            return fields.undo.map(Wanted::Undo);
        }
        Action::Close => Some(ConversationsChange::Close),
        Action::Assign => {
            body.required("user_id");
            Some(ConversationsChange::Assign(fields.user_id))
        }
        Action::Snooze => {
            body.required("until");
            let end = fields.until.map(until);
            if let Some(why) = end.and_then(|end| check_time(end, now).err()) {
                body.reject("until", ViolationCode::InvalidValue, why.to_string());
            }
            end.map(|until| {
                ConversationsChange::Snooze(SnoozeRequest {
                    until,
                    wakes_on_message: fields.wake_on_message,
                })
            })
        }
    };
    body.required("conversations");
    let chosen = chosen(body, fields.conversations?)?;
    Some(Wanted::Change(chosen, change?))
}

/// The chosen conversations, if there are neither too few nor too many, and each is there once.
fn chosen(
    body: &ObjectReader<'_, '_>,
    list: List<ChosenBody, CONVERSATIONS_MAX>,
) -> Option<Vec<ChosenConversation>> {
    let count = list.0.len();
    let ids: BTreeSet<_> = list.placed().map(|(_, chosen)| chosen.id).collect();
    let detail = if count == 0 || count > CONVERSATIONS_MAX {
        format!("expected 1 to {CONVERSATIONS_MAX} conversations, found {count}")
    } else if ids.len() < list.placed().count() {
        "a conversation is there twice; name each once".to_owned()
    } else {
        let chosen = list.0.into_iter().map(|chosen| {
            let ChosenBody { id, replaces } = chosen?;
            Some(ChosenConversation { id, replaces })
        });
        return chosen.collect();
    };
    body.reject("conversations", ViolationCode::InvalidValue, detail);
    None
}

pub(crate) fn describe() -> Operation {
    Operation::inbox("updateConversations", "Change several conversations at once.")
        .says("Closes, assigns, gives back or snoozes up to 250 conversations. Each has an outcome of its own, and one that fails keeps none of the others from it. The caller can undo the change within 30 seconds: each conversation is then as before, but one that a colleague changed meanwhile stays as it is, and its outcome says so.")
        .takes::<ConversationsBody>(json!({
            "action": "assign",
            "conversations": [{ "id": "af9945ff-1490-4cad-807d-945c15d88bec", "replaces": null }],
            "user_id": 1,
        }))
        .gives::<ConversationsAnswer>(200, "The outcomes. What was changed is on disk.")
        .refuses(404, "There is nothing to undo.")
}
