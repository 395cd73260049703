//! `POST /v2/origin/custom/<scope_id>/chats`: a conversation before its first message.

use actix_web::HttpResponse;
use serde_json::json;
use switchboard_actors::domain::id::{ClientPersonId, ConversationId, PersonId, ScopeId};
use switchboard_actors::domain::person::Sender;
use switchboard_actors::domain::text::email::Email;
use switchboard_actors::domain::text::url::HttpUrl;
use switchboard_actors::domain::text::{Name, Phone};
use switchboard_actors::domain::violation::{ViolationCode, Violations};
use switchboard_actors::error::CommandError;
use switchboard_actors::system::chat::{ChatRejection, ChatRequest};
use switchboard_actors::wire::chat_body;
use switchboard_actors::wire::json::LenientRead;

use crate::chat::fields::{person, scope_id, source};
use crate::chat::warnings::{Warning, warnings};
use crate::extract::signed::SignedBody;
use crate::openapi::{Operation, Schema, Url, may, must};
use crate::reply::chat_error::ChatError;
use crate::state::AppState;

view! {
    // The flat form, the one that clients read; what was not given is left out.
    #[schemars(inline)]
    struct Chat<'a>(id: ConversationId, user: PersonId, said: &'a Sender, left_out: &'a Violations) {
        /// Our id of the conversation.
        id: ConversationId = id,
        user: User<'a> = User::new(user, said),
        /// Optional details that the service left out or shortened because of their form.
        warnings ?: Vec<Warning<'a>> = (!left_out.is_empty()).then(|| warnings(left_out)),
    }

    #[schemars(inline)]
    struct User<'a>(id: PersonId, said: &'a Sender) {
        /// Our id of the person.
        id: PersonId = id,
        client_id ?: &'a ClientPersonId = said.id.as_ref(),
        name ?: &'a Name = said.name.as_ref(),
        avatar ?: Url<&'a HttpUrl> = said.avatar.as_ref().map(Url),
        phone ?: &'a Phone = said.profile.phone.as_ref(),
        email ?: &'a Email = said.profile.email.as_ref(),
    }
}

pub(super) async fn open_chat(
    state: &AppState,
    scope: ScopeId,
    body: SignedBody,
) -> Result<HttpResponse, ChatError> {
    let scope = state.system().connected(scope).await?;
    let LenientRead {
        value: body,
        left_out,
    } = chat_body::chats::parse_leniently(body.bytes())?;
    let person = body.user.clone();
    let request = ChatRequest {
        conversation_id: body.conversation_id,
        source: body.source,
        user: body.user,
    };
    let chat = state
        .system()
        .open_chat(scope, request)
        .await
        .map_err(refused)?;
    Ok(HttpResponse::Ok().json(Chat::new(
        chat.conversation,
        chat.person,
        &person,
        &left_out,
    )))
}

fn refused(refused: CommandError<ChatRejection>) -> ChatError {
    use ViolationCode::{FieldMissing, InvalidValue};
    let rejection = match refused {
        CommandError::Rejected(rejection) => rejection,
        CommandError::Unavailable(unavailable) => return unavailable.into(),
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
    let example = json!({ "conversation_id": "c-ada", "user": { "id": "u-ada", "name": "Ada" } });
    Operation::current_chat(
        "openChat",
        "Create or find a conversation before its first message.",
    )
    .path("scope_id", scope_id())
    .body(body, example)
    .gives::<Chat<'_>>(200, "The conversation.")
}
