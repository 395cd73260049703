//! `GET /api/v4/roles`: the roles of the caller's account, by number.

use actix_web::{HttpRequest, HttpResponse, web};

use crate::http::account::filters;
use crate::http::base::Base;
use crate::http::extract::caller::Administrator;
use crate::http::extract::query::Query;
use crate::http::openapi::{Operation, Schema};
use crate::http::reply::hal::{self, Collection};
use crate::http::reply::problem::Problem;
use crate::http::roles::PATH;
use crate::http::roles::view::{RoleView, holders};
use crate::http::state::AppState;

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
    Ok(hal::collection_page(&collection, &links, "roles", &views))
}

pub(crate) fn describe() -> Operation {
    Operation::users("listRoles", "List roles.")
        .pages()
        .query("with", Schema::text().says("`users` adds who holds each."))
        .answers_collection::<RoleView<'_>>("roles")
}
