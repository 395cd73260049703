//! `POST /v2/origin/custom/<scope_id>`: a customer's message. The 200 means: on disk.

use actix_web::HttpResponse;
use serde::Serialize;
use switchboard_actors::domain::id::{
    ClientMessageId, ConversationId, MessageId, PersonId, ScopeId,
};
use switchboard_actors::domain::violation::{Violation, ViolationCode, Violations};
use switchboard_actors::error::Refused;
use switchboard_actors::system::chat::SendRejection;
use switchboard_actors::wire::chat_body::{self, Rules};

use crate::http::extract::signed::SignedBody;
use crate::http::reply::chat_error::ChatError;
use crate::http::state::AppState;

/// Tells who repeats a message that it was there; the body is the same as the first time.
const REPEATED: (&str, &str) = ("Idempotent-Replayed", "true");

#[derive(Serialize)]
struct Answer {
    new_message: NewMessage,
}

/// All ids but `ref_id` are the service's; `receiver_id` is left out on customers' messages, as the known counterpart
/// does.
#[derive(Serialize)]
struct NewMessage {
    conversation_id: ConversationId,
    sender_id: PersonId,
    msgid: MessageId,
    ref_id: ClientMessageId,
}

pub(super) async fn send_message(
    state: &AppState,
    scope: &ScopeId,
    body: SignedBody,
) -> Result<HttpResponse, ChatError> {
    // The scope is asked for before the body: a disconnected scope is 404 whatever the body says.
    if !state.system().is_connected(scope).await? {
        return Err(ChatError::NotRegistered);
    }
    let message = chat_body::send::parse(body.bytes(), Rules::V2019, state.now())?;
    let ref_id = message.msgid.clone();
    let accepted = state
        .system()
        .receive(scope, message, body.bytes().clone())
        .await
        .map_err(refused)?;
    let mut response = HttpResponse::Ok();
    if accepted.repeated {
        response.insert_header(REPEATED);
    }
    Ok(response.json(Answer {
        new_message: NewMessage {
            conversation_id: accepted.conversation,
            sender_id: accepted.sender,
            msgid: accepted.message,
            ref_id,
        },
    }))
}

fn refused(refused: Refused<SendRejection>) -> ChatError {
    match refused {
        Refused::Rejected(SendRejection::NotConnected) => ChatError::NotRegistered,
        Refused::Rejected(SendRejection::AlreadyExists) => ChatError::MessageExists,
        Refused::Rejected(rejection @ SendRejection::UnknownConversation) => {
            invalid("payload.conversation_ref_id", &rejection)
        }
        Refused::Rejected(rejection @ SendRejection::UnknownSender) => {
            invalid("payload.sender.ref_id", &rejection)
        }
        Refused::Unavailable(unavailable) => unavailable.into(),
    }
}

fn invalid(path: &str, rejection: &SendRejection) -> ChatError {
    ChatError::Invalid(Violations::from(Violation {
        path: path.to_owned(),
        code: ViolationCode::InvalidValue,
        detail: rejection.to_string(),
    }))
}
