//! The operator changes an account.

use crate::Decision;
use crate::audit::By;
use crate::id::AccountId;
use crate::installation::accounts::settings::AccountChange;
use crate::installation::accounts::{Account, AccountRejection, Accounts, AccountsEvent, set};
use switchboard_engine::state::{Command, Moment};

/// Changes an account.
#[derive(Clone, Debug)]
pub struct UpdateAccount {
    /// The actor, for the audit log.
    pub by: By,
    /// The account to change.
    pub id: AccountId,
    /// The changes.
    pub change: AccountChange,
}

impl Command for UpdateAccount {
    type Of = Accounts;
    type Reply = Account;
    type Rejection = AccountRejection;

    fn decide(
        self,
        state: &Accounts,
        moment: &mut Moment<'_, AccountsEvent>,
    ) -> Result<Decision<AccountsEvent, Account>, AccountRejection> {
        let current = state.get(self.id).ok_or(AccountRejection::Unknown)?;
        let settings = current.settings.clone().with(self.change);
        let account = current.with(settings, moment.now);
        if account.settings == current.settings {
            return Ok(Decision::unchanged(current.clone()));
        }
        state.check(&account)?;
        Ok(set(self.by, Some(current), account, moment))
    }
}
