//! The operator's changes of accounts.

use crate::domain::installation::accounts::create::CreateAccount;
use crate::domain::installation::accounts::update::UpdateAccount;
use crate::domain::installation::accounts::{Account, AccountRejection, Accounts};
use crate::system::System;
use switchboard_engine::runtime::ask::execute;
use switchboard_runtime::error::{CommandError, UnavailableError};

impl System {
    /// All accounts, once the state they are read from is on disk.
    ///
    /// # Errors
    /// When they cannot be read now.
    pub async fn accounts(&self) -> Result<Accounts, UnavailableError> {
        Ok(self.look::<Accounts>(&()).await?.unwrap_or_default())
    }

    /// Returns whether no user can sign in yet: there is no account, or the only one has no user.
    ///
    /// # Errors
    /// When that cannot be read now.
    pub async fn is_without_users(&self) -> Result<bool, UnavailableError> {
        let accounts = self.accounts().await?;
        let mut all = accounts.iter();
        match (all.next(), all.next()) {
            (None, _) => Ok(true),
            (Some(only), None) => Ok(self.users(only.id).await?.iter().next().is_none()),
            (Some(_), Some(_)) => Ok(false),
        }
    }

    /// Makes an account.
    ///
    /// # Errors
    /// When there is one with this id, there are too many, or nothing can be stored now.
    pub async fn create_account(
        &self,
        account: CreateAccount,
    ) -> Result<Account, CommandError<AccountRejection>> {
        execute(self.kernel(), &(), account).await
    }

    /// Changes an account.
    ///
    /// # Errors
    /// When there is none with this id, a field would get the number of a custom field, or nothing can be stored now.
    pub async fn update_account(
        &self,
        change: UpdateAccount,
    ) -> Result<Account, CommandError<AccountRejection>> {
        let numbers = [change.change.phone_field_id, change.change.email_field_id];
        if let Some(id) = self.taken_field(change.id, numbers).await? {
            return Err(CommandError::Rejected(AccountRejection::FieldTaken(id)));
        }
        execute(self.kernel(), &(), change).await
    }
}
