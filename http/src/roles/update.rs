//! `PATCH /api/v4/roles/{id}`: changes what the body names, for all holders at once. The 202 means: on disk.

use actix_web::{HttpResponse, web};
use serde_json::json;
use switchboard_actors::domain::account::roles::update::UpdateRoleRejection;
use switchboard_actors::wire::account_body::roles::{self, ChangedRoleBody};
use switchboard_actors::wire::body::Body;

use crate::extract::access::Access;
use crate::extract::caller::Administrator;
use crate::openapi::{Operation, Schema};
use crate::reply::hal;
use crate::reply::problem::Problem;
use crate::roles::unknown;
use crate::roles::view::RoleView;

pub(crate) async fn patch(
    access: Access<Administrator>,
    id: web::Path<String>,
    payload: web::Payload,
) -> Result<HttpResponse, Problem> {
    let caller = &access.caller.0;
    let id = id.parse().map_err(|_not_a_number| unknown())?;
    let body = access.read_json(payload).await?;
    let system = access.system();
    let users = system.users(caller.account).await?;
    let current = users.roles().get(&id).ok_or_else(unknown)?;
    let pipelines = system.pipelines(caller.account).await?;
    let patch = roles::parse_edit(&body, current, &pipelines)?;
    let edited = system
        .update_role(caller.account, caller.into(), id, patch)
        .await
        .map_err(|refused| {
            refused.into_error(|rejection| match rejection {
                UpdateRoleRejection::Unknown => unknown(),
                UpdateRoleRejection::Wrong(violations) => Problem::Validation(violations),
            })
        })?
        .ok_or_else(unknown)?;
    let view = RoleView::added(&access.base, &edited, &pipelines, None);
    Ok(hal::accepted(&view))
}

pub(crate) fn describe() -> Operation {
    let example = json!({ "name": "Vendors", "rights": { "leads": { "edit": "D" } } });
    Operation::users("updateRole", "Update a role and with it all its holders.")
        .says("Fields that the body does not name keep their values.")
        .path("id", Schema::number())
        .body(ChangedRoleBody::schema().needing_one_field(), example)
        .gives_hal::<RoleView<'_>>(202, "The role as it is now, on disk.")
        .refuses(404, "There is no such role in the account.")
}
