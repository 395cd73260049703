//! `/admin/v1/accounts/{id}/groups`: the groups that users are in.

use actix_web::{HttpRequest, HttpResponse, web};
use serde_json::{Value, json};
use switchboard_actors::domain::account::users::groups::{SetGroup, SetGroupRejection};
use switchboard_actors::domain::audit::By;
use switchboard_actors::domain::id::GroupId;
use switchboard_actors::error::Refused;

use crate::http::admin::accounts::{known, read};
use crate::http::extract::body::read_json;
use crate::http::extract::operator::Operator;
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
    let group = group.map_err(|refused| match refused {
        Refused::Rejected(SetGroupRejection::Unknown) => unknown(),
        Refused::Rejected(full @ SetGroupRejection::Full) => Problem::Conflict(full.to_string()),
        Refused::Unavailable(unavailable) => unavailable.into(),
    })?;
    Ok(json!(group))
}

fn unknown() -> Problem {
    Problem::NotFound(SetGroupRejection::Unknown.to_string())
}
