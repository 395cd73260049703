//! `GET /api/v4/users`: the users of the caller's account, by number.

use std::sync::Arc;

use actix_web::{HttpRequest, HttpResponse, web};
use switchboard_actors::domain::account::user::User;

use crate::http::base::Base;
use crate::http::extract::caller::Administrator;
use crate::http::extract::query::Query;
use crate::http::openapi::Operation;
use crate::http::reply::hal::{self, Collection};
use crate::http::reply::problem::Problem;
use crate::http::state::AppState;
use crate::http::users::PATH;
use crate::http::users::view::with_schema;
use crate::http::users::view::{UserView, With};

pub(crate) async fn list(
    Administrator(caller): Administrator,
    request: HttpRequest,
    state: web::Data<AppState>,
    base: Base,
) -> Result<HttpResponse, Problem> {
    let query = Query::of(&request)?;
    let with = With::of(&query);
    let users = state.system().users(caller.account).await?;
    let collection = Collection::of(&query, users.count())?;
    let shown: Vec<&Arc<User>> = users
        .iter_from(collection.skip())
        .take(collection.limit())
        .collect();
    let mut extras = with
        .extras(&state, caller.account, &shown)
        .await?
        .into_iter();
    let views: Vec<UserView<'_>> = shown
        .iter()
        .map(|user| UserView::of(&base, &users, user, &with, extras.next()))
        .collect();
    let links = collection.links(&base, PATH, request.query_string());
    Ok(hal::collection(&collection, &links, "users", &views))
}

pub(crate) fn describe() -> Operation {
    Operation::users("listUsers", "List the users of the caller's account.")
        .pages()
        .query("with", with_schema())
        .answers_collection::<UserView<'_>>("users")
}
