//! The administrators' changes of roles. Reading them is reading the users, who have a copy of them.

use crate::domain::account::role::Role;
use crate::domain::account::roles::create::{CreateRoles, CreateRolesRejection, NewRole};
use crate::domain::account::roles::delete::{DeleteRole, DeleteRoleRejection};
use crate::domain::account::roles::update::{RolePatch, UpdateRole, UpdateRoleRejection};
use crate::domain::account::roles::{Governed, Roles};
use crate::domain::audit::By;
use crate::domain::id::{AccountId, RoleId};
use crate::system::System;
use switchboard_engine::runtime::joint::execute_joint;
use switchboard_engine::state::Command;
use switchboard_runtime::error::CommandError;
use switchboard_runtime::owners::roles::Govern;

impl System {
    /// Adds roles, all of them or none; answers once they are on disk.
    ///
    /// # Errors
    /// When the account would have too many, or nothing can be stored now.
    pub async fn create_roles(
        &self,
        account: AccountId,
        by: By,
        roles: Vec<NewRole>,
    ) -> Result<Vec<Role>, CommandError<CreateRolesRejection>> {
        let command = CreateRoles {
            by: by.clone(),
            roles,
        };
        self.govern(account, by, command).await
    }

    /// Changes a role for itself and all its holders at once; answers once that is on disk.
    ///
    /// # Errors
    /// When the account has no such role, its rights would contradict each other, or nothing can be stored now.
    pub async fn update_role(
        &self,
        account: AccountId,
        by: By,
        id: RoleId,
        patch: RolePatch,
    ) -> Result<Option<Role>, CommandError<UpdateRoleRejection>> {
        let command = UpdateRole {
            by: by.clone(),
            id,
            patch,
        };
        let roles = self.govern(account, by, command).await?;
        Ok(roles.into_iter().next())
    }

    /// Deletes a role. Its holders keep its rights as their own, from the same moment on; answers once that is on disk.
    ///
    /// # Errors
    /// When the account has no such role, or nothing can be stored now.
    pub async fn delete_role(
        &self,
        account: AccountId,
        by: By,
        id: RoleId,
    ) -> Result<(), CommandError<DeleteRoleRejection>> {
        let command = DeleteRole { by: by.clone(), id };
        self.govern(account, by, command).await.map(drop)
    }

    async fn govern<C: Command<Of = Roles, Reply = Governed>>(
        &self,
        account: AccountId,
        by: By,
        command: C,
    ) -> Result<Vec<Role>, CommandError<C::Rejection>> {
        let _accepted = self.kernel().gate.enter()?;
        let govern = Govern {
            account,
            by,
            command,
        };
        execute_joint(self.kernel(), &account, govern).await
    }
}
