//! The bodies of `POST /api/v4/roles` and `PATCH /api/v4/roles/{id}`.

use crate::domain::account::rights::granted::Rights;
use crate::domain::account::rights::patch::RightsPatch;
use crate::domain::account::role::{Role, RoleFields};
use crate::domain::account::roles::add::{BATCH_MAX, NewRole};
use crate::domain::account::roles::edit::RolePatch;
use crate::domain::crm::Pipeline;
use crate::domain::field::When;
use crate::domain::violation::ViolationCode;
use crate::wire::account_body::batch::{self, BatchError};
use crate::wire::account_body::rights::{self, Presence};
use crate::wire::json::fields::BodyFields;
use crate::wire::json::node::Node;
use crate::wire::json::object::{Nulls, ObjectReader};

/// A role to be added.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RoleBody {
    /// The role.
    pub role: NewRole,
    /// What the client calls it in this request.
    pub request_id: Option<String>,
}

/// Reads one role, or an array of up to [`BATCH_MAX`]: clients send both.
///
/// # Errors
/// With everything that is wrong with any of the roles.
pub fn parse_add(body: &[u8], pipelines: &[Pipeline]) -> Result<Vec<RoleBody>, BatchError> {
    let root = batch::parse(body)?;
    let items = match &root {
        Node::Object(object) if object.is_empty() => return Err(BatchError::Empty),
        Node::Object(_) => std::slice::from_ref(&root),
        Node::List(_) => batch::items(&root, "roles", BATCH_MAX)?,
        Node::Null | Node::Bool(_) | Node::Unsigned(_) | Node::Negative(_) => {
            return Err(batch::wrong_root(&root, "an object or an array"));
        }
        Node::Float(_) | Node::Text(_) => {
            return Err(batch::wrong_root(&root, "an object or an array"));
        }
    };
    batch::read_items(items, |item| added(item, pipelines))
}

fn added(body: &ObjectReader<'_, '_>, pipelines: &[Pipeline]) -> Option<RoleBody> {
    let RoleFields { name } = RoleFields::read(&mut BodyFields::of(body, When::New));
    let request_id = batch::request_id(body);
    let base = Rights::denied(pipelines);
    let rights = match body.raw("rights") {
        None => Some(RightsPatch::default()),
        Some(_) => body.optional_object("rights").map(|rights| {
            refuse_flags(&rights);
            rights::read(&rights, &base, pipelines, Presence::Required)
        }),
    };
    Some(RoleBody {
        role: NewRole {
            name: name?,
            rights: rights?.over(&base).ok()?,
        },
        request_id: request_id.ok()?,
    })
}

/// Reads what is to change of the role `current`. Whether the result obeys the dependencies is checked against that
/// role.
///
/// # Errors
/// With everything that is wrong.
pub fn parse_edit(
    body: &[u8],
    current: &Role,
    pipelines: &[Pipeline],
) -> Result<RolePatch, BatchError> {
    let root = batch::parse(body)?;
    batch::one(&root, |body| {
        let RoleFields { name } = RoleFields::read(&mut BodyFields::of(body, When::Later));
        let rights = body.optional_object("rights").map(|rights| {
            refuse_flags(&rights);
            rights::read(&rights, &current.rights, pipelines, Presence::Optional)
        });
        Some(RolePatch {
            name,
            rights: rights.unwrap_or_default(),
        })
    })
}

/// Interface B, add-user dependency 4: «Administrator and free users are not roles; they are the flags». A role cannot
/// have a flag, so a request for one is refused. `false` and null are harmless: a copied user has them.
fn refuse_flags(rights: &ObjectReader<'_, '_>) {
    let lenient = rights.with_nulls(Nulls::Absent);
    for flag in ["is_admin", "is_free"] {
        if lenient.optional_bool(flag) == Some(true) {
            let detail = "a role cannot have this; it is a flag of users".to_owned();
            rights.reject(flag, ViolationCode::InvalidValue, detail);
        }
    }
    for reference in ["role_id", "group_id"] {
        if !matches!(rights.raw(reference), None | Some(Node::Null)) {
            let detail = "a role cannot have this; it belongs to users".to_owned();
            rights.reject(reference, ViolationCode::InvalidValue, detail);
        }
    }
}
