//! `/admin/v1/accounts/{id}/groups`: the groups that users are in.

use actix_web::{HttpResponse, web};
use serde_json::json;
use switchboard_actors::domain::account::group::Group;
use switchboard_actors::domain::account::users::Users;
use switchboard_actors::domain::account::users::delete_group::{DeleteGroup, DeleteGroupRejection};
use switchboard_actors::domain::account::users::groups::{
    CreateGroup, CreateGroupRejection, UpdateGroup, UpdateGroupRejection,
};
use switchboard_actors::domain::audit::By;
use switchboard_actors::domain::text::Name;
use switchboard_actors::wire::body;

use crate::admin::accounts::known;
use crate::extract::access::Access;
use crate::extract::operator::Operator;
use crate::extract::query::Query;
use crate::openapi::{Operation, Schema};
use crate::reply::list;
use crate::reply::paging;
use crate::reply::problem::Problem;

body!(
    struct GroupBody {
        name: Name,
    }
);

/// `GET …/groups`: the groups, by number, each with how many users are in it.
pub(crate) async fn list(
    access: Access<Operator>,
    path: web::Path<String>,
) -> Result<HttpResponse, Problem> {
    let query = Query::of_list(&access.request, &[])?;
    let account = known(&access.state, &path).await?;
    let users = access.system().users(account.id).await?;
    let page = paging::smallest_first(&query, users.groups().values(), |group| group.id)?;
    let groups = page.entries.into_iter();
    let views = groups.map(|group| GroupView::new(group, &users));
    Ok(list::page("groups", views, page.next))
}

view! {
    #[schemars(inline)]
    struct GroupView<'g>(group: &'g Group, users: &Users) {
        #[serde(flatten)]
        group: &'g Group = group,
        /// The number of users in the group.
        users: usize = users.iter().filter(|user| user.group == group.id).count(),
    }
}

/// `POST …/groups`: creates a group.
pub(crate) async fn create(
    access: Access<Operator>,
    path: web::Path<String>,
    payload: web::Payload,
) -> Result<HttpResponse, Problem> {
    let account = known(&access.state, &path).await?.id;
    let GroupBody { name } = access.json(payload).await?;
    let by = By::Operator;
    let creation = access
        .system()
        .create_group(account, CreateGroup { by, name });
    let group = creation.await.map_err(|refused| {
        refused.into_error(|full: CreateGroupRejection| Problem::Conflict(full.to_string()))
    })?;
    Ok(HttpResponse::Created().json(group))
}

/// `PATCH …/groups/{group}`: gives a group another name.
pub(crate) async fn update(
    access: Access<Operator>,
    path: web::Path<(String, String)>,
    payload: web::Payload,
) -> Result<HttpResponse, Problem> {
    let (account, group) = path.into_inner();
    let id = group.parse().map_err(|_not_a_number| unknown())?;
    let account = known(&access.state, &account).await?.id;
    let GroupBody { name } = access.json(payload).await?;
    let by = By::Operator;
    let update = access
        .system()
        .update_group(account, UpdateGroup { by, id, name });
    let group = update
        .await
        .map_err(|refused| refused.into_error(|UpdateGroupRejection| unknown()))?;
    Ok(HttpResponse::Ok().json(group))
}

/// `DELETE …/groups/{group}`: deletes a group that has no members.
pub(crate) async fn delete(
    access: Access<Operator>,
    path: web::Path<(String, String)>,
) -> Result<HttpResponse, Problem> {
    let (account, group) = path.into_inner();
    let account = known(&access.state, &account).await?.id;
    let id = group.parse().map_err(|_not_a_number| unknown())?;
    let by = By::Operator;
    let deletion = access
        .system()
        .delete_group(account, DeleteGroup { by, id });
    deletion.await.map_err(|refused| {
        refused.into_error(|rejection| match rejection {
            DeleteGroupRejection::Unknown => unknown(),
            used @ (DeleteGroupRejection::Default | DeleteGroupRejection::InUse(_)) => {
                Problem::Conflict(used.to_string())
            }
        })
    })?;
    Ok(HttpResponse::NoContent().finish())
}

fn unknown() -> Problem {
    Problem::NotFound(UpdateGroupRejection.to_string())
}

pub(crate) fn describe_list() -> Operation {
    Operation::operator("listGroups", "List the groups of an account.")
        .path("id", Schema::uuid())
        .cursor()
        .answers_next::<GroupView<'_>>("groups", "A page, by number.")
        .refuses(404, "There is no such account.")
}

pub(crate) fn describe_create() -> Operation {
    Operation::operator("createGroup", "Create a group.")
        .path("id", Schema::uuid())
        .takes::<GroupBody>(json!({ "name": "Support" }))
        .gives::<Group>(201, "The group.")
        .refuses(404, "There is no such account.")
        .refuses(409, "The account has too many groups.")
}

pub(crate) fn describe_update() -> Operation {
    Operation::operator("updateGroup", "Update a group: its name.")
        .path("id", Schema::uuid())
        .path("group", Schema::number())
        .takes::<GroupBody>(json!({ "name": "Care" }))
        .gives::<Group>(200, "The group as it is now.")
        .refuses(404, "There is no such account, or no such group in it.")
}

pub(crate) fn describe_delete() -> Operation {
    Operation::operator("deleteGroup", "Delete an empty group.")
        .path("id", Schema::uuid())
        .path("group", Schema::number())
        .answers_nothing(204, "On disk.")
        .refuses(404, "There is no such account, or no such group in it.")
        .refuses(
            409,
            "The group has users, or it is the first group of the account.",
        )
}
