//! `POST /inbox/v1/conversations`: an account user writes first, to a phone number. The 201 means: on disk and queued.

use actix_web::{HttpRequest, HttpResponse, web};
use serde_json::json;
use switchboard_actors::System;
use switchboard_actors::domain::chat::outgoing::OutgoingContent;
use switchboard_actors::domain::id::IdempotencyKey;
use switchboard_actors::domain::violation::{Violation, ViolationCode, Violations};
use switchboard_actors::error::Refused;
use switchboard_actors::system::callbacks::CallbackView;
use switchboard_actors::system::inbox::{ConversationView, MessageView};
use switchboard_actors::system::user_access::{FirstMessage, FirstMessageRejection};
use switchboard_actors::wire::json::{self, object::Nulls};

use crate::base::Base;
use crate::extract::body;
use crate::extract::caller::AnyUser;
use crate::inbox::reply::idempotency_key_schema;
use crate::inbox::reply::{idempotency_key, rejected};
use crate::inbox::view::{Conversation, Message};
use crate::openapi::{Operation, Schema, may, must};
use crate::reply::problem::Problem;
use crate::state::AppState;

pub(crate) async fn post(
    AnyUser(caller): AnyUser,
    request: HttpRequest,
    payload: web::Payload,
    state: web::Data<AppState>,
    base: Base,
) -> Result<HttpResponse, Problem> {
    let access = state.system().user_access(&caller).await?;
    let key = idempotency_key(&request)?;
    let body = body::read_json(&request, payload, state.body_limit()).await?;
    let first = parse(&body, key)?;
    let started = access.start(first).await;
    let (conversation, replied) = started.map_err(refused)?;
    let message = MessageView::Out {
        replied,
        afterwards: Box::default(),
        callback: CallbackView::queued(),
    };
    let found = access.conversation(conversation).await?;
    Ok(HttpResponse::Created().json(Started::of(state.system(), found.as_ref(), &message, &base)))
}

view! {
    #[schemars(inline)]
    struct Started<'s>(system: &System, found: Option<&'s ConversationView>, message: &'s MessageView, base: &Base) {
        conversation: Option<Conversation<'s>> = found.map(|found| Conversation::of(system, found, base)),
        message: Message<'s> = Message::of(message, base),
    }
}

fn parse(bytes: &[u8], request: Option<IdempotencyKey>) -> Result<FirstMessage, Problem> {
    json::read(bytes, Nulls::Refused, |body| {
        body.refuse_unknown(&["scope_id", "phone", "name", "text"]);
        let scope = body.required_parsed("scope_id");
        let phone = body.required_parsed("phone");
        let name = body.optional_unless_empty("name");
        let text = body.required_parsed("text");
        Some(FirstMessage {
            scope: scope?,
            phone: phone?,
            name,
            content: OutgoingContent::Text { text: text? },
            request,
        })
    })
    .map_err(Problem::from)
}

fn refused(refused: Refused<FirstMessageRejection>) -> Problem {
    let wrong = |path: &str, rejection: &FirstMessageRejection| {
        Problem::Validation(Violations::from(Violation {
            path: path.to_owned(),
            code: ViolationCode::InvalidValue,
            detail: rejection.to_string(),
        }))
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
    let body = Schema::object([
        must(
            "scope_id",
            Schema::text().says("A connected scope of the account, with hook_api_version v2."),
        ),
        must(
            "phone",
            Schema::line(64)
                .says("One number; in any punctuation, and in digits of any script, it is the same person."),
        ),
        may("name", Schema::text().says("At most 255 characters.")),
        must("text", Schema::text().says("1 to 65,536 bytes.")),
    ]);
    let example = json!({
        "scope_id": "f90ba33d-c9d9-44da-b76c-c349b0ecbe41_af9945ff-1490-4cad-807d-945c15d88bec",
        "phone": "+7 915 111-22-33",
        "name": "Grace",
        "text": "Your tulips are here.",
    });
    Operation::inbox("writeFirst", "Start a conversation with a phone number.")
        .header("Idempotency-Key", idempotency_key_schema())
        .body(body, example)
        .gives::<Started<'_>>(201, "On disk, and queued for the integration.")
        .refuses_to_queue()
        .refuses(403, "The caller may not start conversations.")
        .refuses(
            404,
            "There is no such conversation that the caller may see.",
        )
}
