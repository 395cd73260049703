//! `GET /api/v4/users/{id}`: one user of the caller's account.

use actix_web::{HttpResponse, web};

use crate::extract::access::Access;
use crate::extract::caller::Administrator;
use crate::extract::query::Query;
use crate::openapi::{Operation, Schema};
use crate::reply::hal;
use crate::reply::problem::Problem;
use crate::users::view::with_schema;
use crate::users::view::{UserView, With};

pub(crate) async fn get(
    access: Access<Administrator>,
    id: web::Path<String>,
) -> Result<HttpResponse, Problem> {
    let caller = &access.caller.0;
    let with = With::from_query(&Query::from_request(&access.request)?);
    let unknown = || Problem::NotFound("there is no such user".to_owned());
    let id = id.parse().map_err(|_not_a_number| unknown())?;
    let users = access.system().users(caller.account).await?;
    let pipelines = access.system().pipelines(caller.account).await?;
    let user = users.get(id).ok_or_else(unknown)?;
    let mut extras = with
        .extras(&access.state, caller.account, &[user])
        .await?
        .into_iter();
    let view = UserView::new(&access.base, &users, &pipelines, user, &with, extras.next());
    Ok(hal::ok(&view))
}

pub(crate) fn describe() -> Operation {
    Operation::users("getUser", "Get a user of the caller's account.")
        .path("id", Schema::number())
        .query("with", with_schema())
        .gives_hal::<UserView<'_>>(200, "The user.")
        .refuses(404, "There is no such user in the account.")
}
