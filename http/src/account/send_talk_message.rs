//! `POST /api/v4/talks/{id}/send_message`: a program writes to a talk as a bot. The 202 means: on disk and queued.

use actix_web::{HttpResponse, web};
use serde_json::json;
use switchboard_actors::domain::conversation::reply::ReplyRejection;
use switchboard_actors::domain::id::{LeadId, MessageId};
use switchboard_actors::domain::oauth::scope::OauthScope;
use switchboard_actors::system::user_access::AnswerRejection;
use switchboard_actors::wire::account_body::talks::{TalkText, parse_talk_message};

use crate::account::talk_messages::unknown;
use crate::extract::access::Access;
use crate::extract::numbered::Numbered;
use crate::inbox::reply::{idempotency_key, rejection};
use crate::openapi::{Operation, Schema};
use crate::reply::hal;
use crate::reply::problem::Problem;

pub(crate) async fn post(
    access: Access,
    Numbered(id): Numbered<LeadId>,
    payload: web::Payload,
) -> Result<HttpResponse, Problem> {
    access.needs(OauthScope::SendExternalMessages)?;
    let user = access.open().await?;
    user.lead(id).await?.ok_or_else(unknown)?;
    let key = idempotency_key(&access.request)?;
    let message = parse_talk_message(&access.read_json(payload).await?)?;
    let sent = user.send_talk_message(id, message, key).await;
    let replied = sent.map_err(|refused| refused.into_error(not_sent))?;
    Ok(hal::accepted(&TalkMessageSent::new(replied.id)))
}

fn not_sent(why: AnswerRejection) -> Problem {
    let unknown_talk = AnswerRejection::Reply(ReplyRejection::UnknownConversation);
    if why == unknown_talk {
        unknown()
    } else {
        rejection(why)
    }
}

view! {
    struct TalkMessageSent(id: MessageId) {
        /// Our id of the message.
        id: MessageId = id,
    }
}

pub(crate) fn describe() -> Operation {
    Operation::leads("sendTalkMessage", "Send a message to a talk as a bot.")
        .says("The writer is the OAuth client whose token it is. The message leaves through the channel like the answer of an account user. The time window of a channel does not hold for programs.")
        .path("id", Schema::number())
        .header(
            "Idempotency-Key",
            Schema::text().says("A request with the same key is the same message."),
        )
        .takes::<TalkText>(json!({ "text": "Your order is on its way." }))
        .gives_hal::<TalkMessageSent>(202, "On disk and queued.")
        .refuses(402, "The account has used up its quota of messages of bots.")
        .refuses(403, "The caller may not edit the lead, or, with the detail «Invalid scope», the OAuth client was not granted `send_external_messages`.")
        .refuses(404, "There is no such talk that the caller may see.")
        .refuses(409, "The account is not connected to the channel of the talk, or the Idempotency-Key was used for another message.")
        .refuses(422, "The talk is closed.")
}
