//! A role as answers show one, and the rights of roles and users.

use std::collections::BTreeMap;

use switchboard_actors::domain::account::rights::entity::EntityRights;
use switchboard_actors::domain::account::rights::granted::Rights;
use switchboard_actors::domain::account::rights::stage::StageRights;
use switchboard_actors::domain::account::rights::task::TaskRights;
use switchboard_actors::domain::account::rights::{EntityAction, Grant, Right};
use switchboard_actors::domain::account::role::Role;
use switchboard_actors::domain::account::users::Users;
use switchboard_actors::domain::crm::Pipeline;
use switchboard_actors::domain::id::{PipelineId, RoleId, StageId, UserId};

use crate::extract::query::Query;
use crate::reply::hal::Links;
use crate::roles::PATH;

fields! {
    #[schemars(rename = "Role")]
    pub(super) struct RoleView<'r> {
        id: RoleId,
        name: &'r str,
        rights: RightsView,
        request_id ?: String,
        _links: Links,
        _embedded ?: Holders<'r>,
    }
}

fields! {
    #[schemars(inline)]
    struct Holders<'r> {
        users: &'r [UserId],
    }
}

/// For each role, who holds it.
pub(super) type HoldersOf = BTreeMap<RoleId, Vec<UserId>>;

/// The holders of all roles, when the query wants them.
pub(super) fn holders(query: &Query, users: &Users) -> Option<HoldersOf> {
    query
        .words("with")
        .any(|word| word == "users")
        .then(|| users.holders())
}

impl<'r> RoleView<'r> {
    /// A role, with its holders if they are wanted.
    pub(super) fn new(
        base: &str,
        role: &'r Role,
        pipelines: &[Pipeline],
        holders: Option<&'r HoldersOf>,
    ) -> Self {
        Self {
            _embedded: holders.map(|holders| Holders {
                users: holders.get(&role.id).map_or(&[], Vec::as_slice),
            }),
            ..Self::added(base, role, pipelines, None)
        }
    }

    /// A role as the answer to its creation shows it.
    pub(super) fn added(
        base: &str,
        role: &'r Role,
        pipelines: &[Pipeline],
        request_id: Option<String>,
    ) -> Self {
        Self {
            id: role.id,
            name: role.name.as_str(),
            rights: RightsView::new(&role.rights, pipelines),
            request_id,
            _links: Links::to(format!("{base}{PATH}/{}", role.id)),
            _embedded: None,
        }
    }
}

fields! {
    /// Rights, complete: all entities with all their keys.
    #[schemars(inline)]
    pub(crate) struct RightsView {
        leads: EntityView,
        contacts: EntityView,
        companies: EntityView,
        tasks: TasksView,
        mail_access: bool,
        catalog_access: bool,
        status_rights: Option<Vec<StageView>>,
    }
}

view! {
    #[schemars(rename = "EntityRights")]
    struct EntityView(rights: EntityRights) {
        view: Right = rights.right(EntityAction::View),
        edit: Right = rights.right(EntityAction::Edit),
        add: Grant = rights.add(),
        delete: Right = rights.right(EntityAction::Delete),
        export: Right = rights.right(EntityAction::Export),
    }

    #[schemars(inline)]
    struct TasksView(rights: TaskRights) {
        edit: Right = rights.edit(),
        delete: Right = rights.delete(),
    }

    #[schemars(inline)]
    struct StageView(pipeline: PipelineId, stage: StageId, rights: &StageRights) {
        #[schemars(extend("const" = "leads"))]
        entity_type: &'static str = "leads",
        pipeline_id: PipelineId = pipeline,
        status_id: StageId = stage,
        rights: StageGrants = StageGrants::new(rights),
    }

    #[schemars(inline)]
    struct StageGrants(rights: &StageRights) {
        view ?: Grant = rights.grant(EntityAction::View),
        edit ?: Grant = rights.grant(EntityAction::Edit),
        delete ?: Grant = rights.grant(EntityAction::Delete),
        export ?: Grant = rights.grant(EntityAction::Export),
    }
}

impl RightsView {
    /// Those of a free user.
    pub(crate) fn denied() -> Self {
        Self::flat(EntityRights::DENIED, TaskRights::DENIED, false)
    }

    /// Those of an administrator.
    pub(crate) fn all() -> Self {
        Self::flat(EntityRights::ALL, TaskRights::ALL, true)
    }

    fn flat(entity: EntityRights, tasks: TaskRights, access: bool) -> Self {
        Self {
            leads: EntityView::new(entity),
            contacts: EntityView::new(entity),
            companies: EntityView::new(entity),
            tasks: TasksView::new(tasks),
            mail_access: access,
            catalog_access: access,
            status_rights: None,
        }
    }

    /// The rights of a role, or of a user who holds none, in an account with these pipelines.
    pub(crate) fn new(rights: &Rights, pipelines: &[Pipeline]) -> Self {
        let rows = rights.stages.iter_known(pipelines);
        let stages = rows.map(|(pipeline, stage, rights)| StageView::new(pipeline, stage, rights));
        Self {
            leads: EntityView::new(rights.leads),
            contacts: EntityView::new(rights.contacts),
            companies: EntityView::new(rights.companies),
            tasks: TasksView::new(rights.tasks),
            mail_access: rights.mail_access,
            catalog_access: rights.catalog_access,
            status_rights: Some(stages.collect()),
        }
    }
}
