//! `POST /inbox/v1/conversations/{id}/messages/{message}/reactions`: an account user sets a reaction on a message, or
//! removes it.

use actix_web::{HttpResponse, web};
use serde_json::json;
use switchboard_actors::domain::chat::reaction::ReactionKind;
use switchboard_actors::domain::id::{ConversationId, MessageId};
use switchboard_actors::domain::text::Emoji;
use switchboard_actors::system::user_access::UserReaction;
use switchboard_actors::wire::body;
use switchboard_actors::wire::json::object::ObjectReader;

use crate::extract::access::Access;
use crate::inbox::reply::{refused, visible};
use crate::openapi::{Operation, Schema};
use crate::reply::problem::Problem;

pub(crate) async fn post(
    access: Access,
    ids: web::Path<(String, String)>,
    payload: web::Payload,
) -> Result<HttpResponse, Problem> {
    let unknown =
        || Problem::NotFound("there is no such conversation, or no such message in it".to_owned());
    let (conversation, message) = ids.into_inner();
    let conversation: ConversationId = conversation.parse().map_err(|_not_an_id| unknown())?;
    let message = message.parse().map_err(|_not_an_id| unknown())?;
    let user = access.open().await?;
    let parsed = access.json(payload).await;
    let ReactionBody { kind, emoji } = visible(&user, conversation, parsed).await?;
    let reaction = UserReaction {
        message,
        kind,
        emoji,
    };
    let callback = user.react(conversation, reaction).await.map_err(refused)?;
    Ok(HttpResponse::Ok().json(ReactedView::new(message, callback)))
}

view! {
    #[schemars(inline)]
    struct ReactedView(message: MessageId, callback: Option<MessageId>) {
        message_id: MessageId = message,
        /// The callback to the integration; null if none is sent.
        callback_id: Option<MessageId> = callback,
    }
}

body!(
    #[body(check(check_emoji(kind)))]
    struct ReactionBody {
        #[body(key("type"))]
        kind: ReactionKind,
        /// Needed with react; with unreact, whichever it is if it is left out.
        emoji: Option<Emoji>,
    }
);

fn check_emoji(body: &ObjectReader<'_, '_>, kind: &Option<ReactionKind>) {
    if *kind == Some(ReactionKind::React) {
        body.required("emoji");
    }
}

pub(crate) fn describe() -> Operation {
    Operation::inbox("reactAsUser", "Set or remove a reaction of the caller.")
        .path("id", Schema::uuid())
        .path("message", Schema::uuid().says("Our id of the message."))
        .takes::<ReactionBody>(json!({ "type": "react", "emoji": "\u{1f44d}" }))
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
