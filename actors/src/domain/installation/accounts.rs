//! The accounts of the installation.

use std::collections::BTreeMap;
use std::convert::Infallible;

use serde::{Deserialize, Serialize};

use crate::domain::id::AccountId;
use crate::domain::index::{IndexEntries, StreamKey, StreamKind};
use crate::domain::{Command, Decision, Moment, Recorded, State};

/// All accounts.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Accounts {
    accounts: BTreeMap<AccountId, Account>,
}

/// An account.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Account {
    /// Its id.
    pub id: AccountId,
    /// Its name.
    pub name: String,
    /// The language of users who choose none.
    pub lang: Lang,
    /// What it has paid for.
    pub plan: Plan,
}

/// A language of the service.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Lang {
    /// English.
    En,
    /// Spanish.
    Es,
    /// Russian.
    Ru,
}

/// What an account has paid for.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Plan {
    /// At most 100 users can be added; nobody is activated or deactivated.
    Base,
    /// No such limits.
    Enterprise,
}

impl Lang {
    /// The languages by their names.
    pub const NAMES: [(&'static str, Self); 3] =
        [("en", Self::En), ("es", Self::Es), ("ru", Self::Ru)];
}

impl Accounts {
    /// The account with this id.
    #[must_use]
    pub fn get(&self, id: AccountId) -> Option<&Account> {
        self.accounts.get(&id)
    }

    /// All accounts, by id.
    pub fn iter(&self) -> impl Iterator<Item = &Account> {
        self.accounts.values()
    }
}

/// What can happen to the accounts.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum AccountsEvent {
    /// An account is new, or is as follows now.
    Declared(Account),
}

impl State for Accounts {
    type Id = ();
    type Event = AccountsEvent;

    fn stream(_id: &()) -> StreamKey {
        StreamKey::new(StreamKind::Accounts, &[])
    }

    fn id_of(stream: &StreamKey) -> Option<()> {
        (stream.kind == StreamKind::Accounts).then_some(())
    }

    fn blank(_id: &()) -> Self {
        Self::default()
    }

    fn apply(&mut self, event: &AccountsEvent) {
        match event {
            AccountsEvent::Declared(account) => {
                self.accounts.insert(account.id, account.clone());
            }
        }
    }

    fn index(&self, _event: &AccountsEvent, _entries: &mut IndexEntries) {}
}

/// The operator declares an account: it exists afterwards as declared.
#[derive(Clone, Debug)]
pub struct DeclareAccount(pub Account);

impl Command for DeclareAccount {
    type Of = Accounts;
    type Reply = ();
    type Rejection = Infallible;

    fn decide(
        self,
        state: &Accounts,
        _found: &[Option<Recorded<AccountsEvent>>],
        _moment: &mut Moment<'_>,
    ) -> Result<Decision<AccountsEvent, ()>, Infallible> {
        if state.get(self.0.id) == Some(&self.0) {
            return Ok(Decision::unchanged(()));
        }
        Ok(Decision {
            events: vec![AccountsEvent::Declared(self.0).into()],
            notices: Vec::new(),
            reply: (),
        })
    }
}
