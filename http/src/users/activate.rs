//! `POST /api/v4/users/activate` and `/deactivate`: users may come in again, or are refused from now on. The answer means:
//! on disk.

use actix_web::{HttpResponse, web};
use serde_json::json;
use switchboard_actors::domain::account::users::create::BATCH_MAX;
use switchboard_actors::domain::installation::accounts::Plan;
use switchboard_actors::wire::account_body::items;
use switchboard_actors::wire::account_body::user_ids::{self, NamedUser};
use switchboard_actors::wire::body::Body;

use crate::extract::access::Access;
use crate::extract::caller::Administrator;
use crate::openapi::Operation;
use crate::reply::problem::Problem;
use crate::users::plan;

pub(crate) async fn activate(
    access: Access<Administrator>,
    payload: web::Payload,
) -> Result<HttpResponse, Problem> {
    switch(&access, payload, true).await?;
    Ok(HttpResponse::Accepted().finish())
}

pub(crate) async fn deactivate(
    access: Access<Administrator>,
    payload: web::Payload,
) -> Result<HttpResponse, Problem> {
    switch(&access, payload, false).await?;
    Ok(HttpResponse::NoContent().finish())
}

/// Activates or deactivates users, on the Enterprise plan only.
async fn switch(
    access: &Access<Administrator>,
    payload: web::Payload,
    active: bool,
) -> Result<(), Problem> {
    let caller = &access.caller.0;
    if plan(&access.state, caller.account) != Plan::Enterprise {
        return Err(Problem::Forbidden(
            "users are activated and deactivated on the Enterprise plan only".to_owned(),
        ));
    }
    let users = user_ids::parse(&access.read_json(payload).await?)?;
    let system = access.system();
    let switched = system.activate_users(caller.account, caller.into(), users, active);
    switched.await.map_err(|refused| {
        refused.into_error(|rejection| Problem::BadRequest(rejection.to_string()))
    })
}

pub(crate) fn describe_activate() -> Operation {
    let summary = "Activate users (atomic).";
    describe("activateUsers", summary).answers_nothing(202, "On disk.")
}

pub(crate) fn describe_deactivate() -> Operation {
    let summary = "Deactivate users with their tokens and sessions (atomic).";
    describe("deactivateUsers", summary).answers_nothing(204, "On disk.")
}

fn describe(name: &'static str, summary: &'static str) -> Operation {
    Operation::users(name, summary)
        .body(
            items::schema(NamedUser::fields(), BATCH_MAX),
            json!([{ "id": 2 }]),
        )
        .refuses(
            403,
            "Only administrators of accounts on the Enterprise plan may do this.",
        )
}
