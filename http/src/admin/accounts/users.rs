//! `/admin/v1/accounts/{id}/users`: the users of an account, including administrators, whom only the operator can
//! create.

mod describe;

use actix_web::http::header;
use actix_web::{HttpResponse, web};
use switchboard_actors::domain::account::group::Group;
use switchboard_actors::domain::account::holder::Holder;
use switchboard_actors::domain::account::password::Password;
use switchboard_actors::domain::account::users::create::CreateUsersRejection;
use switchboard_actors::domain::account::users::fields::UserFields;
use switchboard_actors::domain::account::users::update::UpdateUserRejection;
use switchboard_actors::domain::audit::By;
use switchboard_actors::domain::id::UserId;
use switchboard_actors::domain::violation::{Violation, ViolationCode, Violations};
use switchboard_actors::error::CommandError;
use switchboard_actors::system::users::UserToAdd;
use switchboard_actors::wire::body;
use switchboard_actors::wire::body::Body;
use switchboard_actors::wire::json::object::ObjectReader;

pub(crate) use self::describe::{
    describe_create, describe_get, describe_list, describe_update, describe_update_password,
};
use crate::admin::accounts::{known, wrong};
use crate::extract::access::Access;
use crate::extract::operator::Operator;
use crate::extract::query::Query;
use crate::reply::list;
use crate::reply::paging;
use crate::reply::problem::Problem;
use crate::state::AppState;
use crate::users::view::{UserView, With};

body!(
    #[body(check(refuse_contradictions(fields)))]
    struct NewUser {
        password: Option<Password>,
        #[body(given(New))]
        fields: UserFields,
    }

    #[body(check(refuse_contradictions(change)))]
    struct ChangedUser {
        #[body(given(Update))]
        change: UserFields,
    }

    struct NewPassword {
        password: Password,
    }
);

/// `GET …/users`: the users, by number.
pub(crate) async fn list(
    access: Access<Operator>,
    path: web::Path<String>,
) -> Result<HttpResponse, Problem> {
    let query = Query::of_list(&access.request, &[])?;
    let account = known(&access.state, &path).await?;
    let users = access.system().users(account.id).await?;
    let pipelines = access.system().pipelines(account.id).await?;
    let page = paging::smallest_first(&query, users.iter(), |user| user.id)?;
    let with = With::role_and_group();
    let entries = page.entries.into_iter();
    let views =
        entries.map(|user| UserView::new(&access.base, &users, &pipelines, user, &with, None));
    Ok(list::page("users", views, page.next))
}

/// `POST …/users`: makes a user. Nothing is allowed unless a role or a flag says otherwise.
pub(crate) async fn create(
    access: Access<Operator>,
    path: web::Path<String>,
    payload: web::Payload,
) -> Result<HttpResponse, Problem> {
    let account = known(&access.state, &path).await?.id;
    let bytes = access.read_json(payload).await?;
    let user = NewUser::read_as(&bytes, |_, NewUser { password, fields }| {
        let standing = fields.standing();
        Some(UserToAdd {
            name: fields.name?,
            email: fields.email?,
            lang: fields.lang,
            standing,
            group: fields.group_id.unwrap_or(Group::DEFAULT),
            password,
        })
    })?;
    let result = access
        .system()
        .create_user_of_account(account, By::Operator, user)
        .await;
    let user = result.map_err(|refused| {
        refused.into_error(|rejection| match rejection {
            many @ CreateUsersRejection::TooMany => Problem::Conflict(many.to_string()),
            CreateUsersRejection::Wrong(items) => {
                // One was to be made, so it is that one; its rights are not in an object of their own here.
                let mut items = items.into_iter().map(|(_, violations)| violations);
                items.next().map_or_else(
                    || Problem::BadRequest("the user cannot be made".to_owned()),
                    |violations| Problem::Validation(flat(&violations)),
                )
            }
        })
    })?;
    let users = access.system().users(account).await?;
    let pipelines = access.system().pipelines(account).await?;
    let with = With::role_and_group();
    let place = access.address(&format!("/admin/v1/accounts/{account}/users/{}", user.id));
    Ok(HttpResponse::Created()
        .insert_header((header::LOCATION, place))
        .json(UserView::new(
            &access.base,
            &users,
            &pipelines,
            &user,
            &with,
            None,
        )))
}

/// `GET …/users/{user}`: one user.
pub(crate) async fn get(
    access: Access<Operator>,
    path: web::Path<(String, String)>,
) -> Result<HttpResponse, Problem> {
    let holder = holder(&access.state, &path.0, &path.1).await?;
    let users = access.system().users(holder.account).await?;
    let pipelines = access.system().pipelines(holder.account).await?;
    let user = users.get(holder.user).ok_or_else(unknown)?;
    let with = With::role_and_group();
    let view = UserView::new(&access.base, &users, &pipelines, user, &with, None);
    Ok(HttpResponse::Ok().json(view))
}

/// `PATCH …/users/{user}`: changes what is named and leaves the rest.
pub(crate) async fn update(
    access: Access<Operator>,
    path: web::Path<(String, String)>,
    payload: web::Payload,
) -> Result<HttpResponse, Problem> {
    let Holder { account, user } = holder(&access.state, &path.0, &path.1).await?;
    let ChangedUser { change } = access.json(payload).await?;
    let system = access.system();
    let result = system
        .update_user_of_account(account, By::Operator, user, change)
        .await;
    let changed_user = result.map_err(refused)?;
    let users = system.users(account).await?;
    let pipelines = system.pipelines(account).await?;
    let with = With::role_and_group();
    let view = UserView::new(&access.base, &users, &pipelines, &changed_user, &with, None);
    Ok(HttpResponse::Ok().json(view))
}

/// `POST …/users/{user}/password`: gives a user another password, which ends all their sessions.
pub(crate) async fn update_password(
    access: Access<Operator>,
    path: web::Path<(String, String)>,
    payload: web::Payload,
) -> Result<HttpResponse, Problem> {
    let Holder { account, user } = holder(&access.state, &path.0, &path.1).await?;
    let NewPassword { password } = access.json(payload).await?;
    let system = access.system();
    let set = system.update_user_password(account, By::Operator, user, password);
    set.await.map_err(refused)?;
    Ok(HttpResponse::NoContent().finish())
}

/// The account and the user in a path, both of whom are there.
pub(super) async fn holder(state: &AppState, account: &str, user: &str) -> Result<Holder, Problem> {
    let account = known(state, account).await?.id;
    let user: UserId = user.parse().map_err(|_not_a_number| unknown())?;
    let users = state.system().users(account).await?;
    users.get(user).ok_or_else(unknown)?;
    Ok(Holder { account, user })
}

/// The same, where role and group stand beside everything else.
fn flat(violations: &Violations) -> Violations {
    let mut flat = Violations::default();
    for wrong in violations.kept() {
        let path = wrong.path.trim_start_matches("rights.").to_owned();
        flat.push(Violation {
            path,
            ..wrong.clone()
        });
    }
    flat
}

fn unknown() -> Problem {
    Problem::NotFound(UpdateUserRejection::Unknown.to_string())
}

fn refused(refused: CommandError<UpdateUserRejection>) -> Problem {
    refused.into_error(|rejection| match rejection {
        UpdateUserRejection::Unknown => unknown(),
        last @ (UpdateUserRejection::LastAdministrator | UpdateUserRejection::Administrator) => {
            Problem::Conflict(last.to_string())
        }
        taken @ UpdateUserRejection::EmailTaken => wrong("email", taken.to_string()),
        role @ UpdateUserRejection::UnknownRole => wrong("role_id", role.to_string()),
        group @ UpdateUserRejection::UnknownGroup => wrong("group_id", group.to_string()),
    })
}

/// Rights come from one place only.
fn refuse_contradictions(body: &ObjectReader<'_, '_>, fields: &Option<UserFields>) {
    let Some(fields) = fields else { return };
    let grants = [
        ("is_admin", fields.is_admin == Some(true)),
        ("is_free", fields.is_free == Some(true)),
        ("role_id", fields.role_id.is_some()),
    ];
    for (name, _) in grants.into_iter().filter(|(_, is_set)| *is_set).skip(1) {
        let detail = "only one of is_admin, is_free and role_id can be given".to_owned();
        body.reject(name, ViolationCode::InvalidValue, detail);
    }
}
