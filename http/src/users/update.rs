//! `PATCH /api/v4/users/{id}`: an administrator changes what the body names of a user. The 202 means: on disk.

use actix_web::{HttpResponse, web};
use serde_json::json;
use switchboard_actors::domain::account::users::update::UpdateUserRejection;
use switchboard_actors::domain::violation::ViolationCode;
use switchboard_actors::error::CommandError;
use switchboard_actors::wire::account_body::users::{self, ChangedUserBody};
use switchboard_actors::wire::body::Body;

use crate::extract::access::Access;
use crate::extract::caller::Administrator;
use crate::openapi::{Operation, Schema};
use crate::reply::hal;
use crate::reply::problem::Problem;
use crate::users::view::{UserView, With};

pub(crate) async fn patch(
    access: Access<Administrator>,
    id: web::Path<String>,
    payload: web::Payload,
) -> Result<HttpResponse, Problem> {
    let caller = &access.caller.0;
    let id = id.parse().map_err(|_not_a_number| unknown())?;
    let body = access.read_json(payload).await?;
    let system = access.system();
    let users_before = system.users(caller.account).await?;
    let current = users_before.get(id).ok_or_else(unknown)?;
    let pipelines = system.pipelines(caller.account).await?;
    let change = users::parse_change(&body, current, &users_before, &pipelines)?;
    if change.password.is_some() && caller.client.is_some() {
        return Err(Problem::Forbidden(
            "an OAuth client does not set passwords; an administrator who signed in does"
                .to_owned(),
        ));
    }
    let user = system
        .update_user(caller.account, caller.into(), id, change)
        .await
        .map_err(refused)?;
    let users = system.users(caller.account).await?;
    let with = With::role_and_group();
    Ok(hal::accepted(&UserView::new(
        &access.base,
        &users,
        &pipelines,
        &user,
        &with,
        None,
    )))
}

fn unknown() -> Problem {
    Problem::NotFound(UpdateUserRejection::Unknown.to_string())
}

/// The answer to something that was right when the body was read, and no more when it was to be stored.
fn refused(refused: CommandError<UpdateUserRejection>) -> Problem {
    refused.into_error(|rejection| match rejection {
        UpdateUserRejection::Unknown => unknown(),
        UpdateUserRejection::Administrator => Problem::Forbidden(rejection.to_string()),
        UpdateUserRejection::LastAdministrator => Problem::Conflict(rejection.to_string()),
        UpdateUserRejection::EmailTaken => wrong("email", &rejection),
        UpdateUserRejection::UnknownRole => wrong("rights.role_id", &rejection),
        UpdateUserRejection::UnknownGroup => wrong("rights.group_id", &rejection),
    })
}

fn wrong(path: &str, rejection: &UpdateUserRejection) -> Problem {
    Problem::field(path, ViolationCode::NotSupportedChoice, rejection)
}

pub(crate) fn describe() -> Operation {
    let user = ChangedUserBody::schema().needing_one_field();
    let example = json!({ "name": "Bo Peep", "lang": "es", "rights": { "group_id": 1 } });
    Operation::users("updateUser", "Update a user of the caller's account.")
        .says("Fields that the body does not name keep their values. With `role_id` null, the user keeps the rights of the role as own rights. Rights and password of an administrator are the operator's to change.")
        .path("id", Schema::number())
        .body(user, example)
        .gives_hal::<UserView<'_>>(202, "The user as they are now, on disk.")
        .refuses(
            403,
            "The caller is no administrator, or the user is one and rights or password would change.",
        )
        .refuses(404, "There is no such user in the account.")
}
