//! `/admin/v1/accounts/{id}/users`: the users of an account, administrators included, whom nobody else can make.

mod describe;

use actix_web::http::header;
use actix_web::{HttpRequest, HttpResponse, web};
use switchboard_actors::domain::account::credentials::Holder;
use switchboard_actors::domain::account::group::Group;
use switchboard_actors::domain::account::user::Standing;
use switchboard_actors::domain::account::users::add::AddUsersRejection;
use switchboard_actors::domain::account::users::change::{ChangeUser, ChangeUserRejection};
use switchboard_actors::domain::audit::By;
use switchboard_actors::domain::id::{GroupId, RoleId, UserId};
use switchboard_actors::domain::installation::accounts::Lang;
use switchboard_actors::domain::violation::{Violation, ViolationCode, Violations};
use switchboard_actors::error::Refused;
use switchboard_actors::system::operator::users::UserToCreate;
use switchboard_actors::wire::json::object::ObjectReader;

pub(crate) use self::describe::{
    describe_change, describe_create, describe_list, describe_password, describe_show,
};
use crate::http::admin::accounts::{known, read, wrong};
use crate::http::extract::body::read_json;
use crate::http::extract::operator::Operator;
use crate::http::extract::query::Query;
use crate::http::reply::problem::Problem;
use crate::http::state::AppState;
use crate::http::users::view::{UserView, With};

/// `GET …/users`: the users by number, `limit` of them on a `page`.
pub(crate) async fn list(
    _: Operator,
    path: web::Path<String>,
    request: HttpRequest,
    state: web::Data<AppState>,
) -> Result<HttpResponse, Problem> {
    let account = known(&state, &path).await?;
    let (page, limit) = Query::of(&request)?.page()?;
    let users = state.system().users(account.id).await?;
    let skip = usize::try_from(page.saturating_sub(1).saturating_mul(limit));
    let skip = skip.unwrap_or(usize::MAX);
    let limit = usize::try_from(limit).unwrap_or(1);
    let with = With::role_and_group();
    let shown: Vec<_> = users
        .iter_from(skip)
        .take(limit)
        .map(|user| UserView::of(state.public_url(), &users, user, &with, None))
        .collect();
    let more = skip.saturating_add(limit) < users.count();
    Ok(HttpResponse::Ok().json(UserPage {
        total: users.count(),
        next_page: more.then(|| page.saturating_add(1)),
        users: shown,
    }))
}

fields! {
    #[schemars(inline)]
    struct UserPage<'u> {
        total: usize,
        #[schemars(range(min = 1))]
        next_page: Option<u64>,
        users: Vec<UserView<'u>>,
    }
}

/// `POST …/users`: makes a user. Nothing is allowed unless a role or a flag says otherwise.
pub(crate) async fn create(
    _: Operator,
    path: web::Path<String>,
    request: HttpRequest,
    payload: web::Payload,
    state: web::Data<AppState>,
) -> Result<HttpResponse, Problem> {
    let account = known(&state, &path).await?.id;
    let bytes = read_json(&request, payload, state.body_limit()).await?;
    let user = read(&bytes, |body| {
        body.refuse_unknown(&[
            "name", "email", "password", "lang", "is_admin", "is_free", "role_id", "group_id",
        ]);
        let name = body.required_parsed("name");
        let email = body.required_parsed("email");
        let password = body.optional_parsed("password");
        let lang = body.optional_choice("lang", &Lang::NAMES);
        let standing = Wanted::read(body);
        let group = number(body, "group_id").map(GroupId);
        Some(UserToCreate {
            name: name?,
            email: email?,
            lang,
            standing: standing.given(),
            group: group.unwrap_or(Group::DEFAULT),
            password,
        })
    })?;
    let made = state
        .system()
        .create_user(account, By::Operator, user)
        .await;
    let user = made.map_err(|refused| {
        refused.into_error(|rejection| match rejection {
            many @ AddUsersRejection::TooMany => Problem::Conflict(many.to_string()),
            AddUsersRejection::Wrong(items) => {
                // One was to be made, so it is that one; its rights are not in an object of their own here.
                let mut items = items.into_iter().map(|(_, violations)| violations);
                items.next().map_or_else(
                    || Problem::BadRequest("the user cannot be made".to_owned()),
                    |violations| Problem::Validation(flat(&violations)),
                )
            }
        })
    })?;
    let users = state.system().users(account).await?;
    let with = With::role_and_group();
    let base = state.public_url();
    let place = format!("{base}/admin/v1/accounts/{account}/users/{}", user.id);
    Ok(HttpResponse::Created()
        .insert_header((header::LOCATION, place))
        .json(UserView::of(base, &users, &user, &with, None)))
}

/// `GET …/users/{user}`: one user.
pub(crate) async fn show(
    _: Operator,
    path: web::Path<(String, String)>,
    state: web::Data<AppState>,
) -> Result<HttpResponse, Problem> {
    let holder = holder(&state, &path.0, &path.1).await?;
    let users = state.system().users(holder.account).await?;
    let user = users.get(holder.user).ok_or_else(unknown)?;
    let with = With::role_and_group();
    let view = UserView::of(state.public_url(), &users, user, &with, None);
    Ok(HttpResponse::Ok().json(view))
}

/// `PATCH …/users/{user}`: changes what is named and leaves the rest.
pub(crate) async fn change(
    _: Operator,
    path: web::Path<(String, String)>,
    request: HttpRequest,
    payload: web::Payload,
    state: web::Data<AppState>,
) -> Result<HttpResponse, Problem> {
    let Holder { account, user } = holder(&state, &path.0, &path.1).await?;
    let bytes = read_json(&request, payload, state.body_limit()).await?;
    let (mut change, standing) = read(&bytes, |body| {
        body.refuse_unknown(&[
            "name",
            "email",
            "lang",
            "is_admin",
            "is_free",
            "is_active",
            "role_id",
            "group_id",
        ]);
        let change = ChangeUser {
            name: body.optional_parsed("name"),
            email: body.optional_parsed("email"),
            lang: body.optional_choice("lang", &Lang::NAMES),
            group: number(body, "group_id").map(GroupId),
            active: body.optional_bool("is_active"),
            ..ChangeUser::nothing(By::Operator, user)
        };
        Some((change, Wanted::read(body)))
    })?;
    let system = state.system();
    let before = system.users(account).await?;
    let before = before.get(user).ok_or_else(unknown)?;
    change.standing = match standing.given() {
        None if standing.takes_away(&before.standing) => Some(system.denied(account).await?),
        given => given,
    };
    let changed = system.change_user(account, change).await;
    let changed = changed.map_err(refused)?;
    let users = system.users(account).await?;
    let with = With::role_and_group();
    let view = UserView::of(state.public_url(), &users, &changed, &with, None);
    Ok(HttpResponse::Ok().json(view))
}

/// `POST …/users/{user}/password`: gives a user another password, which ends all their sessions.
pub(crate) async fn password(
    _: Operator,
    path: web::Path<(String, String)>,
    request: HttpRequest,
    payload: web::Payload,
    state: web::Data<AppState>,
) -> Result<HttpResponse, Problem> {
    let Holder { account, user } = holder(&state, &path.0, &path.1).await?;
    let bytes = read_json(&request, payload, state.body_limit()).await?;
    let password = read(&bytes, |body| {
        body.refuse_unknown(&["password"]);
        body.required_parsed("password")
    })?;
    let system = state.system();
    let set = system.set_password(account, By::Operator, user, password);
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
    Problem::NotFound(ChangeUserRejection::Unknown.to_string())
}

fn refused(refused: Refused<ChangeUserRejection>) -> Problem {
    refused.into_error(|rejection| match rejection {
        ChangeUserRejection::Unknown => unknown(),
        last @ ChangeUserRejection::LastAdministrator => Problem::Conflict(last.to_string()),
        taken @ ChangeUserRejection::EmailTaken => wrong("email", taken.to_string()),
        role @ ChangeUserRejection::UnknownRole => wrong("role_id", role.to_string()),
        group @ ChangeUserRejection::UnknownGroup => wrong("group_id", group.to_string()),
    })
}

/// What a body says of where a user's rights come from.
#[derive(Clone, Copy, Debug)]
struct Wanted {
    admin: Option<bool>,
    free: Option<bool>,
    role: Option<RoleId>,
}

impl Wanted {
    fn read(body: &ObjectReader<'_, '_>) -> Self {
        let wanted = Self {
            admin: body.optional_bool("is_admin"),
            free: body.optional_bool("is_free"),
            role: number(body, "role_id").map(RoleId),
        };
        let given = [
            ("is_admin", wanted.admin == Some(true)),
            ("is_free", wanted.free == Some(true)),
            ("role_id", wanted.role.is_some()),
        ];
        for (name, _) in given.into_iter().filter(|(_, given)| *given).skip(1) {
            let detail = "only one of is_admin, is_free and role_id can be given".to_owned();
            body.reject(name, ViolationCode::InvalidValue, detail);
        }
        wanted
    }

    fn given(self) -> Option<Standing> {
        match self {
            Self {
                admin: Some(true), ..
            } => Some(Standing::Administrator),
            Self {
                free: Some(true), ..
            } => Some(Standing::Free),
            Self { role, .. } => role.map(Standing::Role),
        }
    }

    /// Whether a flag that the user has is taken away, and nothing put in its place.
    fn takes_away(self, standing: &Standing) -> bool {
        match standing {
            Standing::Administrator => self.admin == Some(false),
            Standing::Free => self.free == Some(false),
            Standing::Role(_) | Standing::Own(_) => false,
        }
    }
}

fn number(body: &ObjectReader<'_, '_>, name: &str) -> Option<u64> {
    let number = body.optional_integer(name, 1..=i64::MAX)?;
    u64::try_from(number).ok()
}
