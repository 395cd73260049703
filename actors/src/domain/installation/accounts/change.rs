//! The operator makes accounts and changes them.

use crate::domain::Decision;
use crate::domain::audit::By;
use crate::domain::id::AccountId;
use crate::domain::installation::accounts::settings::{AccountChange, AccountSettings};
use crate::domain::installation::accounts::{Account, Accounts, AccountsEvent, told};
use switchboard_engine::state::{Command, Moment, Recorded};

/// How many accounts an installation has at most.
pub const ACCOUNTS_MAX: usize = 10_000;

/// Makes an account.
#[derive(Clone, Debug)]
pub struct CreateAccount {
    /// Who does it.
    pub by: By,
    /// Its id; made when it is left out.
    pub id: Option<AccountId>,
    /// What can be set of it.
    pub settings: AccountSettings,
}

/// Changes an account.
#[derive(Clone, Debug)]
pub struct ChangeAccount {
    /// Who does it.
    pub by: By,
    /// Which.
    pub id: AccountId,
    /// What is to be different.
    pub change: AccountChange,
}

/// Why an account is not made or changed.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum AccountRejection {
    /// There is none with this id.
    #[error("there is no such account")]
    Unknown,
    /// There is one with this id.
    #[error("there is an account with this id already")]
    Exists,
    /// There are too many.
    #[error("there are {ACCOUNTS_MAX} accounts already")]
    Full,
}

impl Command for CreateAccount {
    type Of = Accounts;
    type Reply = Account;
    type Rejection = AccountRejection;

    fn decide(
        self,
        state: &Accounts,
        _found: &[Option<Recorded<AccountsEvent>>],
        moment: &mut Moment<'_>,
    ) -> Result<Decision<AccountsEvent, Account>, AccountRejection> {
        let id = self
            .id
            .unwrap_or_else(|| AccountId::from_random((moment.random)()));
        if state.get(id).is_some() {
            return Err(AccountRejection::Exists);
        }
        if state.iter().count() >= ACCOUNTS_MAX {
            return Err(AccountRejection::Full);
        }
        let account = Account {
            id,
            settings: self.settings,
        };
        Ok(set(self.by, None, account, moment))
    }
}

impl Command for ChangeAccount {
    type Of = Accounts;
    type Reply = Account;
    type Rejection = AccountRejection;

    fn decide(
        self,
        state: &Accounts,
        _found: &[Option<Recorded<AccountsEvent>>],
        moment: &mut Moment<'_>,
    ) -> Result<Decision<AccountsEvent, Account>, AccountRejection> {
        let known = state.get(self.id).ok_or(AccountRejection::Unknown)?;
        let account = Account {
            id: self.id,
            settings: known.settings.clone().with(self.change),
        };
        if account == *known {
            return Ok(Decision::unchanged(account));
        }
        Ok(set(self.by, Some(known), account, moment))
    }
}

fn set(
    by: By,
    known: Option<&Account>,
    account: Account,
    moment: &mut Moment<'_>,
) -> Decision<AccountsEvent, Account> {
    let audit = Box::new(told(by, known, &account, moment));
    let event = AccountsEvent::Set {
        account: account.clone(),
        audit,
    };
    Decision::event(event, account)
}
