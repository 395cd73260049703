//! The operator's changes of groups of users.

use crate::domain::account::group::Group;
use crate::domain::account::users::delete_group::{DeleteGroup, DeleteGroupRejection};
use crate::domain::account::users::groups::{
    CreateGroup, CreateGroupRejection, UpdateGroup, UpdateGroupRejection,
};
use crate::domain::id::AccountId;
use crate::system::System;
use switchboard_engine::runtime::ask::execute;
use switchboard_runtime::error::CommandError;

impl System {
    /// Creates a group.
    ///
    /// # Errors
    /// When there are too many, or nothing can be stored now.
    pub async fn create_group(
        &self,
        account: AccountId,
        group: CreateGroup,
    ) -> Result<Group, CommandError<CreateGroupRejection>> {
        execute(self.kernel(), &account, group).await
    }

    /// Gives a group another name.
    ///
    /// # Errors
    /// When there is none with this number, or nothing can be stored now.
    pub async fn update_group(
        &self,
        account: AccountId,
        group: UpdateGroup,
    ) -> Result<Group, CommandError<UpdateGroupRejection>> {
        execute(self.kernel(), &account, group).await
    }

    /// Deletes a group without users.
    ///
    /// # Errors
    /// When there is no group with this number, it is the default one, it has users, or nothing can be stored now.
    pub async fn delete_group(
        &self,
        account: AccountId,
        group: DeleteGroup,
    ) -> Result<(), CommandError<DeleteGroupRejection>> {
        execute(self.kernel(), &account, group).await
    }
}
