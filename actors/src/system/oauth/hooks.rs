//! Reports of uninstallations that wait to be sent.

use crate::domain::id::AccountId;
use crate::domain::id::AccountNumber;
use crate::domain::oauth::clients::OauthClient;
use crate::domain::oauth::grants::Grants;
use crate::domain::oauth::grants::grant::PendingHook;
use crate::domain::oauth::grants::note_hook::NoteHook;
use crate::error::Unavailable;
use crate::system::System;
use crate::system::operator::unavailable;
use switchboard_engine::runtime::ask::execute;

/// A report that waits to be sent.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct DueHook {
    /// The account that uninstalled the client.
    pub account: AccountId,
    /// The account's number.
    pub number: AccountNumber,
    /// The client as it is now.
    pub client: OauthClient,
    /// What happened.
    pub hook: PendingHook,
    /// Whether the account has installed the client again since.
    pub is_installed: bool,
}

impl System {
    /// Waits until there may be another report to send.
    pub async fn hook_wanted(&self) {
        self.env().world.hook_wanted.notified().await;
    }

    /// The reports that wait, by account, oldest first.
    #[must_use]
    pub fn due_hooks(&self) -> Vec<DueHook> {
        let all = self.env().world.read_cache.oauth.all_grants();
        let hooks = all
            .iter()
            .flat_map(|grants| grants.hooks().map(move |hook| (grants, hook.clone())));
        let due = hooks.filter_map(|(grants, hook)| {
            let account = grants.account;
            Some(DueHook {
                account,
                is_installed: grants.get(hook.client).is_some(),
                number: self.account(account)?.number,
                client: self.oauth_client(hook.client)?,
                hook,
            })
        });
        due.collect()
    }

    /// A report arrived, or is given up.
    ///
    /// # Errors
    /// When nothing can be stored now.
    pub async fn note_hook(&self, account: AccountId, note: NoteHook) -> Result<(), Unavailable> {
        execute::<Grants, _>(self.env(), &account, note)
            .await
            .map_err(unavailable)
    }
}
