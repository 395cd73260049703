//! The accounts of the installation.

pub mod change;

use std::collections::BTreeMap;
use std::convert::Infallible;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::json;

use crate::domain::Decision;
use crate::domain::audit::{AuditEntry, By};
use crate::domain::id::AccountId;
use crate::domain::kinds;
use crate::domain::notice::Notice;
use switchboard_engine::entries::IndexEntries;
use switchboard_engine::state::{Command, Moment, Recorded, State};
use switchboard_engine::stream::{StreamKey, StreamKind};

/// All accounts.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Accounts {
    accounts: BTreeMap<AccountId, Account>,
    /// What the configuration last said of those that it names.
    declared: BTreeMap<AccountId, Account>,
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
#[derive(
    Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize, JsonSchema,
)]
#[serde(rename_all = "lowercase")]
#[schemars(inline)]
pub enum Lang {
    /// English.
    En,
    /// Spanish.
    Es,
    /// Russian.
    Ru,
}

/// What an account has paid for.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
#[schemars(inline)]
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

impl Plan {
    /// The plans by their names.
    pub const NAMES: [(&'static str, Self); 2] =
        [("base", Self::Base), ("enterprise", Self::Enterprise)];
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
    /// The configuration named an account.
    Declared {
        /// The account as it is now.
        account: Account,
        /// The account as it was named.
        declared: Account,
        /// What that changed.
        audit: Box<AuditEntry>,
    },
    /// The operator made an account, or changed one.
    Set {
        /// The account as it is now.
        account: Account,
        /// Who did it.
        audit: Box<AuditEntry>,
    },
}

impl State for Accounts {
    type Id = ();
    type Event = AccountsEvent;
    type Notice = Notice;

    const KIND: StreamKind = kinds::ACCOUNTS;

    fn stream(_id: &()) -> StreamKey {
        StreamKey::new(Self::KIND, &[])
    }

    fn id_of(stream: &StreamKey) -> Option<()> {
        stream.is(Self::KIND).then_some(())
    }

    fn blank(_id: &()) -> Self {
        Self::default()
    }

    fn apply(&mut self, event: &AccountsEvent) {
        match event {
            AccountsEvent::Declared {
                account, declared, ..
            } => {
                self.accounts.insert(account.id, account.clone());
                self.declared.insert(declared.id, declared.clone());
            }
            AccountsEvent::Set { account, .. } => {
                self.accounts.insert(account.id, account.clone());
            }
        }
    }

    fn index(&self, event: &AccountsEvent, entries: &mut IndexEntries) {
        match event {
            AccountsEvent::Declared { audit, .. } | AccountsEvent::Set { audit, .. } => {
                audit.index(entries);
            }
        }
    }
}

/// The configuration declares an account: one that is new is as declared; of one that is there, what is declared otherwise
/// than the last time is taken over, and all else stays as the operator left it.
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
        moment: &mut Moment<'_>,
    ) -> Result<Decision<AccountsEvent, ()>, Infallible> {
        let declared = self.0;
        let known = state.get(declared.id);
        let last = state.declared.get(&declared.id);
        let account = match (known, last) {
            (Some(known), Some(last)) => Account {
                id: declared.id,
                name: if last.name == declared.name {
                    known.name.clone()
                } else {
                    declared.name.clone()
                },
                lang: if last.lang == declared.lang {
                    known.lang
                } else {
                    declared.lang
                },
                plan: if last.plan == declared.plan {
                    known.plan
                } else {
                    declared.plan
                },
            },
            (Some(_) | None, None) | (None, Some(_)) => declared.clone(),
        };
        if known == Some(&account) && last == Some(&declared) {
            return Ok(Decision::unchanged(()));
        }
        let audit = Box::new(told(By::Configuration, known, &account, moment));
        let event = AccountsEvent::Declared {
            account,
            declared,
            audit,
        };
        Ok(Decision::event(event, ()))
    }
}

/// The entry in the audit log with everything that is different of an account.
fn told(by: By, before: Option<&Account>, after: &Account, moment: &mut Moment<'_>) -> AuditEntry {
    let action = if before.is_some() {
        "account.change"
    } else {
        "account.create"
    };
    AuditEntry::new(by, action, after.id, moment)
        .of_account(after.id)
        .change(
            "name",
            before.map(|known| known.name.as_str()),
            after.name.as_str(),
        )
        .change(
            "lang",
            json!(before.map(|known| known.lang)),
            json!(after.lang),
        )
        .change(
            "plan",
            json!(before.map(|known| known.plan)),
            json!(after.plan),
        )
}
