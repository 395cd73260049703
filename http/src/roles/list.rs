//! `GET /api/v4/roles`: the roles of the caller's account, by number.

use actix_web::{HttpRequest, HttpResponse, web};

use crate::account::filters;
use crate::base::Base;
use crate::extract::caller::Administrator;
use crate::extract::query::Query;
use crate::openapi::{Operation, Schema};
use crate::reply::hal::{self, Collection};
use crate::reply::problem::Problem;
use crate::roles::PATH;
use crate::roles::view::{RoleView, holders};
use crate::state::AppState;

pub(crate) async fn list(
    Administrator(caller): Administrator,
    request: HttpRequest,
    state: web::Data<AppState>,
    base: Base,
) -> Result<HttpResponse, Problem> {
    let query = Query::of(&request)?;
    let users = state.system().users(caller.account).await?;
    let roles = users.roles();
    filters::check(&query, &[])?;
    let collection = Collection::of(&query, roles.len())?;
    let holders = holders(&query, &users);
    let views: Vec<RoleView<'_>> = roles
        .values()
        .skip(collection.skip())
        .take(collection.limit())
        .map(|role| RoleView::of(&base, role, holders.as_ref()))
        .collect();
    let links = collection.links(&base, PATH, request.query_string());
    Ok(hal::collection(&collection, &links, "roles", &views))
}

pub(crate) fn describe() -> Operation {
    Operation::users("listRoles", "List roles.")
        .pages()
        .query("with", Schema::text().says("`users` adds who holds each."))
        .answers_collection::<RoleView<'_>>("roles")
}
