//! The bodies of `POST /api/v4/roles` and `PATCH /api/v4/roles/{id}`.

use crate::account_body::batch::{self, BatchError, Called};
use crate::account_body::rights::{self, Presence, RightsBody};
use crate::body::Body;
use crate::body::value::Unread;
use crate::domain::account::rights::granted::Rights;
use crate::domain::account::rights::patch::RightsPatch;
use crate::domain::account::role::{Role, RoleFields};
use crate::domain::account::roles::create::{BATCH_MAX, NewRole};
use crate::domain::account::roles::update::RolePatch;
use crate::domain::crm::Pipeline;
use crate::domain::violation::ViolationCode;
use crate::json::node::Node;
use crate::json::object::ObjectReader;
use crate::schema::Schema;
use crate::{body, body_values};

body!(
    /// A role to be added.
    #[body(open)]
    pub struct NewRoleBody {
        #[body(given(New))]
        fields: RoleFields,
        rights: Option<Unread<RoleRightsBody>>,
        #[body(flatten)]
        called: Called,
    }

    /// A change of a role.
    #[body(open)]
    pub struct ChangedRoleBody {
        #[body(given(Update))]
        fields: RoleFields,
        rights: Option<Unread<RoleRightsBody>>,
    }

    /// The rights of a role.
    #[body(open)]
    pub struct RoleRightsBody {
        #[body(flatten)]
        rights: RightsBody,
        #[body(flatten)]
        users: OfUsers,
    }

    /// Fields that a copied user has, and a role cannot have.
    #[body(open)]
    pub struct OfUsers {
        #[body(schema(Schema::only(false)), null)]
        is_admin: Option<bool>,
        #[body(schema(Schema::only(false)), null)]
        is_free: Option<bool>,
        role_id: Option<Nothing>,
        group_id: Option<Nothing>,
    }
);

/// Null, in a field of users.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Nothing;

body_values! {
    Nothing: Schema::only(serde_json::Value::Null), |found| {
        found.null("a role cannot have this; it belongs to users").map(|()| Self)
    };
}

/// A role to be added.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RoleBody {
    /// The role.
    pub role: NewRole,
    /// The client's id of the role in this request.
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
    let NewRoleBody { fields, called, .. } = NewRoleBody::take(body)?;
    let base = Rights::denied(pipelines);
    let rights = match body.raw("rights") {
        None => Some(RightsPatch::default()),
        Some(_) => body.inner("rights").map(|rights| {
            refuse_flags(&rights);
            rights::read(&rights, &base, pipelines, Presence::Required)
        }),
    };
    Some(RoleBody {
        role: NewRole {
            name: fields.name?,
            rights: rights?.over(&base).ok()?,
        },
        request_id: called.name(),
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
        let ChangedRoleBody { fields, .. } = ChangedRoleBody::take(body)?;
        let rights = body.inner("rights").map(|rights| {
            refuse_flags(&rights);
            rights::read(&rights, &current.rights, pipelines, Presence::Optional)
        });
        Some(RolePatch {
            name: fields.name,
            rights: rights.unwrap_or_default(),
        })
    })
}

/// Refuses the flags of users in the rights of a role. Administrators and free users are no roles. `false` and null are
/// harmless: a copied user has them.
fn refuse_flags(rights: &ObjectReader<'_, '_>) {
    let Some(users) = OfUsers::take(rights) else {
        return;
    };
    for (flag, value) in [("is_admin", users.is_admin), ("is_free", users.is_free)] {
        if value == Some(true) {
            let detail = "a role cannot have this; it is a flag of users".to_owned();
            rights.reject(flag, ViolationCode::InvalidValue, detail);
        }
    }
}
