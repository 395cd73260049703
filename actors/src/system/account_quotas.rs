//! Quotas of accounts: what an account has used, and whether it may store more.

use std::sync::Arc;

use tokio::task::spawn_blocking;

use crate::domain::account_quota::{
    AccountQuotaRejection, AccountQuotas, Addition, QuotaKind, Volume,
};
use crate::domain::id::AccountId;
use crate::domain::tables;
use crate::system::System;
use switchboard_engine::store::tables::{KeyRange, ScanOrder};
use switchboard_runtime::error::{CommandError, UnavailableError};
use switchboard_runtime::shared::Kernel;
use switchboard_runtime::shared::account_usage::{AccountUsage, Reserved};

/// The number of rows that are read at once.
const ROWS: usize = 1_024;

impl System {
    /// The quotas of an account.
    #[must_use]
    pub fn quotas_of(&self, account: AccountId) -> AccountQuotas {
        let world = &self.kernel().shared;
        let default = world.config.account_quotas;
        let account = world.read_cache.accounts().get(account).cloned();
        account.map_or(default, |it| it.settings.quotas(&default))
    }

    /// Counts an account against its quotas. Reads the rows of its conversations when it has none.
    ///
    /// # Errors
    /// When something cannot be read now.
    pub async fn usage_of(&self, account: AccountId) -> Result<Volume, UnavailableError> {
        let now = self.now();
        match self.kernel().shared.usage.counted(account) {
            Some(usage) => Ok(usage.volume(now)),
            None => self.count(account).await,
        }
    }

    /// Refuses files that the storage quota of an account has no room for.
    ///
    /// # Errors
    /// When the quota is used up, or something cannot be read now.
    pub async fn has_room(
        &self,
        account: AccountId,
        file_bytes: u64,
    ) -> Result<(), CommandError<AccountQuotaRejection>> {
        let Some((usage, quotas)) = self.limited(account).await? else {
            return Ok(());
        };
        let quotas = AccountQuotas {
            storage_bytes: quotas.storage_bytes,
            ..AccountQuotas::default()
        };
        let more = Addition {
            file_bytes,
            ..Addition::default()
        };
        match usage.exceeds(&quotas, more, self.now()) {
            Some(reached) => Err(self.refused(reached)),
            None => Ok(()),
        }
    }

    /// The refusals by each quota since the start.
    #[must_use]
    pub fn quota_refusals(&self) -> [(QuotaKind, u64); 4] {
        self.kernel().shared.usage.refusals()
    }

    /// Counts the copy of a file that an account got.
    pub(crate) fn count_copy(&self, account: AccountId, bytes: u64) {
        if let Some(usage) = self.kernel().shared.usage.counted(account) {
            usage.count_file(bytes);
        }
    }

    /// Counts a message of an account before it is stored; `None` when the account has no quotas, or when `is_repeat` says
    /// that the message is there already, whatever the quotas are.
    pub(in crate::system) async fn reserve(
        &self,
        account: AccountId,
        message: Addition,
        is_repeat: impl FnOnce() -> Result<bool, UnavailableError>,
    ) -> Result<Option<Reserved>, CommandError<AccountQuotaRejection>> {
        let Some((usage, quotas)) = self.limited(account).await? else {
            return Ok(None);
        };
        match usage.reserve(&quotas, message, self.now()) {
            Ok(reserved) => Ok(Some(reserved)),
            Err(_) if is_repeat()? => Ok(None),
            Err(reached) => Err(self.refused(reached)),
        }
    }

    fn refused(&self, reached: AccountQuotaRejection) -> CommandError<AccountQuotaRejection> {
        self.kernel().shared.usage.count_refusal(reached.kind);
        CommandError::Rejected(reached)
    }

    /// The usage of an account with quotas; `None` when it has none.
    async fn limited(
        &self,
        account: AccountId,
    ) -> Result<Option<(Arc<AccountUsage>, AccountQuotas)>, UnavailableError> {
        let world = &self.kernel().shared;
        if !world.config.account_quotas.is_on() && !world.read_cache.has_quotas() {
            // What is stored from now on is not counted.
            world.usage.clear();
            return Ok(None);
        }
        let quotas = self.quotas_of(account);
        if !quotas.is_on() {
            world.usage.forget(account);
            return Ok(None);
        }
        let usage = world.usage.account(account);
        let count = async || {
            usage.set(self.count(account).await?);
            Ok::<(), UnavailableError>(())
        };
        usage.counted.get_or_try_init(count).await?;
        Ok(Some((usage, quotas)))
    }

    /// Counts the rows of the conversations of an account.
    async fn count(&self, account: AccountId) -> Result<Volume, UnavailableError> {
        let kernel = self.kernel().clone();
        kernel.caught_up().await;
        if kernel.is_one_thread {
            return count(&kernel, account);
        }
        let volume = spawn_blocking(move || count(&kernel, account)).await;
        volume.map_err(|_panic_or_stop| UnavailableError::Interrupted)?
    }
}

fn count(kernel: &Kernel, account: AccountId) -> Result<Volume, UnavailableError> {
    let mut volume = Volume::at(kernel.clock.now());
    let order = ScanOrder::Ascending;
    let mut range = KeyRange::prefix(&account.bytes());
    loop {
        let rows = kernel
            .index
            .scan(tables::CONVERSATIONS, &range, order, ROWS)?;
        for one in rows.iter().filter_map(|(_, row)| Volume::of_row(row)) {
            volume.add(&one);
        }
        match rows.last().filter(|_| rows.len() == ROWS) {
            Some((last, _)) => range = range.behind(last.clone(), order),
            None => return Ok(volume),
        }
    }
}
