//! `POST /inbox/v1/conversations/{id}/unread` and `POST …/dismiss-failures`: an account user marks a conversation.

use actix_web::{HttpResponse, web};

use crate::http::extract::caller::AnyUser;
use crate::http::inbox::reply::refused;
use crate::http::openapi::{Operation, Schema};
use crate::http::reply::problem::Problem;
use crate::http::state::AppState;

pub(crate) async fn unread(
    AnyUser(caller): AnyUser,
    id: web::Path<String>,
    state: web::Data<AppState>,
) -> Result<HttpResponse, Problem> {
    let id = id.parse().map_err(|_not_an_id| unknown())?;
    let access = state.system().user_access(&caller).await?;
    if access.mark_unread(id).await? {
        Ok(HttpResponse::NoContent().finish())
    } else {
        Err(unknown())
    }
}

pub(crate) async fn dismiss_failures(
    AnyUser(caller): AnyUser,
    id: web::Path<String>,
    state: web::Data<AppState>,
) -> Result<HttpResponse, Problem> {
    let id = id.parse().map_err(|_not_an_id| unknown())?;
    let access = state.system().user_access(&caller).await?;
    access.dismiss_failures(id).await.map_err(refused)?;
    Ok(HttpResponse::NoContent().finish())
}

fn unknown() -> Problem {
    Problem::NotFound("there is no such conversation".to_owned())
}

pub(crate) fn describe_unread() -> Operation {
    Operation::inbox("markUnread", "Mark a conversation as unread.")
        .says("It counts as unread for all users until one of them reads it.")
        .path("id", Schema::uuid())
        .answers_nothing(204, "On disk.")
        .refuses(
            404,
            "There is no such conversation that the caller may see.",
        )
}

pub(crate) fn describe_dismiss_failures() -> Operation {
    Operation::inbox(
        "dismissFailures",
        "Dismiss the failed messages of a conversation.",
    )
    .says("The conversation no longer counts as failed; the states of its messages stay. A later failure counts again.")
    .path("id", Schema::uuid())
    .answers_nothing(204, "On disk.")
    .refuses(403, "The caller may not edit the lead.")
    .refuses(
        404,
        "There is no such conversation that the caller may see.",
    )
}
