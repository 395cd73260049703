//! The accounts of the installation.

pub mod create;
pub mod declare;
pub mod settings;
pub mod subdomain;
pub mod update;

use std::collections::BTreeMap;
use std::sync::Arc;

use serde::{Deserialize, Serialize};

use crate::Decision;
use crate::audit::{AuditEntry, By};
use crate::field::audited;
use crate::id::{AccountId, AccountNumber, FieldId};
use crate::installation::accounts::settings::AccountSettings;
pub use crate::installation::accounts::settings::{Lang, Plan};
use crate::installation::accounts::subdomain::Subdomain;
use crate::kinds;
use crate::notice::Notice;
use crate::time::UnixMillis;
use switchboard_engine::collections::shared_map::SharedMap;
use switchboard_engine::entries::IndexEntries;
use switchboard_engine::state::{Moment, State};
use switchboard_engine::stream::StreamKind;

/// The highest number of accounts in an installation: all are in memory, and a start reads them.
pub const ACCOUNTS_MAX: usize = 200_000;

/// All accounts. Cheap to copy, whatever their number.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(from = "StoredAccounts")]
pub struct Accounts {
    #[serde(serialize_with = "stored")]
    accounts: SharedMap<AccountId, Arc<Account>>,
    #[serde(skip)]
    numbers: SharedMap<AccountNumber, AccountId>,
    #[serde(skip)]
    subdomains: SharedMap<Subdomain, AccountId>,
    /// The last number that was given, to an account that is there or was erased; 0 before the first.
    last: u64,
    /// The last declaration of each account that the configuration names.
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
        let mut accounts = Self {
            last: stored.last,
            declared: stored.declared,
            ..Self::default()
        };
        for account in &stored.accounts {
            accounts.put(account);
        }
        accounts
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
    /// The settings.
    pub settings: AccountSettings,
    /// The time of creation.
    pub created_at: UnixMillis,
    /// The time of the last change.
    pub updated_at: UnixMillis,
}

impl Account {
    /// The name of its host in the counterpart's form `<subdomain>.<domain>`: a label of DNS that no other account has.
    #[must_use]
    pub fn subdomain(&self) -> Subdomain {
        let own = self.settings.subdomain.clone();
        own.unwrap_or_else(|| Subdomain::usual(self.number))
    }

    /// With the usual subdomain if it has none of its own.
    fn named(mut self) -> Self {
        self.settings.subdomain = Some(self.subdomain());
        self
    }

    /// The account as it is with these settings from now on.
    fn with(&self, settings: AccountSettings, now: UnixMillis) -> Self {
        Self {
            settings,
            updated_at: now,
            ..self.clone()
        }
        .named()
    }
}

impl Accounts {
    /// The account with this id.
    #[must_use]
    pub fn get(&self, id: AccountId) -> Option<&Account> {
        self.accounts.get(&id).map(AsRef::as_ref)
    }

    /// Returns the number of accounts.
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
        let subdomain: Subdomain = subdomain.parse().ok()?;
        self.get(*self.subdomains.get(&subdomain)?)
    }

    /// Checks that the subdomain of the account no other account's, and that its fields have numbers of their own.
    ///
    /// # Errors
    /// The conflict.
    pub fn check(&self, account: &Account) -> Result<(), AccountRejection> {
        let subdomain = account.subdomain();
        let owner = self.subdomains.get(&subdomain);
        if let Some(owner) = owner.filter(|owner| **owner != account.id) {
            return Err(AccountRejection::SubdomainTaken(*owner));
        }
        let usual_of = subdomain.usual_of();
        if usual_of.is_some_and(|number| number != account.number) {
            return Err(AccountRejection::SubdomainReserved);
        }
        if account.settings.phone_field_id == account.settings.email_field_id {
            return Err(AccountRejection::SameField);
        }
        Ok(())
    }

    /// The conflict of an account that is declared so. Later ones are compared with it, too.
    pub fn conflict(
        &mut self,
        id: AccountId,
        declared: &AccountSettings,
        now: UnixMillis,
    ) -> Option<AccountRejection> {
        let account = self.declared(id, declared, now);
        let conflict = self.check(&account).err();
        if conflict.is_none() {
            self.put(&account);
        }
        conflict
    }

    /// The account that this would become, as the configuration declares it.
    #[must_use]
    pub fn declared(&self, id: AccountId, declared: &AccountSettings, now: UnixMillis) -> Account {
        let Some(account) = self.get(id) else {
            return self.new_account(id, declared.clone(), now);
        };
        let settings = match self.declared.get(&id) {
            Some(last) => account.settings.clone().with(declared.since(Some(last))),
            None => declared.clone(),
        };
        let new_account = account.with(settings, now);
        if new_account.settings == account.settings {
            account.clone()
        } else {
            new_account
        }
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
        .named()
    }

    fn put(&mut self, account: &Account) {
        self.last = self.last.max(account.number.0);
        self.numbers.insert(account.number, account.id);
        if let Some(before) = self.get(account.id).map(Account::subdomain) {
            self.subdomains.remove(&before);
        }
        self.subdomains.insert(account.subdomain(), account.id);
        let account = account.clone().named();
        self.accounts.insert(account.id, Arc::new(account));
    }

    /// All accounts, by id.
    pub fn iter(&self) -> impl Iterator<Item = &Account> {
        self.accounts.values().map(AsRef::as_ref)
    }
}

/// An event of the accounts.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum AccountsEvent {
    /// The configuration named an account.
    Declared {
        /// The account as it is now.
        account: Account,
        /// The declared settings.
        declared: AccountSettings,
        /// The audit entry of the resulting change.
        audit: Box<AuditEntry>,
    },
    /// The operator made an account, or changed one.
    Set {
        /// The account as it is now.
        account: Account,
        /// The audit entry.
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

/// The reason not to create or change an account.
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
    /// Another account has the subdomain.
    #[error("the account {0} has this subdomain already")]
    SubdomainTaken(AccountId),
    /// The subdomain is the usual one of another number.
    #[error(
        "the subdomain «account» with a number belongs to the account with that number; choose another one"
    )]
    SubdomainReserved,
    /// Both fields of contacts have one number.
    #[error("phone_field_id and email_field_id are the same number; give each field its own")]
    SameField,
    /// A field of contacts would have the number of a custom field that the account defines.
    #[error("the account defines a custom field with the number {0} already; choose another one")]
    FieldTaken(FieldId),
}

impl State for Accounts {
    type Id = ();
    type Event = AccountsEvent;
    type Notice = Notice;

    const KIND: StreamKind = kinds::ACCOUNTS;

    fn initial(_id: &()) -> Self {
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
    moment: &mut Moment<'_, AccountsEvent>,
) -> AuditEntry {
    let action = if before.is_some() {
        "account.update"
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
    moment: &mut Moment<'_, AccountsEvent>,
) -> Decision<AccountsEvent, Account> {
    let audit = Box::new(audit_entry(by, known, &account, moment));
    let event = AccountsEvent::Set {
        account: account.clone(),
        audit,
    };
    Decision::event(event, account)
}

#[cfg(test)]
mod tests;
