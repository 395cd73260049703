//! Roles of an account, `/api/v4/roles`: for its administrators.

pub(crate) mod create;
pub(crate) mod delete;
pub(crate) mod get;
pub(crate) mod list;
pub(crate) mod update;
pub(crate) mod view;

use serde_json::{Value, json};

use crate::reply::problem::Problem;

/// The address of the roles.
pub(crate) const PATH: &str = "/api/v4/roles";

/// The same for roles of others, roles that were deleted and roles that never were.
fn unknown() -> Problem {
    Problem::NotFound("there is no such role".to_owned())
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
