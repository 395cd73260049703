//! `GET /api/v4/roles`: the roles of the caller's account, by number.

use actix_web::HttpResponse;

use crate::http::account::filters;
use crate::http::extract::access::Access;
use crate::http::extract::caller::Administrator;
use crate::http::extract::query::Query;
use crate::http::openapi::{Operation, Schema};
use crate::http::reply::hal::{self, Collection};
use crate::http::reply::problem::Problem;
use crate::http::roles::PATH;
use crate::http::roles::view::{RoleView, holders};

pub(crate) async fn list(access: Access<Administrator>) -> Result<HttpResponse, Problem> {
    let caller = &access.caller.0;
    let query = Query::of(&access.request)?;
    let users = access.system().users(caller.account).await?;
    let roles = users.roles();
    filters::check(&query, &[])?;
    let collection = Collection::of(&query, roles.len())?;
    let holders = holders(&query, &users);
    let views: Vec<RoleView<'_>> = roles
        .values()
        .skip(collection.skip())
        .take(collection.limit())
        .map(|role| RoleView::of(&access.base, role, holders.as_ref()))
        .collect();
    let links = collection.links(&access.base, PATH, access.request.query_string());
    Ok(hal::collection_page(&collection, &links, "roles", &views))
}

pub(crate) fn describe() -> Operation {
    Operation::users("listRoles", "List roles.")
        .pages()
        .query("with", Schema::text().says("`users` adds who holds each."))
        .answers_collection::<RoleView<'_>>("roles")
}
