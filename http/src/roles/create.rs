//! `POST /api/v4/roles`: adds one role, or several: all of them or none. The 201 means: on disk.

use actix_web::{HttpResponse, web};
use serde_json::json;
use switchboard_actors::wire::account_body::roles::{self, NewRoleBody};
use switchboard_actors::wire::body::Body;

use crate::extract::access::Access;
use crate::extract::caller::Administrator;
use crate::openapi::{Operation, Schema};
use crate::reply::hal;
use crate::reply::problem::Problem;
use crate::roles::rights_example;
use crate::roles::view::RoleView;

pub(crate) async fn post(
    access: Access<Administrator>,
    payload: web::Payload,
) -> Result<HttpResponse, Problem> {
    let caller = &access.caller.0;
    let body = access.read_json(payload).await?;
    let pipelines = access.system().pipelines(caller.account).await?;
    let bodies = roles::parse_add(&body, &pipelines)?;
    let (new, request_ids): (Vec<_>, Vec<_>) = bodies
        .into_iter()
        .map(|body| (body.role, body.request_id))
        .unzip();
    let roles = access
        .system()
        .create_roles(caller.account, caller.into(), new)
        .await
        .map_err(|refused| {
            refused.into_error(|too_many| Problem::Forbidden(too_many.to_string()))
        })?;
    let views: Vec<RoleView<'_>> = roles
        .iter()
        .zip(request_ids)
        .map(|(role, request_id)| RoleView::added(&access.base, role, &pipelines, request_id))
        .collect();
    Ok(hal::created("roles", &views))
}

pub(crate) fn describe() -> Operation {
    let role = Schema::named("NewRole", NewRoleBody::schema());
    let body = Schema::either([role.clone(), Schema::few(role, 1, 10)]);
    let example = json!({ "name": "Sellers", "rights": rights_example(), "request_id": "1" });
    Operation::users("createRoles", "Create roles (atomic).")
        .body(body, example)
        .answers_created::<RoleView<'_>>("roles")
        .refuses(
            403,
            "The caller is no administrator, or there are too many roles.",
        )
}
