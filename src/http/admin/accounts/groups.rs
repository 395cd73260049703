//! `/admin/v1/accounts/{id}/groups`: the groups that users are in.

use actix_web::{HttpRequest, HttpResponse, web};
use serde_json::{Value, json};
use switchboard_actors::domain::account::users::delete_group::{DeleteGroup, DeleteGroupRejection};
use switchboard_actors::domain::account::users::groups::{SetGroup, SetGroupRejection};
use switchboard_actors::domain::audit::By;
use switchboard_actors::domain::id::GroupId;

use crate::http::admin::accounts::{known, read};
use crate::http::extract::body::read_json;
use crate::http::extract::operator::Operator;
use crate::http::openapi::{Asker, Operation, Schema, Tag, must};
use crate::http::reply::problem::Problem;
use crate::http::state::AppState;

/// `GET …/groups`: all groups, by number, each with how many users are in it.
pub(crate) async fn list(
    _: Operator,
    path: web::Path<String>,
    state: web::Data<AppState>,
) -> Result<HttpResponse, Problem> {
    let account = known(&state, &path).await?;
    let users = state.system().users(account.id).await?;
    let groups: Vec<Value> = users
        .groups()
        .values()
        .map(|group| {
            let count = users.iter().filter(|user| user.group == group.id).count();
            json!({ "id": group.id, "name": group.name, "users": count })
        })
        .collect();
    Ok(HttpResponse::Ok().json(json!({ "groups": groups })))
}

/// `POST …/groups`: makes a group.
pub(crate) async fn create(
    _: Operator,
    path: web::Path<String>,
    request: HttpRequest,
    payload: web::Payload,
    state: web::Data<AppState>,
) -> Result<HttpResponse, Problem> {
    let group = set(&state, &path, None, request, payload).await?;
    Ok(HttpResponse::Created().json(group))
}

/// `PATCH …/groups/{group}`: gives a group another name.
pub(crate) async fn rename(
    _: Operator,
    path: web::Path<(String, String)>,
    request: HttpRequest,
    payload: web::Payload,
    state: web::Data<AppState>,
) -> Result<HttpResponse, Problem> {
    let (account, group) = path.into_inner();
    let id = group.parse().map_err(|_not_a_number| unknown())?;
    let group = set(&state, &account, Some(id), request, payload).await?;
    Ok(HttpResponse::Ok().json(group))
}

/// `DELETE …/groups/{group}`: deletes a group in which nobody is.
pub(crate) async fn delete(
    _: Operator,
    path: web::Path<(String, String)>,
    state: web::Data<AppState>,
) -> Result<HttpResponse, Problem> {
    let (account, group) = path.into_inner();
    let account = known(&state, &account).await?.id;
    let id = group.parse().map_err(|_not_a_number| unknown())?;
    let by = By::Operator;
    let deleted = state.system().delete_group(account, DeleteGroup { by, id });
    deleted.await.map_err(|refused| {
        refused.into_error(|rejection| match rejection {
            DeleteGroupRejection::Unknown => unknown(),
            used @ (DeleteGroupRejection::Default | DeleteGroupRejection::InUse(_)) => {
                Problem::Conflict(used.to_string())
            }
        })
    })?;
    Ok(HttpResponse::NoContent().finish())
}

async fn set(
    state: &AppState,
    path: &str,
    id: Option<GroupId>,
    request: HttpRequest,
    payload: web::Payload,
) -> Result<Value, Problem> {
    let account = known(state, path).await?;
    let bytes = read_json(&request, payload, state.body_limit()).await?;
    let group = read(&bytes, |body| {
        body.refuse_unknown(&["name"]);
        let name = body.required_parsed("name")?;
        let by = By::Operator;
        Some(SetGroup { by, id, name })
    })?;
    let group = state.system().set_group(account.id, group).await;
    let group = group.map_err(|refused| {
        refused.into_error(|rejection| match rejection {
            SetGroupRejection::Unknown => unknown(),
            full @ SetGroupRejection::Full => Problem::Conflict(full.to_string()),
        })
    })?;
    Ok(json!(group))
}

fn unknown() -> Problem {
    Problem::NotFound(SetGroupRejection::Unknown.to_string())
}

pub(crate) fn describe_list() -> Operation {
    let group = Schema::object([
        must("id", Schema::number()),
        must("name", Schema::text()),
        must("users", Schema::count().says("How many users are in it.")),
    ]);
    let list = Schema::object([must("groups", Schema::list(group))]);
    Operation::new(
        Tag::Operator,
        Asker::Operator,
        "listGroups",
        "Lists the groups of an account, by number.",
    )
    .path("id", Schema::uuid())
    .answers(200, "The groups.", list)
    .refuses(404, "There is no such account.")
}

pub(crate) fn describe_create() -> Operation {
    Operation::new(
        Tag::Operator,
        Asker::Operator,
        "createGroup",
        "Makes a group.",
    )
    .path("id", Schema::uuid())
    .body(body_schema(), json!({ "name": "Support" }))
    .answers(201, "The group.", schema())
    .refuses(404, "There is no such account.")
    .refuses(409, "The account has too many groups.")
}

pub(crate) fn describe_rename() -> Operation {
    Operation::new(
        Tag::Operator,
        Asker::Operator,
        "renameGroup",
        "Gives a group another name.",
    )
    .path("id", Schema::uuid())
    .path("group", Schema::number())
    .body(body_schema(), json!({ "name": "Care" }))
    .answers(200, "The group as it is now.", schema())
    .refuses(404, "There is no such account, or no such group in it.")
}

fn body_schema() -> Schema {
    Schema::object([must("name", Schema::line(255))])
}

fn schema() -> Schema {
    Schema::object([must("id", Schema::number()), must("name", Schema::text())])
}

pub(crate) fn describe_delete() -> Operation {
    Operation::new(
        Tag::Operator,
        Asker::Operator,
        "deleteGroup",
        "Deletes a group in which nobody is.",
    )
    .path("id", Schema::uuid())
    .path("group", Schema::number())
    .answers_nothing(204, "On disk.")
    .refuses(404, "There is no such account, or no such group in it.")
    .refuses(
        409,
        "Somebody is in it, or it is the first group of the account.",
    )
}
