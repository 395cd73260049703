//! An administrator deletes a role. Its holders keep the rights that it gave them, as rights of their own.

use crate::Decision;
use crate::account::roles::{Governed, Roles, RolesChange, RolesEvent, governed};
use crate::audit::By;
use crate::id::RoleId;
use switchboard_engine::state::{Command, Moment};

/// A role to be deleted.
#[derive(Clone, Debug)]
pub struct DeleteRole {
    /// The actor, for the audit log.
    pub by: By,
    /// The role to delete.
    pub id: RoleId,
}

/// The account has no such role: it never had, or it was deleted.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("there is no such role")]
pub struct DeleteRoleRejection;

impl Command for DeleteRole {
    type Of = Roles;
    type Reply = Governed;
    type Rejection = DeleteRoleRejection;

    fn decide(
        self,
        state: &Roles,
        moment: &mut Moment<'_, RolesEvent>,
    ) -> Result<Decision<RolesEvent, Governed>, DeleteRoleRejection> {
        let role = state.get(self.id).ok_or(DeleteRoleRejection)?;
        let change = RolesChange::Deleted(role.id);
        let roles = vec![role.clone()];
        Ok(governed(
            state,
            change,
            self.by,
            "role.delete",
            roles,
            moment,
        ))
    }
}
