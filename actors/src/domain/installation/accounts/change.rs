//! The operator makes accounts and changes them.

use crate::domain::Decision;
use crate::domain::audit::By;
use crate::domain::id::AccountId;
use crate::domain::installation::accounts::{Account, Accounts, AccountsEvent, Lang, Plan, told};
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
    /// Its name.
    pub name: String,
    /// The language of users who choose none.
    pub lang: Lang,
    /// What it has paid for.
    pub plan: Plan,
}

/// Changes an account; what is `None` stays.
#[derive(Clone, Debug)]
pub struct ChangeAccount {
    /// Who does it.
    pub by: By,
    /// Which.
    pub id: AccountId,
    /// Its name.
    pub name: Option<String>,
    /// The language of users who choose none.
    pub lang: Option<Lang>,
    /// What it has paid for.
    pub plan: Option<Plan>,
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
            name: self.name,
            lang: self.lang,
            plan: self.plan,
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
            name: self.name.unwrap_or_else(|| known.name.clone()),
            lang: self.lang.unwrap_or(known.lang),
            plan: self.plan.unwrap_or(known.plan),
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
