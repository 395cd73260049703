//! `GET /inbox/v1/conversations` and `GET /inbox/v1/conversations/{id}`: newest activity first.

use actix_web::{HttpRequest, HttpResponse, web};
use serde_json::json;
use switchboard_actors::system::inbox::ConversationCursor;

use crate::http::extract::caller::AnyUser;
use crate::http::extract::query::Query;
use crate::http::inbox::view;
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
    let desk = state.system().desk(&caller).await?;
    let page = desk.conversations(after.as_ref(), limit).await?;
    let conversations: Vec<_> = page
        .entries
        .iter()
        .map(|entry| view::conversation(state.system(), entry))
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
