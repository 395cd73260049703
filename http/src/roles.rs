//! Roles of an account, `/api/v4/roles`: for its administrators.

pub(crate) mod add;
pub(crate) mod delete;
pub(crate) mod edit;
pub(crate) mod get;
pub(crate) mod list;
pub(crate) mod view;

use serde_json::{Value, json};
use switchboard_actors::domain::account::rights::{Grant, Right};
use switchboard_actors::wire::account_body::rights;

use crate::openapi::{Field, Schema, may, must};
use crate::reply::problem::Problem;

/// Where the roles are.
pub(crate) const PATH: &str = "/api/v4/roles";

/// The same for roles of others, roles that were deleted and roles that never were.
fn unknown() -> Problem {
    Problem::NotFound("there is no such role".to_owned())
}

/// Rights in bodies.
pub(crate) fn rights_fields() -> Vec<Field> {
    let (right, grant) = (Schema::of::<Right>, Schema::of::<Grant>);
    let level = |(name, is_grant)| may(name, if is_grant { grant() } else { right() });
    let entity = || {
        let rights = Schema::object(rights::ENTITY_KEYS.map(level));
        Schema::named("EntityRightsGiven", rights)
    };
    let tasks = Schema::object(rights::TASK_KEYS.map(|name| may(name, right())));
    let rights = Schema::object(rights::STAGE_KEYS.map(|name| may(name, grant())));
    let stage = Schema::object([
        must("entity_type", Schema::only("leads")),
        must("pipeline_id", Schema::number()),
        must("status_id", Schema::number()),
        must("rights", rights),
    ])
    .open();
    let needed = "Needed without role_id and is_free, but for a change of a role.";
    vec![
        may("leads", entity().says(needed)),
        may("contacts", entity().says(needed)),
        may("companies", entity().says(needed)),
        may("tasks", tasks.says(needed)),
        may("mail_access", Schema::boolean().or_null()),
        may("catalog_access", Schema::boolean().or_null()),
        may(
            "status_rights",
            Schema::list(stage)
                .or_null()
                .says("Null: none but those on unsorted stages, without access."),
        ),
    ]
}

/// Rights that are taken.
pub(crate) fn rights_example() -> Value {
    json!({
        "leads": { "view": "G", "edit": "M", "add": "A", "delete": "D", "export": "D" },
        "contacts": { "view": "A" },
        "companies": {},
        "tasks": { "edit": "M", "delete": "D" },
        "mail_access": false,
        "catalog_access": false,
        "status_rights": [
            { "entity_type": "leads", "pipeline_id": 1, "status_id": 2, "rights": { "view": "A", "edit": "D" } },
        ],
    })
}

/// A role in bodies: its own fields, and its rights.
fn with_rights(fields: impl Iterator<Item = Field>) -> Vec<Field> {
    let mut rights = rights_fields();
    // What a copied user has, and a role cannot.
    rights.extend([
        may("is_admin", Schema::only(false).or_null()),
        may("is_free", Schema::only(false).or_null()),
        may("role_id", Schema::only(Value::Null)),
        may("group_id", Schema::only(Value::Null)),
    ]);
    let rights = may("rights", Schema::object(rights).open());
    fields.chain([rights]).collect()
}
