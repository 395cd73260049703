//! `POST /inbox/v1/conversations`: an account user writes first, to a phone number. The 201 means: on disk and queued.

use actix_web::{HttpResponse, web};
use serde_json::json;
use switchboard_actors::System;
use switchboard_actors::domain::chat::outgoing::OutgoingContent;
use switchboard_actors::domain::id::ScopeId;
use switchboard_actors::domain::text::{MessageText, Phone};
use switchboard_actors::domain::violation::ViolationCode;
use switchboard_actors::error::CommandError;
use switchboard_actors::system::callbacks::CallbackView;
use switchboard_actors::system::inbox::{ConversationView, MessageView};
use switchboard_actors::system::user_access::{FirstMessage, FirstMessageRejection};
use switchboard_actors::wire::body;
use switchboard_actors::wire::body::Body;

use crate::base::Base;
use crate::extract::access::Access;
use crate::inbox::place::NO_CONVERSATION;
use crate::inbox::reply::idempotency_key_schema;
use crate::inbox::reply::{idempotency_key, rejected};
use crate::inbox::view::{Conversation, Message};
use crate::openapi::Operation;
use crate::reply::problem::Problem;

pub(crate) async fn post(access: Access, payload: web::Payload) -> Result<HttpResponse, Problem> {
    let user = access.open().await?;
    let key = idempotency_key(&access.request)?;
    let bytes = access.read_json(payload).await?;
    let first = FirstBody::read_as(&bytes, |object, body| {
        Some(FirstMessage {
            scope: body.scope_id,
            phone: body.phone,
            name: object.optional_unless_empty("name"),
            content: OutgoingContent::Text { text: body.text },
            request: key,
        })
    })?;
    let result = user.start_conversation(first).await;
    let (conversation, replied) = result.map_err(refused)?;
    let message = MessageView::Out {
        replied,
        afterwards: Box::default(),
        callback: CallbackView::queued(),
    };
    let view = user.conversation(conversation).await?;
    Ok(HttpResponse::Created().json(Started::new(
        access.system(),
        view.as_ref(),
        &message,
        &access.base,
    )))
}

view! {
    #[schemars(inline)]
    struct Started<'s>(system: &System, found: Option<&'s ConversationView>, message: &'s MessageView, base: &Base) {
        conversation: Option<Conversation<'s>> = found.map(|found| Conversation::new(system, found, base)),
        message: Message<'s> = Message::new(message, base),
    }
}

body!(
    struct FirstBody {
        /// A connected scope of the account, with hook_api_version v2.
        scope_id: ScopeId,
        /// One number; in any punctuation, and in digits of any script, it is the same person.
        phone: Phone,
        /// At most 255 characters.
        name: Option<String>,
        /// 1 to 65,536 bytes.
        text: MessageText,
    }
);

fn refused(refused: CommandError<FirstMessageRejection>) -> Problem {
    let wrong = |path, rejection: &FirstMessageRejection| {
        Problem::field(path, ViolationCode::InvalidValue, rejection)
    };
    refused.into_error(|rejection| match rejection {
        FirstMessageRejection::UnknownScope => wrong("scope_id", &rejection),
        FirstMessageRejection::NoDigits | FirstMessageRejection::SeveralNumbers => {
            wrong("phone", &rejection)
        }
        FirstMessageRejection::Denied => Problem::Forbidden(rejection.to_string()),
        FirstMessageRejection::TooMuchQueued(refusal) => refusal.into(),
        FirstMessageRejection::Quota(reached) => reached.into(),
        FirstMessageRejection::Reply(rejection) => rejected(rejection),
    })
}

pub(crate) fn describe() -> Operation {
    let example = json!({
        "scope_id": "f90ba33d-c9d9-44da-b76c-c349b0ecbe41_af9945ff-1490-4cad-807d-945c15d88bec",
        "phone": "+7 915 111-22-33",
        "name": "Grace",
        "text": "Your tulips are here.",
    });
    Operation::inbox(
        "startConversation",
        "Start a conversation with a phone number.",
    )
    .header("Idempotency-Key", idempotency_key_schema())
    .takes::<FirstBody>(example)
    .gives::<Started<'_>>(201, "On disk, and queued for the integration.")
    .refuses_to_queue()
    .refuses(403, "The caller may not start conversations.")
    .refuses(404, NO_CONVERSATION)
}
