//! An administrator adds roles, all of them or none.

use crate::Decision;
use crate::account::rights::granted::Rights;
use crate::account::role::Role;
use crate::account::roles::{Governed, Roles, RolesChange, RolesEvent, governed};
use crate::audit::By;
use crate::id::RoleId;
use crate::text::RoleName;
use switchboard_engine::state::{Command, Moment};

/// The most roles of one request.
pub const BATCH_MAX: usize = 10;
/// The most roles of one account.
pub const ROLES_MAX: usize = 1_000;

/// Roles to be added.
#[derive(Clone, Debug)]
pub struct CreateRoles {
    /// The actor, for the audit log.
    pub by: By,
    /// The roles, at most [`BATCH_MAX`].
    pub roles: Vec<NewRole>,
}

/// A role to be added.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct NewRole {
    /// Its name.
    pub name: RoleName,
    /// The rights of its holders.
    pub rights: Rights,
}

/// The rejection of more roles than an account may have.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("an account has at most {ROLES_MAX} roles; delete unused ones")]
pub struct CreateRolesRejection;

impl Command for CreateRoles {
    type Of = Roles;
    type Reply = Governed;
    type Rejection = CreateRolesRejection;

    fn decide(
        self,
        state: &Roles,
        moment: &mut Moment<'_, RolesEvent>,
    ) -> Result<Decision<RolesEvent, Governed>, CreateRolesRejection> {
        if state.roles.len().saturating_add(self.roles.len()) > ROLES_MAX {
            return Err(CreateRolesRejection);
        }
        let first = state.last.saturating_add(1);
        let roles: Vec<Role> = (first..)
            .zip(self.roles)
            .map(|(number, new)| Role {
                id: RoleId(number),
                name: new.name,
                rights: new.rights,
            })
            .collect();
        let change = RolesChange::Set(roles.clone());
        Ok(governed(
            state,
            change,
            self.by,
            "role.create",
            roles,
            moment,
        ))
    }
}
