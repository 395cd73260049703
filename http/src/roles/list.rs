//! `GET /api/v4/roles`: the roles of the caller's account, by number.

use actix_web::HttpResponse;

use crate::account::filters;
use crate::extract::access::Access;
use crate::extract::caller::Administrator;
use crate::extract::query::Query;
use crate::openapi::{Operation, Schema};
use crate::reply::hal::{self, Collection};
use crate::reply::problem::Problem;
use crate::roles::PATH;
use crate::roles::view::{RoleView, holders};

pub(crate) async fn list(access: Access<Administrator>) -> Result<HttpResponse, Problem> {
    let caller = &access.caller.0;
    let query = Query::from_request(&access.request)?;
    let users = access.system().users(caller.account).await?;
    let roles = users.roles();
    let pipelines = access.system().pipelines(caller.account).await?;
    filters::check(&query, &[])?;
    let collection = Collection::new(&query, roles.len())?;
    let holders = holders(&query, &users);
    let views: Vec<RoleView<'_>> = roles
        .values()
        .skip(collection.skip())
        .take(collection.limit())
        .map(|role| RoleView::new(&access.base, role, &pipelines, holders.as_ref()))
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
