//! The grants of accounts to OAuth clients.

use crate::domain::audit::By;
use crate::domain::id::{AccountId, ChannelId, OauthClientId, ScopeId};
use crate::domain::keys::people::{account_of_installed_row, installed_row};
use crate::domain::oauth::grants::Grants;
use crate::domain::oauth::grants::revoke::{RevokeGrant, RevokeGrantRejection};
use crate::domain::tables;
use crate::system::System;
use crate::system::inbox::{PAGE_MAX, Page};
use switchboard_engine::runtime::joint::execute_joint;
use switchboard_engine::state::State;
use switchboard_engine::store::tables::{KeyRange, ScanOrder};
use switchboard_runtime::error::{CommandError, UnavailableError};
use switchboard_runtime::owners::webhooks::RevokeWithWebhooks;

impl System {
    /// The grants of an account, once they are on disk.
    ///
    /// # Errors
    /// When it cannot be read now.
    pub async fn grants(&self, account: AccountId) -> Result<Grants, UnavailableError> {
        let grants = self.look::<Grants>(&account).await?;
        Ok(grants.unwrap_or_else(|| Grants::initial(&account)))
    }

    /// The accounts behind `after` that granted anything to this client, with what they granted, by account.
    ///
    /// # Errors
    /// When they cannot be read now.
    pub async fn grants_to(
        &self,
        client: OauthClientId,
        after: Option<AccountId>,
        limit: usize,
    ) -> Result<Page<Grants, AccountId>, UnavailableError> {
        let kernel = self.kernel();
        kernel.caught_up().await;
        let (limit, order) = (limit.clamp(1, PAGE_MAX), ScanOrder::Ascending);
        let mut range = KeyRange::prefix(&client.bytes());
        if let Some(account) = after {
            range = range.behind(installed_row(client, account), order);
        }
        let most = limit.saturating_add(1);
        let rows = kernel.index.scan(tables::INSTALLED, &range, order, most)?;
        let (mut entries, mut next) = (Vec::new(), None);
        for (key, _) in rows.iter().take(limit) {
            let Some(account) = account_of_installed_row(key) else {
                continue;
            };
            next = Some(account);
            let grants = self.grants(account).await?;
            entries.extend(grants.get(client).is_some().then_some(grants));
        }
        Ok(Page {
            entries,
            next: next.filter(|_| rows.len() > limit),
        })
    }

    /// An account uninstalls a client, and the webhooks that the client subscribed end. The account is disconnected from the client's channel before, so that repeating a
    /// request that was interrupted does the rest. It stays connected if another client that it has installed has the same
    /// channel.
    ///
    /// # Errors
    /// When the client is not installed, or nothing can be stored now.
    pub async fn revoke_grant(
        &self,
        by: By,
        account: AccountId,
        client: OauthClientId,
    ) -> Result<(), CommandError<RevokeGrantRejection>> {
        let grants = self.grants(account).await?;
        if grants.get(client).is_none() {
            return Err(CommandError::Rejected(RevokeGrantRejection));
        }
        let settings = self.oauth_client(client).map(|client| client.settings);
        let channel = settings.as_ref().and_then(|it| it.channel.clone());
        if let Some(channel) = channel.filter(|it| !self.is_of_another(&grants, client, it)) {
            self.disconnect(&ScopeId::new(channel, account)).await?;
        }
        let has_hook = settings.is_some_and(|settings| settings.uninstall_hook.is_some());
        let revoke = RevokeGrant {
            by,
            client,
            has_hook,
        };
        let _accepted = self.kernel().gate.enter()?;
        let revoke = RevokeWithWebhooks { account, revoke };
        execute_joint(self.kernel(), &account, revoke).await?;
        self.kernel().shared.hook_wanted.notify_one();
        Ok(())
    }

    /// Returns whether another client that the account has installed has this channel.
    fn is_of_another(&self, grants: &Grants, client: OauthClientId, channel: &ChannelId) -> bool {
        let clients = self.kernel().shared.read_cache.oauth_clients();
        let mut others = grants.iter().filter(|(other, _)| *other != client);
        others.any(|(other, _)| {
            let other_client = clients.get(other);
            other_client.and_then(|other_client| other_client.settings.channel.as_ref())
                == Some(channel)
        })
    }
}
