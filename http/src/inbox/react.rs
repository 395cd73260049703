//! `POST /inbox/v1/conversations/{id}/messages/{message}/reactions`: an account user sets a reaction on a message, or
//! removes it.

use actix_web::{HttpRequest, HttpResponse, web};
use serde_json::json;
use switchboard_actors::domain::chat::reaction::ReactionKind;
use switchboard_actors::domain::id::{ConversationId, MessageId};
use switchboard_actors::system::user_access::UserReaction;
use switchboard_actors::wire::json::{self as strict, object::Nulls};

use crate::extract::body;
use crate::extract::caller::AnyUser;
use crate::inbox::reply::{refused, replied};
use crate::openapi::{Operation, Schema, may, must};
use crate::reply::problem::Problem;
use crate::state::AppState;

pub(crate) async fn post(
    AnyUser(caller): AnyUser,
    ids: web::Path<(String, String)>,
    request: HttpRequest,
    payload: web::Payload,
    state: web::Data<AppState>,
) -> Result<HttpResponse, Problem> {
    let unknown =
        || Problem::NotFound("there is no such conversation, or no such message in it".to_owned());
    let (conversation, message) = ids.into_inner();
    let conversation: ConversationId = conversation.parse().map_err(|_not_an_id| unknown())?;
    let message = message.parse().map_err(|_not_an_id| unknown())?;
    let access = state.system().user_access(&caller).await?;
    let read = match body::read_json(&request, payload, state.body_limit()).await {
        Ok(body) => parse(&body, message),
        Err(problem) => Err(problem),
    };
    let reaction = match read {
        Ok(reaction) => reaction,
        Err(problem) => return Err(replied(&access, conversation, problem).await?),
    };
    let told = access
        .react(conversation, reaction)
        .await
        .map_err(refused)?;
    Ok(HttpResponse::Ok().json(ReactedView::of(message, told)))
}

view! {
    #[schemars(inline)]
    struct ReactedView(message: MessageId, callback: Option<MessageId>) {
        message_id: MessageId = message,
        /// The callback to the integration; null if none is sent.
        callback_id: Option<MessageId> = callback,
    }
}

fn parse(bytes: &[u8], message: MessageId) -> Result<UserReaction, Problem> {
    strict::read(bytes, Nulls::Refused, |body| {
        body.refuse_unknown(&["type", "emoji"]);
        let kind = body.required_choice("type", &ReactionKind::NAMES);
        let emoji = match kind {
            Some(ReactionKind::React) => body.required_parsed("emoji").map(Some),
            Some(ReactionKind::Unreact) | None => Some(body.optional_parsed("emoji")),
        };
        Some(UserReaction {
            message,
            kind: kind?,
            emoji: emoji?,
        })
    })
    .map_err(Problem::from)
}

pub(crate) fn describe() -> Operation {
    let body = Schema::object([
        must("type", Schema::choice(&ReactionKind::NAMES)),
        may(
            "emoji",
            Schema::text()
                .says("Needed with react; with unreact, whichever it is if it is left out."),
        ),
    ]);
    Operation::inbox("reactAsUser", "Set or remove a reaction of the caller.")
        .path("id", Schema::uuid())
        .path("message", Schema::uuid().says("Our id of the message."))
        .body(body, json!({ "type": "react", "emoji": "\u{1f44d}" }))
        .gives::<ReactedView>(200, "On disk, also when it was there already.")
        .refuses(403, "The caller may not edit the lead.")
        .refuses(
            404,
            "There is no such conversation that the caller may see, or no such message in it.",
        )
        .refuses(409, "The message has too many reactions.")
        .refuses(
            429,
            "Backpressure: too many callbacks are queued; nothing was written.",
        )
}
