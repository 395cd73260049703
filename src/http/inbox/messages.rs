//! `GET /inbox/v1/conversations/{id}/messages`: newest first, `before` a message.

use actix_web::{HttpRequest, HttpResponse, web};
use serde_json::{Value, json};

use crate::http::extract::caller::AnyUser;
use crate::http::extract::query::Query;
use crate::http::inbox::view;
use crate::http::openapi::{Asker, Operation, Schema, Tag, must};
use crate::http::reply::problem::Problem;
use crate::http::state::AppState;

pub(crate) async fn list(
    AnyUser(caller): AnyUser,
    id: web::Path<String>,
    request: HttpRequest,
    state: web::Data<AppState>,
) -> Result<HttpResponse, Problem> {
    let query = Query::of(&request)?;
    let limit = usize::try_from(query.limit()?).unwrap_or(1);
    let before = query.parsed("before")?;
    let unknown =
        || Problem::NotFound("there is no such conversation, or no such message in it".to_owned());
    let id = id.parse().map_err(|_not_an_id| unknown())?;
    let desk = state.system().desk(&caller).await?;
    let page = desk.messages(id, before, limit).await?;
    let page = page.ok_or_else(unknown)?;
    let messages: Vec<Value> = page.entries.iter().map(view::message).collect();
    Ok(HttpResponse::Ok().json(json!({ "messages": messages, "next": page.next })))
}

pub(crate) fn describe() -> Operation {
    let list = Schema::object([
        must("messages", Schema::list(view::message_schema())),
        must("next", Schema::uuid().or_null()),
    ]);
    let summary = "Lists the messages of a conversation, newest first.";
    Operation::new(Tag::Inbox, Asker::User, "listMessages", summary)
        .path("id", Schema::uuid())
        .query(
            "before",
            Schema::uuid().says("The `next` of the page before: our id of a message."),
        )
        .limit()
        .answers(200, "A page.", list)
        .refuses(
            404,
            "There is no such conversation that the caller may see, or no such message in it.",
        )
}
