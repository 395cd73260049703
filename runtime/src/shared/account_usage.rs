//! The usage of accounts with quotas: counted from the rows of their conversations when the first message of each
//! comes, and kept in memory from then on.

use std::collections::BTreeMap;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::{Arc, Mutex, PoisonError};

use tokio::sync::OnceCell;

use switchboard_domain::account_quota::{
    AccountQuotaRejection, AccountQuotas, Addition, QuotaKind, Volume,
};
use switchboard_domain::id::AccountId;
use switchboard_domain::time::UnixMillis;

/// The usage of each account.
#[derive(Debug, Default)]
pub struct UsageBook {
    accounts: Mutex<BTreeMap<AccountId, Arc<AccountUsage>>>,
    /// True when an account may be in the book: what each message asks takes no lock.
    is_in_use: AtomicBool,
    refused: [AtomicU64; 4],
}

/// The usage of one account.
#[derive(Debug, Default)]
pub struct AccountUsage {
    /// Is set once the rows were counted.
    pub counted: OnceCell<()>,
    volume: Mutex<Volume>,
}

impl UsageBook {
    /// The account, counted or not.
    pub fn account(&self, account: AccountId) -> Arc<AccountUsage> {
        let mut accounts = self.accounts.lock().unwrap_or_else(PoisonError::into_inner);
        self.is_in_use.store(true, Ordering::Relaxed);
        Arc::clone(accounts.entry(account).or_default())
    }

    /// Forgets all accounts: none has quotas.
    pub fn clear(&self) {
        if self.is_in_use.load(Ordering::Relaxed) {
            let mut accounts = self.accounts.lock().unwrap_or_else(PoisonError::into_inner);
            accounts.clear();
            self.is_in_use.store(false, Ordering::Relaxed);
        }
    }

    /// Forgets an account without quotas: what it stores is not counted any more.
    pub fn forget(&self, account: AccountId) {
        let mut accounts = self.accounts.lock().unwrap_or_else(PoisonError::into_inner);
        accounts.remove(&account);
    }

    /// The account, if it is counted.
    pub fn counted(&self, account: AccountId) -> Option<Arc<AccountUsage>> {
        let accounts = self.accounts.lock().unwrap_or_else(PoisonError::into_inner);
        let usage = accounts.get(&account).cloned();
        usage.filter(|usage| usage.counted.initialized())
    }

    /// Counts a request that this quota refused, for the metrics.
    pub fn count_refusal(&self, kind: QuotaKind) {
        let [day, month, of_bots, storage] = &self.refused;
        let refusals = match kind {
            QuotaKind::MessagesPerDay => day,
            QuotaKind::MessagesPerMonth => month,
            QuotaKind::BotMessagesPerMonth => of_bots,
            QuotaKind::StorageBytes => storage,
        };
        refusals.fetch_add(1, Ordering::Relaxed);
    }

    /// The refusals by each quota.
    pub fn refusals(&self) -> [(QuotaKind, u64); 4] {
        let [day, month, of_bots, storage] = &self.refused;
        [
            (QuotaKind::MessagesPerDay, day),
            (QuotaKind::MessagesPerMonth, month),
            (QuotaKind::BotMessagesPerMonth, of_bots),
            (QuotaKind::StorageBytes, storage),
        ]
        .map(|(kind, count)| (kind, count.load(Ordering::Relaxed)))
    }
}

impl AccountUsage {
    /// Sets the usage to what was counted in the store.
    pub fn set(&self, volume: Volume) {
        *self.volume.lock().unwrap_or_else(PoisonError::into_inner) = volume;
    }

    /// The usage in the periods of this time; what was of earlier periods is forgotten.
    pub fn volume(&self, now: UnixMillis) -> Volume {
        let mut volume = self.volume.lock().unwrap_or_else(PoisonError::into_inner);
        volume.go_on_to(now);
        *volume
    }

    /// The quota that an addition would exceed.
    pub fn exceeds(
        &self,
        quotas: &AccountQuotas,
        more: Addition,
        now: UnixMillis,
    ) -> Option<AccountQuotaRejection> {
        self.volume(now).exceeds(quotas, more, now)
    }

    /// Counts a message that is about to be stored, unless it exceeds a quota. It counts no more when what this returns is
    /// dropped without [`Reserved::keep`].
    pub fn reserve(
        self: Arc<Self>,
        quotas: &AccountQuotas,
        message: Addition,
        now: UnixMillis,
    ) -> Result<Reserved, AccountQuotaRejection> {
        {
            let mut volume = self.volume.lock().unwrap_or_else(PoisonError::into_inner);
            volume.go_on_to(now);
            if let Some(reached) = volume.exceeds(quotas, message, now) {
                return Err(reached);
            }
            volume.count(now, message.file_bytes);
            if message.bot_messages > 0 {
                volume.count_bot();
            }
        }
        Ok(Reserved {
            usage: self,
            message,
            is_kept: false,
        })
    }

    /// Counts the copy of a file.
    pub fn count_file(&self, bytes: u64) {
        let mut volume = self.volume.lock().unwrap_or_else(PoisonError::into_inner);
        volume.count_file(bytes);
    }
}

/// A message that is counted before it is stored.
#[derive(Debug)]
pub struct Reserved {
    usage: Arc<AccountUsage>,
    message: Addition,
    is_kept: bool,
}

impl Reserved {
    /// The message is stored.
    pub fn keep(mut self) {
        self.is_kept = true;
    }
}

impl Drop for Reserved {
    fn drop(&mut self) {
        if self.is_kept {
            return;
        }
        let volume = self.usage.volume.lock();
        volume
            .unwrap_or_else(PoisonError::into_inner)
            .discount(self.message);
    }
}
