//! `POST /v2/origin/custom/<scope_id>/chats`: a conversation before its first message.

use actix_web::HttpResponse;
use serde::Serialize;
use serde_json::json;
use switchboard_actors::domain::chat::person::Sender;
use switchboard_actors::domain::id::{ClientPersonId, ConversationId, PersonId, ScopeId};
use switchboard_actors::domain::text::email::Email;
use switchboard_actors::domain::text::url::HttpUrl;
use switchboard_actors::domain::text::{Name, Phone};
use switchboard_actors::domain::violation::ViolationCode;
use switchboard_actors::error::Refused;
use switchboard_actors::system::chat::{ChatRejection, ChatRequest};
use switchboard_actors::wire::chat_body;

use crate::http::chat::fields::{person, scope_id, source};
use crate::http::extract::signed::SignedBody;
use crate::http::openapi::{Asker, Operation, Schema, Tag, may, must};
use crate::http::reply::chat_error::ChatError;
use crate::http::state::AppState;

/// The flat form, the one that clients read; what was not given is left out.
#[derive(Serialize)]
struct Chat<'a> {
    id: ConversationId,
    user: User<'a>,
}

#[derive(Serialize)]
struct User<'a> {
    id: PersonId,
    #[serde(skip_serializing_if = "Option::is_none")]
    client_id: Option<&'a ClientPersonId>,
    #[serde(skip_serializing_if = "Option::is_none")]
    name: Option<&'a Name>,
    #[serde(skip_serializing_if = "Option::is_none")]
    avatar: Option<&'a HttpUrl>,
    #[serde(skip_serializing_if = "Option::is_none")]
    phone: Option<&'a Phone>,
    #[serde(skip_serializing_if = "Option::is_none")]
    email: Option<&'a Email>,
}

impl<'a> User<'a> {
    fn of(id: PersonId, said: &'a Sender) -> Self {
        Self {
            id,
            client_id: said.id.as_ref(),
            name: said.name.as_ref(),
            avatar: said.avatar.as_ref(),
            phone: said.profile.phone.as_ref(),
            email: said.profile.email.as_ref(),
        }
    }
}

pub(super) async fn chats(
    state: &AppState,
    scope: &ScopeId,
    body: SignedBody,
) -> Result<HttpResponse, ChatError> {
    let scope = state.system().connected(scope).await?;
    let body = chat_body::chats::parse(body.bytes())?;
    let said = body.user.clone();
    let request = ChatRequest {
        conversation_id: body.conversation_id,
        source: body.source,
        user: body.user,
    };
    let opened = state
        .system()
        .open_chat(scope, request)
        .await
        .map_err(refused)?;
    Ok(HttpResponse::Ok().json(Chat {
        id: opened.conversation,
        user: User::of(opened.person, &said),
    }))
}

fn refused(refused: Refused<ChatRejection>) -> ChatError {
    use ViolationCode::{FieldMissing, InvalidValue};
    let rejection = match refused {
        Refused::Rejected(rejection) => rejection,
        Refused::Unavailable(unavailable) => return unavailable.into(),
    };
    let (path, code) = match rejection {
        ChatRejection::UnknownUser => ("user.ref_id", InvalidValue),
        ChatRejection::CustomersId => ("user.id", InvalidValue),
        ChatRejection::Nameless => ("user.name", FieldMissing),
        ChatRejection::OfAnotherScope(_) => ("conversation_id", InvalidValue),
    };
    ChatError::field(path, code, &rejection)
}

pub(super) fn describe() -> Operation {
    let body = Schema::object([
        must("conversation_id", Schema::line(255)),
        may("source", source()),
        must("user", person()),
    ])
    .open();
    let user = Schema::object([
        must("id", Schema::uuid().says("Our id of the person.")),
        may("client_id", Schema::text()),
        may("name", Schema::text()),
        may("avatar", Schema::url()),
        may("phone", Schema::text()),
        may("email", Schema::text()),
    ]);
    let answer = Schema::object([
        must("id", Schema::uuid().says("Our id of the conversation.")),
        must("user", user),
    ]);
    let example = json!({ "conversation_id": "c-ada", "user": { "id": "u-ada", "name": "Ada" } });
    Operation::new(
        Tag::Chat,
        Asker::CurrentIntegration,
        "openChat",
        "Makes a conversation before its first message, or finds it.",
    )
    .path("scope_id", scope_id())
    .body(body, example)
    .answers(200, "The conversation.", answer)
}
