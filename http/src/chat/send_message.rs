//! `POST /v2/origin/custom/<scope_id>`: a message, or the new version of one. The 200 means: on disk.

mod body;

use actix_web::HttpResponse;
use serde::Serialize;
use switchboard_actors::domain::chat::edit::MessageEdit;
use switchboard_actors::domain::chat::message::PostedMessage;
use switchboard_actors::domain::conversation::edit::EditRejection;
use switchboard_actors::domain::conversation::react::ReactRejection;
use switchboard_actors::domain::id::{
    ClientMessageId, ConversationId, MessageId, PersonId, ScopeId,
};
use switchboard_actors::domain::violation::ViolationCode;
use switchboard_actors::error::CommandError;
use switchboard_actors::system::chat::{ConnectedScope, MessageRejection, SendRejection};
use switchboard_actors::wire::chat_body::send::{self, Posted};

use crate::chat::fields::scope_id;
use crate::chat::warnings::{Warning, warnings, warnings_schema};
use crate::extract::signed::SignedBody;
use crate::openapi::{Operation, Schema, may, must};
use crate::reply::chat_error::ChatError;
use crate::state::AppState;

/// The header that marks the answer to a repeated message; the body is the same as the first time.
const REPEATED: (&str, &str) = ("Idempotent-Replayed", "true");

#[derive(Serialize)]
struct Answer<'r> {
    new_message: NewMessage,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    warnings: Vec<Warning<'r>>,
}

/// All ids but `ref_id` are the service's; `receiver_id` is left out on customers' messages, as the known counterpart
/// does.
#[derive(Serialize)]
struct NewMessage {
    conversation_id: ConversationId,
    sender_id: PersonId,
    #[serde(skip_serializing_if = "Option::is_none")]
    receiver_id: Option<PersonId>,
    msgid: MessageId,
    #[serde(skip_serializing_if = "Option::is_none")]
    ref_id: Option<ClientMessageId>,
}

pub(super) async fn send_message(
    state: &AppState,
    scope: ScopeId,
    body: SignedBody,
) -> Result<HttpResponse, ChatError> {
    // The scope is asked for before the body: a disconnected scope is 404 whatever the body says.
    let scope = state.system().connected(scope).await?;
    let read = send::parse_leniently(body.bytes(), body.rules(), state.now())?;
    let (new_message, repeated) = match read.value {
        Posted::Message(message) => accept(state, scope, message, &body).await?,
        Posted::Edit(edit) => (change(state, scope, *edit, &body).await?, false),
    };
    let mut response = HttpResponse::Ok();
    if repeated {
        response.insert_header(REPEATED);
    }
    let warnings = warnings(&read.left_out);
    Ok(response.json(Answer {
        new_message,
        warnings,
    }))
}

/// The message that is stored now, and whether it was before.
async fn accept(
    state: &AppState,
    scope: ConnectedScope,
    message: Box<PostedMessage>,
    body: &SignedBody,
) -> Result<(NewMessage, bool), ChatError> {
    let ref_id = message.msgid.clone();
    let receipt = state
        .system()
        .send_message(scope, message, body.bytes().clone())
        .await
        .map_err(refused)?;
    let new_message = NewMessage {
        conversation_id: receipt.conversation,
        sender_id: receipt.sender,
        receiver_id: receipt.receiver,
        msgid: receipt.message,
        ref_id: Some(ref_id),
    };
    Ok((new_message, receipt.repeated))
}

async fn change(
    state: &AppState,
    scope: ConnectedScope,
    edit: MessageEdit,
    body: &SignedBody,
) -> Result<NewMessage, ChatError> {
    let receipt = state
        .system()
        .edit(scope, edit, body.bytes().clone())
        .await
        .map_err(not_changed)?;
    Ok(NewMessage {
        conversation_id: receipt.conversation,
        sender_id: receipt.sender,
        receiver_id: receipt.receiver,
        msgid: receipt.message,
        ref_id: receipt.msgid,
    })
}

fn refused(refused: CommandError<SendRejection>) -> ChatError {
    use ViolationCode::{FieldMissing, InvalidValue};
    let rejection = match refused {
        CommandError::Rejected(rejection) => rejection,
        CommandError::Unavailable(unavailable) => return unavailable.into(),
    };
    let (path, code) = match rejection {
        SendRejection::AlreadyExists => return ChatError::MessageExists,
        SendRejection::Quota(reached) => return ChatError::QuotaReached(reached),
        SendRejection::UnknownConversation => ("payload.conversation_ref_id", InvalidValue),
        SendRejection::UnknownSender => ("payload.sender.ref_id", InvalidValue),
        SendRejection::CustomersId | SendRejection::OwnReceiver => {
            ("payload.sender.id", InvalidValue)
        }
        SendRejection::ReceiverOfCustomer => ("payload.receiver", InvalidValue),
        SendRejection::UnknownReceiver => ("payload.receiver.ref_id", InvalidValue),
        SendRejection::ReceiverMissing => ("payload.receiver", FieldMissing),
        SendRejection::NamelessSender => ("payload.sender.name", FieldMissing),
        SendRejection::NamelessReceiver => ("payload.receiver.name", FieldMissing),
    };
    ChatError::field(path, code, &rejection)
}

/// The answer to a refused change of a message.
pub(super) fn not_changed(refused: CommandError<MessageRejection>) -> ChatError {
    use ViolationCode::InvalidValue;
    let rejection = match refused {
        CommandError::Rejected(rejection) => rejection,
        CommandError::Unavailable(unavailable) => return unavailable.into(),
    };
    match rejection {
        MessageRejection::ConversationNotFound => ChatError::ConversationNotFound { hint: None },
        MessageRejection::MessageNotFound
        | MessageRejection::Edit(EditRejection::MessageNotFound)
        | MessageRejection::React(ReactRejection::MessageNotFound) => {
            ChatError::MessageNotFound { hint: None }
        }
        MessageRejection::Edit(EditRejection::AlreadyExists) => ChatError::MessageExists,
        MessageRejection::Edit(EditRejection::NotOfAUser) => {
            ChatError::field("payload.message.delivery_status", InvalidValue, &rejection)
        }
        MessageRejection::UnknownPerson => {
            ChatError::field("user.ref_id", InvalidValue, &rejection)
        }
        MessageRejection::React(ReactRejection::Full) => {
            ChatError::field("emoji", InvalidValue, &rejection)
        }
    }
}

pub(super) fn describe() -> Operation {
    let new_message = Schema::object([
        must("conversation_id", Schema::uuid()),
        must("sender_id", Schema::uuid()),
        may(
            "receiver_id",
            Schema::uuid().says("Of an outgoing message only."),
        ),
        must("msgid", Schema::uuid().says("Our id of the message.")),
        may("ref_id", Schema::text().says("The integration's msgid.")),
    ]);
    let answer = Schema::object([must("new_message", new_message), warnings_schema()]);
    Operation::chat("sendMessage",
        "Send or edit a message.",
    )
    .says(
        "Retrying is safe: the same msgid in the same conversation is answered as the first time and changes nothing, if \
         sender, receiver and `message` are the same; times, `silent`, names and profiles may differ. Unless `silent`, \
         the first message of a conversation opens a lead.",
    )
    .path("scope_id", scope_id())
    .body(body::event(), body::example())
    .answers(200, "On disk. All ids but ref_id are ours.", answer)
    .with_header(200, "Idempotent-Replayed", "`true` when the message was there already.")
    .refuses(409, "The msgid is that of another message: its sender, receiver or `message` is another.")
}
