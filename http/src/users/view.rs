//! A user as answers show one.

use std::sync::Arc;

use switchboard_actors::domain::account::group::Group;
use switchboard_actors::domain::account::role::Role;
use switchboard_actors::domain::account::user::{Rank, Standing, User};
use switchboard_actors::domain::account::users::Users;
use switchboard_actors::domain::crm::Pipeline;
use switchboard_actors::domain::id::{AccountId, GroupId, PersonId, RoleId, UserId};
use switchboard_actors::domain::installation::accounts::Lang;

use crate::extract::query::Query;
use crate::openapi::Schema;
use crate::reply::hal::Links;
use crate::reply::problem::Problem;
use crate::roles;
use crate::roles::view::RightsView;
use crate::state::AppState;
use crate::users::PATH;

/// The parts that a response has beside the user, by the words of the parameter `with`; other words are ignored.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct With {
    role: bool,
    group: bool,
    uuid: bool,
    amojo_id: bool,
    user_rank: bool,
    phone_number: bool,
}

/// The parts of a view that the user's own record lacks.
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

    pub(crate) fn from_query(query: &Query) -> Self {
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

    /// The parts that these users' records lack, in their order.
    pub(crate) async fn extras(
        &self,
        state: &AppState,
        account: AccountId,
        users: &[&Arc<User>],
    ) -> Result<Vec<Extra>, Problem> {
        let system = state.system();
        let numbers: Vec<UserId> = users.iter().map(|user| user.id).collect();
        let all_ranks = if self.user_rank {
            system.ranks(account, numbers.clone()).await?
        } else {
            Vec::new()
        };
        let mut ranks = all_ranks.into_iter();
        Ok(numbers
            .into_iter()
            .map(|id| Extra {
                amojo_id: system.person_of(account, id),
                rank: ranks.next(),
            })
            .collect())
    }
}

fields! {
    #[schemars(rename = "User")]
    pub(crate) struct UserView<'u> {
        id: UserId,
        name: &'u str,
        email: &'u str,
        lang: Lang,
        rights: UserRights,
        // Nothing is known of this or of the phone number of anybody: it is null where it is asked for.
        uuid ?: (),
        /// The user's id in the chat service.
        amojo_id ?: PersonId,
        user_rank ?: Rank,
        phone_number ?: (),
        request_id ?: String,
        _links: Links,
        _embedded ?: Embedded<'u>,
    }
}

fields! {
    #[schemars(inline)]
    struct UserRights {
        #[serde(flatten)]
        rights: RightsView,
        is_admin: bool,
        is_free: bool,
        is_active: bool,
        group_id: GroupId,
        role_id: Option<RoleId>,
    }
}

fields! {
    #[schemars(inline)]
    struct Embedded<'u> {
        roles ?: Vec<RoleName<'u>>,
        groups ?: Vec<&'u Group>,
    }
}

view! {
    #[schemars(inline)]
    struct RoleName<'u>(base: &str, role: &'u Role) {
        id: RoleId = role.id,
        name: &'u str = role.name.as_str(),
        _links: Links = Links::to(format!("{base}{}/{}", roles::PATH, role.id)),
    }
}

impl<'u> UserView<'u> {
    /// A user with what was asked for beside.
    pub(crate) fn new(
        base: &str,
        users: &'u Users,
        pipelines: &[Pipeline],
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
            uuid: with.uuid.then_some(()),
            phone_number: with.phone_number.then_some(()),
            amojo_id: amojo_id.filter(|_| with.amojo_id),
            user_rank: rank,
            _embedded: embedded,
            ..Self::added(base, users, pipelines, user, None)
        }
    }

    /// A user as the answer to their creation shows them.
    pub(crate) fn added(
        base: &str,
        users: &'u Users,
        pipelines: &[Pipeline],
        user: &'u User,
        request_id: Option<String>,
    ) -> Self {
        Self {
            id: user.id,
            name: user.name.as_str(),
            email: user.email.as_str(),
            lang: user.lang,
            rights: UserRights {
                rights: shown_rights(users, pipelines, user),
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
            _links: Links::to(format!("{base}{PATH}/{}", user.id)),
            _embedded: None,
        }
    }
}

/// The role's rights when there is a role, nothing for a free user, everything for an administrator.
fn shown_rights(users: &Users, pipelines: &[Pipeline], user: &User) -> RightsView {
    match &user.standing {
        Standing::Administrator => RightsView::all(),
        Standing::Free => RightsView::denied(),
        Standing::Own(rights) => RightsView::new(rights, pipelines),
        Standing::Role(role) => {
            let role = users.roles().get(role);
            role.map_or_else(RightsView::denied, |role| {
                RightsView::new(&role.rights, pipelines)
            })
        }
    }
}

fn role_of<'u>(base: &str, users: &'u Users, user: &User) -> Vec<RoleName<'u>> {
    let role = user.role().and_then(|role| users.roles().get(&role));
    role.map(|role| RoleName::new(base, role))
        .into_iter()
        .collect()
}

/// The schema of the parts that `with` adds.
pub(super) fn with_schema() -> Schema {
    Schema::text().says("Words with commas: `role`, `group`, `uuid`, `amojo_id`, `user_rank`, `phone_number`. Others are ignored.")
}
