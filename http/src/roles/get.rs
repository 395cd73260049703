//! `GET /api/v4/roles/{id}`: one role of the caller's account.

use actix_web::{HttpRequest, HttpResponse, web};

use crate::base::Base;
use crate::extract::caller::Administrator;
use crate::extract::query::Query;
use crate::openapi::{Operation, Schema};
use crate::reply::hal;
use crate::reply::problem::Problem;
use crate::roles::unknown;
use crate::roles::view::{RoleView, holders};
use crate::state::AppState;

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
