//! Webhooks: administrators of the account see and set them. Whether the caller is one, the caller of these functions has
//! checked.

use crate::domain::audit::By;
use crate::domain::id::SubscriptionId;
use crate::domain::webhooks::code::WebhookCode;
use crate::domain::webhooks::create::CreateWebhook;
use crate::domain::webhooks::delete::{DeleteWebhook, WebhookKey};
use crate::domain::webhooks::destination::Destination;
use crate::domain::webhooks::subscription::Subscription;
use crate::domain::webhooks::{WebhookRejection, Webhooks};
use crate::system::user_access::UserAccess;
use switchboard_engine::runtime::ask::execute;
use switchboard_engine::runtime::joint::execute_joint;
use switchboard_runtime::error::{CommandError, UnavailableError};
use switchboard_runtime::owners::webhooks::CreateThroughClient;

impl UserAccess {
    /// The webhooks of the account.
    ///
    /// # Errors
    /// When they cannot be read now.
    pub async fn webhooks(&self) -> Result<Webhooks, UnavailableError> {
        self.system.webhooks(self.caller.account).await
    }

    /// Subscribes an address to events; one that is subscribed gets these events in the place of its own, and is switched on.
    /// Answers once that is on disk.
    ///
    /// # Errors
    /// When the account would have too many, it has uninstalled the client that asks, or nothing can be stored now.
    pub async fn create_webhook(
        &self,
        destination: Destination,
        codes: Vec<WebhookCode>,
        sort: i64,
    ) -> Result<Subscription, CommandError<WebhookRejection>> {
        let (kernel, account) = (self.system.kernel(), self.caller.account);
        let create = CreateWebhook {
            by: By::from(&self.caller),
            user: self.caller.user,
            destination,
            codes,
            sort,
        };
        let Some(client) = self.caller.client.as_ref().map(|client| client.id) else {
            return execute(kernel, &account, create).await;
        };
        let _accepted = kernel.gate.enter()?;
        let create = CreateThroughClient {
            account,
            client,
            create,
        };
        execute_joint(kernel, &account, create).await
    }

    /// Switches a webhook on again; answers once that is on disk.
    ///
    /// # Errors
    /// When there is none, it is on, or nothing can be stored now.
    pub async fn enable_webhook(
        &self,
        id: SubscriptionId,
    ) -> Result<Subscription, CommandError<WebhookRejection>> {
        let by = By::from(&self.caller);
        let account = self.caller.account;
        self.system.enable_webhook(by, account, id).await
    }

    /// Deletes the webhook with this address; answers once that is on disk.
    ///
    /// # Errors
    /// When there is none, or nothing can be stored now.
    pub async fn delete_webhook(
        &self,
        destination: Destination,
    ) -> Result<(), CommandError<WebhookRejection>> {
        let by = By::from(&self.caller);
        let webhook = WebhookKey::Destination(destination);
        let delete = DeleteWebhook { by, webhook };
        execute(self.system.kernel(), &self.caller.account, delete).await
    }
}
