//! The accounts of the installation.

pub mod change;
pub mod settings;

use std::collections::BTreeMap;
use std::convert::Infallible;

use serde::{Deserialize, Serialize};

use crate::domain::Decision;
use crate::domain::audit::{AuditEntry, By};
use crate::domain::id::AccountId;
use crate::domain::installation::accounts::settings::AccountSettings;
pub use crate::domain::installation::accounts::settings::{Lang, Plan};
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
    /// What can be set of it.
    pub settings: AccountSettings,
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
                settings: {
                    let news = declared.settings.since(Some(&last.settings));
                    known.settings.clone().with(news)
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
    let audit = AuditEntry::new(by, action, after.id, moment).of_account(after.id);
    let before = before.map(|known| &known.settings);
    AccountSettings::audited(before, &after.settings, audit)
}
