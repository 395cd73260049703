//! A user as answers show one.

use std::sync::Arc;

use serde::Serialize;
use serde_json::Value;
use switchboard_actors::domain::account::group::Group;
use switchboard_actors::domain::account::rights::granted::Rights;
use switchboard_actors::domain::account::user::{Rank, Standing, User};
use switchboard_actors::domain::account::users::Users;
use switchboard_actors::domain::id::{AccountId, GroupId, PersonId, RoleId, UserId};
use switchboard_actors::domain::installation::accounts::Lang;

use crate::http::extract::query::Query;
use crate::http::openapi::{Schema, may, must};
use crate::http::reply::hal;
use crate::http::reply::hal::Links;
use crate::http::reply::problem::Problem;
use crate::http::roles;
use crate::http::roles::view::RightsView;
use crate::http::state::AppState;
use crate::http::users::PATH;

/// What a client wants to see beside the user. Interface B lists the words; others are ignored.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct With {
    role: bool,
    group: bool,
    uuid: bool,
    amojo_id: bool,
    user_rank: bool,
    phone_number: bool,
}

/// What is not in the user's own record.
pub(crate) struct Extra {
    amojo_id: PersonId,
    rank: Option<Rank>,
}

impl With {
    /// The role and the group.
    pub(crate) fn role_and_group() -> Self {
        Self {
            role: true,
            group: true,
            ..Self::default()
        }
    }

    pub(crate) fn of(query: &Query) -> Self {
        let mut with = Self::default();
        for word in query.words("with") {
            match word {
                "role" => with.role = true,
                "group" => with.group = true,
                "uuid" => with.uuid = true,
                "amojo_id" => with.amojo_id = true,
                "user_rank" => with.user_rank = true,
                "phone_number" => with.phone_number = true,
                _ => {}
            }
        }
        with
    }

    /// What these users' records do not hold, in their order.
    pub(crate) async fn extras(
        &self,
        state: &AppState,
        account: AccountId,
        users: &[&Arc<User>],
    ) -> Result<Vec<Extra>, Problem> {
        let system = state.system();
        let numbers: Vec<UserId> = users.iter().map(|user| user.id).collect();
        let ranks = if self.user_rank {
            system.ranks(account, numbers.clone()).await?
        } else {
            Vec::new()
        };
        let mut ranks = ranks.into_iter();
        Ok(numbers
            .into_iter()
            .map(|id| Extra {
                amojo_id: system.person_of(account, id),
                rank: ranks.next(),
            })
            .collect())
    }
}

/// A user.
#[derive(Serialize)]
pub(crate) struct UserView<'u> {
    id: UserId,
    name: &'u str,
    email: &'u str,
    lang: Lang,
    rights: UserRights<'u>,
    // Two options: whether it is shown, and whether there is one.
    #[serde(skip_serializing_if = "Option::is_none")]
    uuid: Option<Option<&'static str>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    amojo_id: Option<PersonId>,
    #[serde(skip_serializing_if = "Option::is_none")]
    user_rank: Option<Rank>,
    #[serde(skip_serializing_if = "Option::is_none")]
    phone_number: Option<Option<&'static str>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    request_id: Option<String>,
    #[serde(rename = "_links")]
    links: Links,
    #[serde(rename = "_embedded", skip_serializing_if = "Option::is_none")]
    embedded: Option<Embedded<'u>>,
}

#[derive(Serialize)]
struct UserRights<'u> {
    #[serde(flatten)]
    rights: RightsView<'u>,
    is_admin: bool,
    is_free: bool,
    is_active: bool,
    group_id: GroupId,
    role_id: Option<RoleId>,
}

#[derive(Serialize)]
struct Embedded<'u> {
    #[serde(skip_serializing_if = "Option::is_none")]
    roles: Option<Vec<RoleName<'u>>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    groups: Option<Vec<&'u Group>>,
}

#[derive(Serialize)]
struct RoleName<'u> {
    id: RoleId,
    name: &'u str,
    #[serde(rename = "_links")]
    links: Links,
}

impl<'u> UserView<'u> {
    /// A user with what was asked for beside.
    pub(crate) fn of(
        base: &str,
        users: &'u Users,
        user: &'u User,
        with: &With,
        extra: Option<Extra>,
    ) -> Self {
        let embedded = (with.role || with.group).then(|| Embedded {
            roles: with.role.then(|| role_of(base, users, user)),
            groups: with
                .group
                .then(|| users.groups().get(&user.group).into_iter().collect()),
        });
        let (amojo_id, rank) =
            extra.map_or((None, None), |extra| (Some(extra.amojo_id), extra.rank));
        Self {
            // Neither is known of anybody.
            uuid: with.uuid.then_some(None),
            phone_number: with.phone_number.then_some(None),
            amojo_id: amojo_id.filter(|_| with.amojo_id),
            user_rank: rank,
            embedded,
            ..Self::added(base, users, user, None)
        }
    }

    /// A user as the answer to their creation shows them.
    pub(crate) fn added(
        base: &str,
        users: &'u Users,
        user: &'u User,
        request_id: Option<String>,
    ) -> Self {
        Self {
            id: user.id,
            name: user.name.as_str(),
            email: user.email.as_str(),
            lang: user.lang,
            rights: UserRights {
                rights: shown_rights(users, user),
                is_admin: user.is_admin(),
                is_free: user.standing == Standing::Free,
                is_active: user.active,
                group_id: user.group,
                role_id: user.role(),
            },
            uuid: None,
            amojo_id: None,
            user_rank: None,
            phone_number: None,
            request_id,
            links: Links::to(&format!("{base}{PATH}/{}", user.id)),
            embedded: None,
        }
    }
}

/// The role's rights when there is a role, nothing for a free user, everything for an administrator.
fn shown_rights<'u>(users: &'u Users, user: &'u User) -> RightsView<'u> {
    let held = |rights: &'u Rights| RightsView::of(rights);
    match &user.standing {
        Standing::Administrator => RightsView::ALL,
        Standing::Free => RightsView::DENIED,
        Standing::Own(rights) => held(rights),
        Standing::Role(role) => {
            let role = users.roles().get(role);
            role.map_or(RightsView::DENIED, |role| held(&role.rights))
        }
    }
}

fn role_of<'u>(base: &str, users: &'u Users, user: &User) -> Vec<RoleName<'u>> {
    let role = user.role().and_then(|role| users.roles().get(&role));
    let named = role.map(|role| RoleName {
        id: role.id,
        name: role.name.as_str(),
        links: Links::to(&format!("{base}{}/{}", roles::PATH, role.id)),
    });
    named.into_iter().collect()
}

/// What may be asked for beside the user.
pub(super) fn with_schema() -> Schema {
    Schema::text().says("Words with commas: `role`, `group`, `uuid`, `amojo_id`, `user_rank`, `phone_number`. Others are not looked at.")
}

/// A user.
pub(crate) fn schema() -> Schema {
    let mut rights = roles::view::rights_schema_fields();
    rights.extend([
        must("is_admin", Schema::boolean()),
        must("is_free", Schema::boolean()),
        must("is_active", Schema::boolean()),
        must("group_id", Schema::number()),
        must("role_id", Schema::number().or_null()),
    ]);
    let role = Schema::object([
        must("id", Schema::number()),
        must("name", Schema::text()),
        hal::links(),
    ]);
    let group = Schema::object([must("id", Schema::number()), must("name", Schema::text())]);
    let embedded = Schema::object([
        may("roles", Schema::list(role)),
        may("groups", Schema::list(group)),
    ]);
    let user = Schema::object([
        must("id", Schema::number()),
        must("name", Schema::text()),
        must("email", Schema::text()),
        must("lang", Schema::choice(&Lang::NAMES)),
        must("rights", Schema::object(rights)),
        may("uuid", Schema::only(Value::Null)),
        may(
            "amojo_id",
            Schema::uuid().says("The user's id in the chat service."),
        ),
        may(
            "user_rank",
            Schema::words(["newbie", "candidate", "master"]),
        ),
        may("phone_number", Schema::only(Value::Null)),
        may("request_id", Schema::text()),
        hal::links(),
        may("_embedded", embedded),
    ]);
    Schema::named("User", user)
}
