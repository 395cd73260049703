//! A role as answers show one, and the rights of roles and users.

use std::collections::BTreeMap;

use serde::{Serialize, Serializer};
use switchboard_actors::domain::account::rights::entity::EntityRights;
use switchboard_actors::domain::account::rights::granted::Rights;
use switchboard_actors::domain::account::rights::stage::{StageRights, StageRules};
use switchboard_actors::domain::account::rights::task::TaskRights;
use switchboard_actors::domain::account::rights::{Action, Grant, Right};
use switchboard_actors::domain::account::role::Role;
use switchboard_actors::domain::account::users::Users;
use switchboard_actors::domain::id::{PipelineId, RoleId, StageId, UserId};

use crate::http::extract::query::Query;
use crate::http::openapi::{Field, Schema, may, must};
use crate::http::reply::hal;
use crate::http::reply::hal::Links;
use crate::http::roles::PATH;

/// A role.
#[derive(Serialize)]
pub(super) struct RoleView<'r> {
    id: RoleId,
    name: &'r str,
    rights: RightsView<'r>,
    #[serde(skip_serializing_if = "Option::is_none")]
    request_id: Option<String>,
    #[serde(rename = "_links")]
    links: Links,
    #[serde(rename = "_embedded", skip_serializing_if = "Option::is_none")]
    embedded: Option<Holders<'r>>,
}

#[derive(Serialize)]
struct Holders<'r> {
    users: &'r [UserId],
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
    pub(super) fn of(base: &str, role: &'r Role, holders: Option<&'r HoldersOf>) -> Self {
        Self {
            embedded: holders.map(|holders| Holders {
                users: holders.get(&role.id).map_or(&[], Vec::as_slice),
            }),
            ..Self::added(base, role, None)
        }
    }

    /// A role as the answer to its creation shows it.
    pub(super) fn added(base: &str, role: &'r Role, request_id: Option<String>) -> Self {
        Self {
            id: role.id,
            name: role.name.as_str(),
            rights: RightsView::of(&role.rights),
            request_id,
            links: Links::to(&format!("{base}{PATH}/{}", role.id)),
            embedded: None,
        }
    }
}

/// Rights, complete: all entities with all their keys.
#[derive(Serialize)]
pub(crate) struct RightsView<'r> {
    #[serde(serialize_with = "entity")]
    leads: EntityRights,
    #[serde(serialize_with = "entity")]
    contacts: EntityRights,
    #[serde(serialize_with = "entity")]
    companies: EntityRights,
    #[serde(serialize_with = "tasks")]
    tasks: TaskRights,
    mail_access: bool,
    catalog_access: bool,
    #[serde(serialize_with = "stages")]
    status_rights: Option<&'r StageRules>,
}

impl<'r> RightsView<'r> {
    /// Those of a free user.
    pub(crate) const DENIED: RightsView<'static> = RightsView {
        leads: EntityRights::DENIED,
        contacts: EntityRights::DENIED,
        companies: EntityRights::DENIED,
        tasks: TaskRights::DENIED,
        mail_access: false,
        catalog_access: false,
        status_rights: None,
    };
    /// Those of an administrator.
    pub(crate) const ALL: RightsView<'static> = RightsView {
        leads: EntityRights::ALL,
        contacts: EntityRights::ALL,
        companies: EntityRights::ALL,
        tasks: TaskRights::ALL,
        mail_access: true,
        catalog_access: true,
        status_rights: None,
    };

    /// Those of a role, or of somebody who holds none.
    pub(crate) fn of(rights: &'r Rights) -> Self {
        Self {
            leads: rights.leads,
            contacts: rights.contacts,
            companies: rights.companies,
            tasks: rights.tasks,
            mail_access: rights.mail_access,
            catalog_access: rights.catalog_access,
            status_rights: Some(&rights.stages),
        }
    }
}

fn entity<S: Serializer>(rights: &EntityRights, serializer: S) -> Result<S::Ok, S::Error> {
    serializer.collect_map(Action::ALL.map(|action| (action.key(), rights.right(action))))
}

fn tasks<S: Serializer>(rights: &TaskRights, serializer: S) -> Result<S::Ok, S::Error> {
    let rights: [(&str, Right); 2] = [("edit", rights.edit()), ("delete", rights.delete())];
    serializer.collect_map(rights)
}

#[derive(Serialize)]
struct StageView<'r> {
    entity_type: &'static str,
    pipeline_id: PipelineId,
    status_id: StageId,
    #[serde(serialize_with = "stage")]
    rights: &'r StageRights,
}

fn stages<S: Serializer>(stages: &Option<&StageRules>, serializer: S) -> Result<S::Ok, S::Error> {
    match stages {
        None => serializer.serialize_none(),
        Some(stages) => {
            serializer.collect_seq(stages.iter().map(|(pipeline_id, status_id, rights)| {
                StageView {
                    entity_type: "leads",
                    pipeline_id,
                    status_id,
                    rights,
                }
            }))
        }
    }
}

fn stage<S: Serializer>(rights: &&StageRights, serializer: S) -> Result<S::Ok, S::Error> {
    let given = |action: Action| {
        let grant: Option<Grant> = rights.grant(action);
        grant.map(|grant| (action.key(), grant))
    };
    serializer.collect_map(Action::ALL.into_iter().filter_map(given))
}

/// A role.
pub(super) fn schema() -> Schema {
    let holders = Schema::object([must("users", Schema::list(Schema::number()))]);
    let role = Schema::object([
        must("id", Schema::number()),
        must("name", Schema::text()),
        must("rights", Schema::object(rights_schema_fields())),
        may("request_id", Schema::text()),
        hal::links(),
        may("_embedded", holders),
    ]);
    Schema::named("Role", role)
}

/// Rights in answers.
pub(crate) fn rights_schema_fields() -> Vec<Field> {
    let entity = || Schema::named("EntityRights", entity_schema(must));
    let rights = Schema::object([
        may("view", grant_schema()),
        may("edit", grant_schema()),
        may("delete", grant_schema()),
        may("export", grant_schema()),
    ]);
    let stage = Schema::object([
        must("entity_type", Schema::only("leads")),
        must("pipeline_id", Schema::number()),
        must("status_id", Schema::number()),
        must("rights", rights),
    ]);
    vec![
        must("leads", entity()),
        must("contacts", entity()),
        must("companies", entity()),
        must("tasks", tasks_schema(must)),
        must("mail_access", Schema::boolean()),
        must("catalog_access", Schema::boolean()),
        must("status_rights", Schema::list(stage).or_null()),
    ]
}

/// Rights over an entity.
pub(super) fn entity_schema(field: fn(&'static str, Schema) -> Field) -> Schema {
    Schema::object([
        field("view", right_schema()),
        field("edit", right_schema()),
        field("add", grant_schema()),
        field("delete", right_schema()),
        field("export", right_schema()),
    ])
}

/// Rights over tasks.
pub(super) fn tasks_schema(field: fn(&'static str, Schema) -> Field) -> Schema {
    Schema::object([
        field("edit", right_schema()),
        field("delete", right_schema()),
    ])
}

fn right_schema() -> Schema {
    Schema::choice(&Right::LETTERS)
        .says("A everything, G where somebody of the same group answers for it, M where the user does, D nothing.")
}

/// A right that is given or not.
pub(super) fn grant_schema() -> Schema {
    Schema::choice(&Grant::LETTERS).says("A yes, D no.")
}
