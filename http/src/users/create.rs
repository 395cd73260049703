//! `POST /api/v4/users`: adds users, all of them or none. The 201 means: on disk.

use actix_web::{HttpResponse, web};
use serde_json::json;
use switchboard_actors::domain::account::users::create::{
    BATCH_MAX, CreateUsersRejection, ReferenceCheck,
};
use switchboard_actors::error::CommandError;
use switchboard_actors::system::users::UserToAdd;
use switchboard_actors::wire::account_body::batch::ItemError;
use switchboard_actors::wire::account_body::items;
use switchboard_actors::wire::account_body::users::{self, NewUserBody};
use switchboard_actors::wire::body::Body;

use crate::extract::access::Access;
use crate::extract::caller::Administrator;
use crate::openapi::Operation;
use crate::reply::hal;
use crate::reply::problem::Problem;
use crate::roles::rights_example;
use crate::users::plan;
use crate::users::view::UserView;

pub(crate) async fn post(
    access: Access<Administrator>,
    payload: web::Payload,
) -> Result<HttpResponse, Problem> {
    let caller = &access.caller.0;
    let system = access.system();
    let current = system.users(caller.account).await?;
    ReferenceCheck::to(&current)
        .open(plan(&access.state, caller.account))
        .map_err(|rejection| Problem::Forbidden(rejection.to_string()))?;
    let body = access.read_json(payload).await?;
    let pipelines = system.pipelines(caller.account).await?;
    let bodies = users::parse(&body, &current, &pipelines)?;
    let mut request_ids = Vec::with_capacity(bodies.len());
    let mut batch = Vec::with_capacity(bodies.len());
    for user in bodies {
        request_ids.push(user.request_id);
        batch.push(UserToAdd {
            name: user.name,
            email: user.email,
            lang: user.lang,
            standing: Some(user.standing),
            group: user.group,
            password: Some(user.password),
        });
    }
    let new_users = system
        .create_users(caller.account, caller.into(), batch)
        .await
        .map_err(|refused| problem(refused, &request_ids))?;
    // The users as they are now, with the roles they may have been given.
    let users = system.users(caller.account).await?;
    let views: Vec<UserView<'_>> = new_users
        .iter()
        .zip(request_ids)
        .map(|(user, request_id)| {
            UserView::added(&access.base, &users, &pipelines, user, request_id)
        })
        .collect();
    Ok(hal::created("users", &views))
}

/// The answer to something that was right when the body was read, and no more when it was to be stored.
fn problem(refused: CommandError<CreateUsersRejection>, request_ids: &[Option<String>]) -> Problem {
    let name = |place: usize| {
        let request_id = request_ids.get(place).and_then(Option::clone);
        request_id.unwrap_or_else(|| place.to_string())
    };
    refused.into_error(|rejection| match rejection {
        CreateUsersRejection::TooMany => Problem::Forbidden(rejection.to_string()),
        CreateUsersRejection::Wrong(items) => {
            let items = items.into_iter().map(|(place, violations)| ItemError {
                request_id: name(place),
                violations,
            });
            Problem::WrongItems(items.collect())
        }
    })
}

pub(crate) fn describe() -> Operation {
    let example = json!([{
        "name": "Bo Peep",
        "email": "bo@example.com",
        "password": "aBcde1@345",
        "lang": "en",
        "rights": rights_example(),
        "request_id": "1",
    }]);
    Operation::users("createUsers", "Create users (atomic).")
        .body(items::schema(NewUserBody::fields(), BATCH_MAX), example)
        .answers_created::<UserView<'_>>("users")
        .refuses(
            403,
            "The caller is no administrator, or there are too many users for the plan.",
        )
}
