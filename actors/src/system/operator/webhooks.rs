//! The operator's view of the webhooks of accounts, and its changes.

use crate::domain::audit::By;
use crate::domain::id::{AccountId, SubscriptionId};
use crate::domain::webhooks::create::CreateWebhook;
use crate::domain::webhooks::delete::{DeleteWebhook, WebhookKey};
use crate::domain::webhooks::disable::DisableWebhook;
use crate::domain::webhooks::enable::EnableWebhook;
use crate::domain::webhooks::subscription::{DisableReason, Subscription};
use crate::domain::webhooks::{WebhookRejection, Webhooks};
use crate::system::System;
use switchboard_engine::runtime::ask::execute;
use switchboard_engine::state::State;
use switchboard_runtime::error::{CommandError, UnavailableError};

impl System {
    /// The webhooks of an account, once they are on disk.
    ///
    /// # Errors
    /// When they cannot be read now.
    pub async fn webhooks(&self, account: AccountId) -> Result<Webhooks, UnavailableError> {
        let webhooks = self.look::<Webhooks>(&account).await?;
        Ok(webhooks.unwrap_or_else(|| Webhooks::initial(&account)))
    }

    /// Subscribes an address of an account to events, in the name of an administrator; one that is subscribed gets these events
    /// in the place of its own, and is switched on.
    ///
    /// # Errors
    /// When the account would have too many, or nothing can be stored now.
    pub async fn create_webhook(
        &self,
        account: AccountId,
        create: CreateWebhook,
    ) -> Result<Subscription, CommandError<WebhookRejection>> {
        execute(self.kernel(), &account, create).await
    }

    /// Switches a webhook on again.
    ///
    /// # Errors
    /// When there is none, it is on, or nothing can be stored now.
    pub async fn enable_webhook(
        &self,
        by: By,
        account: AccountId,
        id: SubscriptionId,
    ) -> Result<Subscription, CommandError<WebhookRejection>> {
        execute(self.kernel(), &account, EnableWebhook { by, id }).await
    }

    /// Switches a webhook off.
    ///
    /// # Errors
    /// When there is none, it is off, or nothing can be stored now.
    pub async fn disable_webhook(
        &self,
        by: By,
        account: AccountId,
        id: SubscriptionId,
    ) -> Result<Subscription, CommandError<WebhookRejection>> {
        let why = DisableReason::Operator;
        execute(self.kernel(), &account, DisableWebhook { by, id, why }).await
    }

    /// Deletes a webhook.
    ///
    /// # Errors
    /// When there is none, or nothing can be stored now.
    pub async fn delete_webhook(
        &self,
        by: By,
        account: AccountId,
        id: SubscriptionId,
    ) -> Result<(), CommandError<WebhookRejection>> {
        let webhook = WebhookKey::Id(id);
        execute(self.kernel(), &account, DeleteWebhook { by, webhook }).await
    }
}
