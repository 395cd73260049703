//! The accounts of the installation.

pub mod change;
pub mod create;
pub mod declare;
pub mod settings;

use std::collections::BTreeMap;
use std::sync::Arc;

use serde::{Deserialize, Serialize};

use crate::domain::Decision;
use crate::domain::audit::{AuditEntry, By};
use crate::domain::field::audited;
use crate::domain::id::{AccountId, AccountNumber};
use crate::domain::installation::accounts::settings::AccountSettings;
pub use crate::domain::installation::accounts::settings::{Lang, Plan};
use crate::domain::kinds;
use crate::domain::notice::Notice;
use crate::domain::shared_map::SharedMap;
use crate::domain::time::UnixMillis;
use switchboard_engine::entries::IndexEntries;
use switchboard_engine::state::{Moment, State};
use switchboard_engine::stream::{StreamKey, StreamKind};

/// How many accounts an installation has at most: all are in memory, and a start reads them.
pub const ACCOUNTS_MAX: usize = 200_000;

/// All accounts. Cheap to copy, whatever their number.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(from = "StoredAccounts")]
pub struct Accounts {
    #[serde(serialize_with = "stored")]
    accounts: SharedMap<AccountId, Arc<Account>>,
    #[serde(skip)]
    numbers: SharedMap<AccountNumber, AccountId>,
    /// The last number that was given, to an account that is there or was erased; 0 before the first.
    last: u64,
    /// What the configuration last said of those that it names.
    declared: BTreeMap<AccountId, AccountSettings>,
}

#[derive(Deserialize)]
struct StoredAccounts {
    accounts: Vec<Account>,
    last: u64,
    declared: BTreeMap<AccountId, AccountSettings>,
}

impl From<StoredAccounts> for Accounts {
    fn from(stored: StoredAccounts) -> Self {
        let numbers = stored.accounts.iter();
        let numbers = numbers.map(|account| (account.number, account.id));
        Self {
            numbers: numbers.collect(),
            last: stored.last,
            declared: stored.declared,
            accounts: stored
                .accounts
                .into_iter()
                .map(|account| (account.id, Arc::new(account)))
                .collect(),
        }
    }
}

fn stored<S: serde::Serializer>(
    accounts: &SharedMap<AccountId, Arc<Account>>,
    serializer: S,
) -> Result<S::Ok, S::Error> {
    serializer.collect_seq(accounts.values().map(AsRef::as_ref))
}

/// An account.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Account {
    /// Its id in the chat interface.
    pub id: AccountId,
    /// Its id in the account interface. It never changes, and no other account gets it.
    pub number: AccountNumber,
    /// What can be set of it.
    pub settings: AccountSettings,
    /// When it was made.
    pub created_at: UnixMillis,
    /// When it last changed.
    pub updated_at: UnixMillis,
}

/// What the subdomain of an account begins with, before its number.
const SUBDOMAIN: &str = "account";

impl Account {
    /// The name of its host in the counterpart's form `<subdomain>.<domain>`: a label of DNS that no other account has.
    #[must_use]
    pub fn subdomain(&self) -> String {
        format!("{SUBDOMAIN}{}", self.number)
    }

    /// The account as it is with these settings from now on.
    fn with(&self, settings: AccountSettings, now: UnixMillis) -> Self {
        Self {
            settings,
            updated_at: now,
            ..self.clone()
        }
    }
}

impl Accounts {
    /// The account with this id.
    #[must_use]
    pub fn get(&self, id: AccountId) -> Option<&Account> {
        self.accounts.get(&id).map(AsRef::as_ref)
    }

    /// How many there are.
    #[must_use]
    pub fn count(&self) -> usize {
        self.accounts.len()
    }

    /// The account with this number.
    #[must_use]
    pub fn numbered(&self, number: AccountNumber) -> Option<&Account> {
        self.get(*self.numbers.get(&number)?)
    }

    /// The account with this [subdomain](Account::subdomain), in any case.
    #[must_use]
    pub fn of_subdomain(&self, subdomain: &str) -> Option<&Account> {
        let (word, number) = subdomain.split_at_checked(SUBDOMAIN.len())?;
        let account = self.numbered(number.parse().ok()?)?;
        let is_its_own = word.eq_ignore_ascii_case(SUBDOMAIN) && !number.starts_with('0');
        is_its_own.then_some(account)
    }

    /// A new account, with the number behind the last one given.
    fn new_account(&self, id: AccountId, settings: AccountSettings, now: UnixMillis) -> Account {
        Account {
            id,
            number: AccountNumber(self.last.saturating_add(1)),
            settings,
            created_at: now,
            updated_at: now,
        }
    }

    fn put(&mut self, account: &Account) {
        self.last = self.last.max(account.number.0);
        self.numbers.insert(account.number, account.id);
        self.accounts.insert(account.id, Arc::new(account.clone()));
    }

    /// All accounts, by id.
    pub fn iter(&self) -> impl Iterator<Item = &Account> {
        self.accounts.values().map(AsRef::as_ref)
    }
}

/// What can happen to the accounts.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum AccountsEvent {
    /// The configuration named an account.
    Declared {
        /// The account as it is now.
        account: Account,
        /// What was named of it.
        declared: AccountSettings,
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
    /// An account was erased; this stands in the place of what was said of it. Its number is not given again.
    Erased {
        /// The account.
        id: AccountId,
        /// Its number.
        number: AccountNumber,
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
                self.put(account);
                self.declared.insert(account.id, declared.clone());
            }
            AccountsEvent::Set { account, .. } => self.put(account),
            AccountsEvent::Erased { number, .. } => self.last = self.last.max(number.0),
        }
    }

    fn index(&self, event: &AccountsEvent, entries: &mut IndexEntries) {
        match event {
            AccountsEvent::Declared { audit, .. } | AccountsEvent::Set { audit, .. } => {
                audit.index(entries);
            }
            AccountsEvent::Erased { .. } => {}
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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::domain::installation::accounts::change::ChangeAccount;
    use crate::domain::installation::accounts::create::CreateAccount;
    use crate::domain::installation::accounts::declare::DeclareAccount;
    use switchboard_engine::state::Command;

    fn id(byte: u8) -> AccountId {
        AccountId::from_random([byte; 16])
    }

    fn settings(name: &str) -> AccountSettings {
        AccountSettings::new(name.parse().unwrap())
    }

    fn at(secs: u64) -> UnixMillis {
        UnixMillis::from_secs(secs)
    }

    /// Decides at this time and applies; returns whether anything happened.
    fn run<C: Command<Of = Accounts>>(accounts: &mut Accounts, secs: u64, command: C) -> bool {
        let mut random = || [9; 16];
        let mut moment = Moment {
            now: at(secs),
            random: &mut random,
        };
        let Ok(decision) = command.decide(accounts, &[], &mut moment) else {
            return false;
        };
        for recorded in &decision.events {
            accounts.apply(&recorded.event);
        }
        !decision.events.is_empty()
    }

    fn create(byte: u8, name: &str) -> CreateAccount {
        CreateAccount {
            by: By::Operator,
            id: Some(id(byte)),
            settings: settings(name),
        }
    }

    fn declare(byte: u8, name: &str) -> DeclareAccount {
        DeclareAccount {
            id: id(byte),
            settings: settings(name),
        }
    }

    #[test]
    fn the_number_of_an_erased_account_is_not_given_again() {
        let mut accounts = Accounts::default();
        let number = AccountNumber(1);
        accounts.apply(&AccountsEvent::Erased { id: id(9), number });
        assert_eq!(accounts.numbered(number), None);
        assert!(run(&mut accounts, 1, create(9, "Again")));
        assert_eq!(accounts.get(id(9)).unwrap().number, AccountNumber(2));
        assert_eq!(accounts.numbered(number), None);
    }

    #[test]
    fn each_account_gets_a_number_that_it_keeps() {
        let mut accounts = Accounts::default();
        assert!(run(&mut accounts, 1, create(9, "First")));
        assert!(run(&mut accounts, 2, declare(1, "Second")));
        assert!(!run(&mut accounts, 3, create(9, "First again")));
        assert!(!run(&mut accounts, 4, declare(1, "Second")));
        assert!(run(&mut accounts, 5, declare(1, "Renamed")));
        assert!(run(&mut accounts, 6, create(5, "Third")));
        let change = ChangeAccount {
            by: By::Operator,
            id: id(9),
            change: settings("Other").into(),
        };
        assert!(run(&mut accounts, 7, change.clone()));
        assert!(!run(&mut accounts, 8, change));
        let numbers = [(9, 1, 1, 7), (1, 2, 2, 5), (5, 3, 6, 6)];
        for (byte, number, created, updated) in numbers {
            let account = accounts.get(id(byte)).unwrap();
            assert_eq!(account.number, AccountNumber(number));
            assert_eq!(account.created_at, at(created));
            assert_eq!(account.updated_at, at(updated));
            assert_eq!(accounts.numbered(AccountNumber(number)), Some(account));
            let subdomain = account.subdomain();
            assert_eq!(accounts.of_subdomain(&subdomain), Some(account));
            assert_eq!(
                accounts.of_subdomain(&subdomain.to_uppercase()),
                Some(account)
            );
        }
        assert_eq!(accounts.numbered(AccountNumber(4)), None);
        for unknown in [
            "",
            "account",
            "account4",
            "account01",
            "accoun1",
            "ACCOUNT 1",
        ] {
            assert_eq!(accounts.of_subdomain(unknown), None, "{unknown}");
        }
    }
}
