//! The accounts of the installation.

pub mod change;
pub mod create;
pub mod declare;
pub mod settings;

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

use crate::domain::Decision;
use crate::domain::audit::{AuditEntry, By};
use crate::domain::field::audited;
use crate::domain::id::AccountId;
use crate::domain::installation::accounts::settings::AccountSettings;
pub use crate::domain::installation::accounts::settings::{Lang, Plan};
use crate::domain::kinds;
use crate::domain::notice::Notice;
use switchboard_engine::entries::IndexEntries;
use switchboard_engine::state::{Moment, State};
use switchboard_engine::stream::{StreamKey, StreamKind};

/// How many accounts an installation has at most.
pub const ACCOUNTS_MAX: usize = 10_000;

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

/// The entry in the audit log with everything that is different of an account.
fn audit_entry(
    by: By,
    before: Option<&Account>,
    after: &Account,
    moment: &mut Moment<'_>,
) -> AuditEntry {
    let action = if before.is_some() {
        "account.change"
    } else {
        "account.create"
    };
    let audit = AuditEntry::new(by, action, after.id, moment).of_account(after.id);
    let before = before.map(|known| &known.settings);
    audited(before, &after.settings, audit)
}

/// An account as it is from now on, with its entry in the audit log.
fn set(
    by: By,
    known: Option<&Account>,
    account: Account,
    moment: &mut Moment<'_>,
) -> Decision<AccountsEvent, Account> {
    let audit = Box::new(audit_entry(by, known, &account, moment));
    let event = AccountsEvent::Set {
        account: account.clone(),
        audit,
    };
    Decision::event(event, account)
}
