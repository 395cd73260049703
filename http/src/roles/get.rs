//! `GET /api/v4/roles/{id}`: one role of the caller's account.

use actix_web::{HttpResponse, web};

use crate::extract::access::Access;
use crate::extract::caller::Administrator;
use crate::extract::query::Query;
use crate::openapi::{Operation, Schema};
use crate::reply::hal;
use crate::reply::problem::Problem;
use crate::roles::unknown;
use crate::roles::view::{RoleView, holders};

pub(crate) async fn get(
    access: Access<Administrator>,
    id: web::Path<String>,
) -> Result<HttpResponse, Problem> {
    let caller = &access.caller.0;
    let query = Query::from_request(&access.request)?;
    let id = id.parse().map_err(|_not_a_number| unknown())?;
    let users = access.system().users(caller.account).await?;
    let role = users.roles().get(&id).ok_or_else(unknown)?;
    let holders = holders(&query, &users);
    let pipelines = access.system().pipelines(caller.account).await?;
    let view = RoleView::new(&access.base, role, &pipelines, holders.as_ref());
    Ok(hal::ok(&view))
}

pub(crate) fn describe() -> Operation {
    Operation::users("getRole", "Get a role.")
        .path("id", Schema::number())
        .query("with", Schema::text().says("`users` adds who holds it."))
        .gives_hal::<RoleView<'_>>(200, "The role.")
        .refuses(404, "There is no such role in the account.")
}
