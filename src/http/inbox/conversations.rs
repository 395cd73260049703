//! `GET /inbox/v1/conversations` and `GET /inbox/v1/conversations/{id}`: newest activity first.
//!
//! `state` is `all`, `mine`, `unread` or `failed`; `query` is looked for in the customer's name, phone number and e-mail
//! address, in the ids of conversation and customer, and in what was said. A conversation that was found by what was
//! said has the newest such message as `found`. A page may be short, even empty, and still have a `next`.

use actix_web::{HttpRequest, HttpResponse, web};
use serde_json::{Value, json};
use switchboard_actors::System;
use switchboard_actors::domain::text::search::Search;
use switchboard_actors::system::desk::{Among, FoundConversation, Wanted};
use switchboard_actors::system::inbox::ConversationCursor;

use crate::http::extract::caller::AnyUser;
use crate::http::extract::query::Query;
use crate::http::inbox::view;
use crate::http::openapi::{Asker, Operation, Schema, Tag, must};
use crate::http::reply::problem::Problem;
use crate::http::state::AppState;

pub(crate) async fn list(
    AnyUser(caller): AnyUser,
    request: HttpRequest,
    state: web::Data<AppState>,
) -> Result<HttpResponse, Problem> {
    let query = Query::of(&request)?;
    let limit = usize::try_from(query.limit()?).unwrap_or(1);
    let after = match query.text("cursor") {
        None => None,
        Some(text) => Some(ConversationCursor::from_text(text).ok_or_else(|| {
            Problem::BadRequest(
                "cursor must be the «next» of an earlier page of this list".to_owned(),
            )
        })?),
    };
    let wanted = wanted(&query)?;
    let desk = state.system().desk(&caller).await?;
    let page = desk.conversations(&wanted, after.as_ref(), limit).await?;
    let conversations: Vec<_> = page
        .entries
        .iter()
        .map(|entry| found(state.system(), entry))
        .collect();
    let next = page.next.map(|cursor| cursor.to_text());
    Ok(HttpResponse::Ok().json(json!({ "conversations": conversations, "next": next })))
}

pub(crate) async fn get(
    AnyUser(caller): AnyUser,
    id: web::Path<String>,
    state: web::Data<AppState>,
) -> Result<HttpResponse, Problem> {
    let unknown = || Problem::NotFound("there is no such conversation".to_owned());
    let id = id.parse().map_err(|_not_an_id| unknown())?;
    let desk = state.system().desk(&caller).await?;
    let found = desk.conversation(id).await?.ok_or_else(unknown)?;
    Ok(HttpResponse::Ok().json(view::conversation(state.system(), &found)))
}

fn wanted(query: &Query) -> Result<Wanted, Problem> {
    let among = match query.text("state") {
        None | Some("" | "all") => Among::All,
        Some("mine") => Among::Mine,
        Some("unread") => Among::Unread,
        Some("failed") => Among::Failed,
        Some(other) => {
            let expected = "state must be all, mine, unread or failed";
            return Err(Problem::BadRequest(format!("{expected}, got «{other}»")));
        }
    };
    let search = Search::parse(query.text("query").unwrap_or_default());
    let search = search.map_err(|why| Problem::BadRequest(format!("query: {why}")))?;
    Ok(Wanted { among, search })
}

fn found(system: &System, entry: &FoundConversation) -> Value {
    let mut conversation = view::conversation(system, &entry.view);
    if let (Some(message), Some(conversation)) = (&entry.message, conversation.as_object_mut()) {
        conversation.insert("found".to_owned(), view::message(message));
    }
    conversation
}

pub(crate) fn describe_list() -> Operation {
    let list = Schema::object([
        must("conversations", Schema::list(view::found_schema())),
        must("next", Schema::text().or_null()),
    ]);
    let query = Schema::text().says(
        "Looked for in the customer's name, phone number and e-mail address, in the ids of conversation and customer, and \
         in what was said; at most 100 characters.",
    );
    let summary = "Lists the conversations that the caller may see, newest activity first.";
    Operation::new(Tag::Inbox, Asker::User, "listConversations", summary)
        .query(
            "state",
            Schema::words(["all", "mine", "unread", "failed"]).default_is("all"),
        )
        .query("query", query)
        .cursor()
        .answers(
            200,
            "A page. It may be short, even empty, while `next` is there.",
            list,
        )
}

pub(crate) fn describe_get() -> Operation {
    Operation::new(
        Tag::Inbox,
        Asker::User,
        "getConversation",
        "Tells one conversation.",
    )
    .path("id", Schema::uuid())
    .answers(200, "The conversation.", view::conversation_schema())
    .refuses(
        404,
        "There is no such conversation that the caller may see.",
    )
}
