//! The operator's changes of users.

use std::sync::Arc;

use crate::domain::account::password::Password;
use crate::domain::account::rights::granted::Rights;
use crate::domain::account::user::User;
use crate::domain::account::users::create::CreateUsersRejection;
use crate::domain::account::users::fields::UserFields;
use crate::domain::account::users::update::{ChangeLimits, UpdateUser, UpdateUserRejection};
use crate::domain::audit::By;
use crate::domain::id::{AccountId, UserId};
use crate::domain::installation::accounts::Plan;
use crate::system::System;
use crate::system::users::UserToAdd;
use switchboard_engine::runtime::ask::execute;
use switchboard_runtime::error::{CommandError, UnavailableError};

impl System {
    /// Makes a user, an administrator too; whatever the account's plan.
    ///
    /// # Errors
    /// When the e-mail address is taken, a role or a group is not there, or nothing can be stored now.
    pub async fn create_user_of_account(
        &self,
        account: AccountId,
        by: By,
        user: UserToAdd,
    ) -> Result<Arc<User>, CommandError<CreateUsersRejection>> {
        let users = self.add(account, by, Plan::Enterprise, vec![user]).await?;
        users
            .into_iter()
            .next()
            .ok_or_else(|| UnavailableError::Interrupted.into())
    }

    /// Changes a user. Who is switched off is refused from the next request on.
    ///
    /// # Errors
    /// When there is none with this number, they are the last administrator, the e-mail address is another's, a role or a
    /// group is not there, or nothing can be stored now.
    pub async fn update_user_of_account(
        &self,
        account: AccountId,
        by: By,
        id: UserId,
        change: UserFields,
    ) -> Result<Arc<User>, CommandError<UpdateUserRejection>> {
        let command = UpdateUser {
            by,
            id,
            change,
            standing: None,
            limits: ChangeLimits::None,
            denied: self.denied(account).await?,
            password: None,
            notifications: None,
            presence: None,
        };
        execute(self.kernel(), &account, command).await
    }

    /// Gives a user another password, which ends all their sessions.
    ///
    /// # Errors
    /// When there is none with this number, or nothing can be stored now.
    pub async fn update_user_password(
        &self,
        account: AccountId,
        by: By,
        user: UserId,
        password: Password,
    ) -> Result<(), CommandError<UpdateUserRejection>> {
        let hash = self.hashed(password).await?;
        let command = UpdateUser {
            by,
            id: user,
            change: UserFields::default(),
            standing: None,
            limits: ChangeLimits::None,
            // No flag is taken away, so these rights are not given to anyone.
            denied: Rights::denied(&[]),
            password: Some(hash),
            notifications: None,
            presence: None,
        };
        let outcome = execute(self.kernel(), &account, command).await;
        outcome.map(drop)
    }

    /// The rights of a user who was given none.
    ///
    /// # Errors
    /// When it cannot be read now.
    pub(crate) async fn denied(&self, account: AccountId) -> Result<Rights, UnavailableError> {
        Ok(Rights::denied(&self.pipelines(account).await?))
    }
}
