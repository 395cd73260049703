//! Reports of uninstallations that wait to be sent.

use crate::domain::id::AccountId;
use crate::domain::id::AccountNumber;
use crate::domain::installation::accounts::Account;
use crate::domain::keys::people::parse_hook_row;
use crate::domain::oauth::clients::OauthClient;
use crate::domain::oauth::grants::Grants;
use crate::domain::oauth::grants::attempt_hook::AttemptHook;
use crate::domain::oauth::grants::grant::{PendingHook, WaitingHook};
use crate::domain::oauth::grants::note_hook::NoteHook;
use crate::domain::tables;
use crate::system::System;
use crate::system::operator::unavailable;
use switchboard_engine::runtime::ask::execute;
use switchboard_engine::store::tables::{KeyRange, ScanOrder};
use switchboard_runtime::error::UnavailableError;
use switchboard_runtime::shared::load_cached::load_cached;

/// The number of rows that are read at once.
const ROWS: usize = 1_000;

/// A report that waits to be sent.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct DueHook {
    /// The account that uninstalled the client.
    pub account: AccountId,
    /// The account's number.
    pub number: AccountNumber,
    /// The client as it is now.
    pub client: OauthClient,
    /// The change to report, and the attempts so far.
    pub waiting: WaitingHook,
    /// True when the account has installed the client again since.
    pub is_installed: bool,
}

impl System {
    /// Waits until there may be another report to send.
    pub async fn hook_wanted(&self) {
        self.kernel().shared.hook_wanted.notified().await;
    }

    /// The reports that wait, by account, oldest first.
    ///
    /// # Errors
    /// When they cannot be read now.
    pub async fn due_hooks(&self) -> Result<Vec<DueHook>, UnavailableError> {
        let kernel = self.kernel();
        kernel.caught_up().await;
        let (mut due, mut range) = (Vec::new(), KeyRange::all());
        loop {
            let order = ScanOrder::Ascending;
            let rows = kernel
                .index
                .scan(tables::UNINSTALL_HOOKS, &range, order, ROWS)?;
            for (account, hook) in rows.iter().filter_map(|(key, _)| parse_hook_row(key)) {
                due.extend(self.due_hook(account, hook).await?);
            }
            match rows.last().filter(|_| rows.len() == ROWS) {
                Some((last, _)) => range = range.behind(last.clone(), order),
                None => return Ok(due),
            }
        }
    }

    /// A report that waits; `None` when its account or its client is not there any more.
    async fn due_hook(
        &self,
        account: AccountId,
        hook: PendingHook,
    ) -> Result<Option<DueHook>, UnavailableError> {
        let there = self.account(account).zip(self.oauth_client(hook.client));
        let Some((Account { number, .. }, client)) = there else {
            return Ok(None);
        };
        let grants = load_cached::<Grants>(self.kernel(), &account).await?;
        let waiting = grants
            .as_ref()
            .and_then(|grants| grants.waiting(&hook).cloned());
        let (Some(grants), Some(waiting)) = (grants, waiting) else {
            return Ok(None);
        };
        Ok(Some(DueHook {
            account,
            number,
            is_installed: grants.get(hook.client).is_some(),
            client,
            waiting,
        }))
    }

    /// An attempt to send a report begins, or failed: on disk when this returns.
    ///
    /// # Errors
    /// When nothing can be stored now.
    pub async fn attempt_hook(
        &self,
        account: AccountId,
        attempt: AttemptHook,
    ) -> Result<(), UnavailableError> {
        execute(self.kernel(), &account, attempt)
            .await
            .map_err(unavailable)
    }

    /// A report arrived, or is given up.
    ///
    /// # Errors
    /// When nothing can be stored now.
    pub async fn note_hook(
        &self,
        account: AccountId,
        note: NoteHook,
    ) -> Result<(), UnavailableError> {
        execute(self.kernel(), &account, note)
            .await
            .map_err(unavailable)
    }
}
