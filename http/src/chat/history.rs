//! `GET /v2/origin/custom/<scope_id>/chats/<conversation_id>/history`: messages of a conversation, newest first; 204 when
//! there are none.

mod shape;

use actix_http::Request;
use actix_web::HttpResponse;
use switchboard_actors::domain::id::{ConversationId, ScopeId};
use switchboard_actors::domain::violation::{Violation, ViolationCode, Violations};
use switchboard_actors::system::chat::HISTORY_MAX;

use crate::base::Base;
use crate::chat::fields::scope_id;
use crate::chat::history::shape::HistoryEntry;
use crate::openapi::{Operation, Schema};
use crate::reply::chat_error::ChatError;
use crate::state::AppState;

fields! {
    #[schemars(inline)]
    struct History {
        messages: Vec<HistoryEntry>,
    }
}

pub(super) async fn history(
    request: &Request,
    state: &AppState,
    scope: ScopeId,
    conversation: ConversationId,
) -> Result<HttpResponse, ChatError> {
    let scope = state.system().connected(scope).await?;
    let (offset, limit) = page(request)?;
    let views = state
        .system()
        .history(scope, conversation, offset, limit)
        .await?;
    let base = Base::for_request(request.head(), state);
    let messages: Vec<HistoryEntry> = views
        .iter()
        .flatten()
        .map(|view| HistoryEntry::new(view, &base))
        .collect();
    if messages.is_empty() {
        return Ok(HttpResponse::NoContent().finish());
    }
    Ok(HttpResponse::Ok().json(History { messages }))
}

/// `offset` and `limit`; a limit above the size of a page gives one page. Other parameters are ignored.
fn page(request: &Request) -> Result<(u64, u64), ChatError> {
    let (mut offset, mut limit) = (0, HISTORY_MAX);
    let mut wrong = Violations::default();
    for (name, value) in
        url::form_urlencoded::parse(request.uri().query().unwrap_or_default().as_bytes())
    {
        let (place, least) = match name.as_ref() {
            "offset" => (&mut offset, 0),
            "limit" => (&mut limit, 1),
            _ => continue,
        };
        let digits = !value.is_empty() && value.bytes().all(|byte| byte.is_ascii_digit());
        match value.parse() {
            Ok(number) if digits && number >= least => *place = number,
            Ok(_) | Err(_) => wrong.push(Violation {
                path: name.into_owned(),
                code: ViolationCode::InvalidValue,
                detail: format!("expected a whole number from {least}"),
            }),
        }
    }
    if wrong.is_empty() {
        Ok((offset, limit))
    } else {
        Err(ChatError::Invalid(wrong))
    }
}

pub(super) fn describe() -> Operation {
    let conversation = Schema::uuid().says("Our id of the conversation.");
    let offset = Schema::from(0)
        .default_is(0)
        .says("How many of the newest are passed over.");
    let limit = Schema::from(1)
        .default_is(HISTORY_MAX)
        .says("The page size; values above 50 mean 50.");
    Operation::current_chat(
        "getHistory",
        "List the messages of a conversation for the integration.",
    )
    .says("Newest first.")
    .path("scope_id", scope_id())
    .path("conversation_id", conversation)
    .query("offset", offset)
    .query("limit", limit)
    .gives::<History>(200, "The messages.")
    .answers_nothing(204, "There are none.")
}
