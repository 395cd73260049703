//! `DELETE /api/v4/roles/{id}`: holders keep the role's rights as their own. The 204 means: on disk.
//!
//! Some clients send a body along, or declare one that they do not send: the service ignores it.

use actix_web::{HttpResponse, web};

use crate::extract::access::Access;
use crate::extract::caller::Administrator;
use crate::openapi::{Operation, Schema};
use crate::reply::problem::Problem;
use crate::roles::unknown;

pub(crate) async fn delete(
    access: Access<Administrator>,
    id: web::Path<String>,
) -> Result<HttpResponse, Problem> {
    let caller = &access.caller.0;
    let id = id.parse().map_err(|_not_a_number| unknown())?;
    let result = access
        .system()
        .delete_role(caller.account, caller.into(), id)
        .await;
    result.map_err(|refused| refused.into_error(|_unknown| unknown()))?;
    Ok(HttpResponse::NoContent().finish())
}

pub(crate) fn describe() -> Operation {
    Operation::users(
        "deleteRole",
        "Delete a role; its holders keep its rights as their own.",
    )
    .path("id", Schema::number())
    .answers_nothing(204, "On disk.")
    .refuses(404, "There is no such role in the account.")
}
