//! An administrator changes a role: what is named changes, the rest stays.

use crate::Decision;
use crate::account::rights::patch::{Misplaced, RightsPatch};
use crate::account::role::Role;
use crate::account::roles::{Governed, Roles, RolesChange, RolesEvent, governed};
use crate::audit::By;
use crate::id::RoleId;
use crate::text::RoleName;
use crate::violation::{Violation, ViolationCode, Violations};
use switchboard_engine::state::{Command, Moment};

/// A role to be changed.
#[derive(Clone, Debug)]
pub struct UpdateRole {
    /// The actor, for the audit log.
    pub by: By,
    /// The role to change.
    pub id: RoleId,
    /// The changes.
    pub patch: RolePatch,
}

/// The changes of a role; a field that is `None` stays.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct RolePatch {
    /// The name.
    pub name: Option<RoleName>,
    /// The rights.
    pub rights: RightsPatch,
}

/// The reason not to change a role.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum UpdateRoleRejection {
    /// The account has no such role.
    #[error("there is no such role")]
    Unknown,
    /// The rights would contradict each other.
    #[error("{0}")]
    Wrong(Violations),
}

impl RolePatch {
    /// Returns the role with these changes.
    ///
    /// # Errors
    /// Every right that would be too wide.
    pub fn over(self, role: &Role) -> Result<Role, Vec<Misplaced>> {
        Ok(Role {
            id: role.id,
            rights: self.rights.over(&role.rights)?,
            name: self.name.unwrap_or_else(|| role.name.clone()),
        })
    }
}

impl Command for UpdateRole {
    type Of = Roles;
    type Reply = Governed;
    type Rejection = UpdateRoleRejection;

    fn decide(
        self,
        state: &Roles,
        moment: &mut Moment<'_, RolesEvent>,
    ) -> Result<Decision<RolesEvent, Governed>, UpdateRoleRejection> {
        let role = state.get(self.id).ok_or(UpdateRoleRejection::Unknown)?;
        let new_role = self.patch.over(role).map_err(|misplaced| {
            let mut violations = Violations::default();
            for wrong in misplaced {
                violations.push(Violation {
                    path: wrong.path(),
                    code: ViolationCode::InvalidValue,
                    detail: wrong.excess.to_string(),
                });
            }
            UpdateRoleRejection::Wrong(violations)
        })?;
        if &new_role == role {
            return Ok(Decision::unchanged(Governed {
                change: None,
                roles: vec![new_role],
            }));
        }
        let roles = vec![new_role];
        let change = RolesChange::Set(roles.clone());
        Ok(governed(
            state,
            change,
            self.by,
            "role.update",
            roles,
            moment,
        ))
    }
}
