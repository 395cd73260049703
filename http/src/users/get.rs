//! `GET /api/v4/users/{id}`: one user of the caller's account.

use actix_web::{HttpRequest, HttpResponse, web};

use crate::base::Base;
use crate::extract::caller::Administrator;
use crate::extract::query::Query;
use crate::openapi::{Operation, Schema};
use crate::reply::hal;
use crate::reply::problem::Problem;
use crate::state::AppState;
use crate::users::view::with_schema;
use crate::users::view::{UserView, With};

pub(crate) async fn get(
    Administrator(caller): Administrator,
    id: web::Path<String>,
    request: HttpRequest,
    state: web::Data<AppState>,
    base: Base,
) -> Result<HttpResponse, Problem> {
    let with = With::of(&Query::of(&request)?);
    let unknown = || Problem::NotFound("there is no such user".to_owned());
    let id = id.parse().map_err(|_not_a_number| unknown())?;
    let users = state.system().users(caller.account).await?;
    let user = users.get(id).ok_or_else(unknown)?;
    let extras = with.extras(&state, caller.account, &[user]).await?;
    let mut extras = extras.into_iter();
    let view = UserView::of(&base, &users, user, &with, extras.next());
    Ok(hal::ok(&view))
}

pub(crate) fn describe() -> Operation {
    Operation::users("getUser", "Get a user of the caller's account.")
        .path("id", Schema::number())
        .query("with", with_schema())
        .gives_hal::<UserView<'_>>(200, "The user.")
        .refuses(404, "There is no such user in the account.")
}
