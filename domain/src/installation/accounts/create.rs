//! The operator makes an account.

use crate::Decision;
use crate::audit::By;
use crate::id::AccountId;
use crate::installation::accounts::settings::AccountSettings;
use crate::installation::accounts::{
    ACCOUNTS_MAX, Account, AccountRejection, Accounts, AccountsEvent, set,
};
use switchboard_engine::state::{Command, Moment};

/// Makes an account.
#[derive(Clone, Debug)]
pub struct CreateAccount {
    /// The actor, for the audit log.
    pub by: By,
    /// Its id; made when it is left out.
    pub id: Option<AccountId>,
    /// The settings.
    pub settings: AccountSettings,
}

impl Command for CreateAccount {
    type Of = Accounts;
    type Reply = Account;
    type Rejection = AccountRejection;

    fn decide(
        self,
        state: &Accounts,
        moment: &mut Moment<'_, AccountsEvent>,
    ) -> Result<Decision<AccountsEvent, Account>, AccountRejection> {
        let id = self
            .id
            .unwrap_or_else(|| AccountId::from_random((moment.random)()));
        if state.get(id).is_some() {
            return Err(AccountRejection::Exists);
        }
        if state.count() >= ACCOUNTS_MAX {
            return Err(AccountRejection::Full);
        }
        let account = state.new_account(id, self.settings, moment.now);
        state.check(&account)?;
        Ok(set(self.by, None, account, moment))
    }
}
