//! `GET /api/v4/roles/{id}`: one role of the caller's account.

use actix_web::{HttpRequest, HttpResponse, web};

use crate::http::base::Base;
use crate::http::extract::caller::Administrator;
use crate::http::extract::query::Query;
use crate::http::openapi::{Operation, Schema};
use crate::http::reply::hal;
use crate::http::reply::problem::Problem;
use crate::http::roles::unknown;
use crate::http::roles::view::{RoleView, holders};
use crate::http::state::AppState;

pub(crate) async fn get(
    Administrator(caller): Administrator,
    id: web::Path<String>,
    request: HttpRequest,
    state: web::Data<AppState>,
    base: Base,
) -> Result<HttpResponse, Problem> {
    let query = Query::of(&request)?;
    let id = id.parse().map_err(|_not_a_number| unknown())?;
    let users = state.system().users(caller.account).await?;
    let role = users.roles().get(&id).ok_or_else(unknown)?;
    let holders = holders(&query, &users);
    let view = RoleView::of(&base, role, holders.as_ref());
    Ok(hal::ok(&view))
}

pub(crate) fn describe() -> Operation {
    Operation::users("getRole", "Get a role.")
        .path("id", Schema::number())
        .query("with", Schema::text().says("`users` adds who holds it."))
        .gives_hal::<RoleView<'_>>(200, "The role.")
        .refuses(404, "There is no such role in the account.")
}
