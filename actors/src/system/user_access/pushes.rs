//! The browsers of a user that are pushed notifications: listed, subscribed, unsubscribed.

use crate::domain::account::credentials::push::{
    CreatePush, CreatePushRejection, DeletePush, DeletePushRejection, Push, PushEndpoint, PushKeys,
};
use crate::domain::account::users::TokenHash;
use crate::domain::audit::By;
use crate::domain::id::PushId;
use crate::system::user_access::UserAccess;
use switchboard_engine::runtime::ask::execute;
use switchboard_runtime::error::{CommandError, UnavailableError};

impl UserAccess {
    /// The user's subscriptions that are in force, oldest first.
    ///
    /// # Errors
    /// When they cannot be read now.
    pub async fn pushes(&self) -> Result<Vec<Push>, UnavailableError> {
        let targets = self.system.push_targets(self.caller.holder()).await?;
        Ok(targets.map(|targets| targets.pushes).unwrap_or_default())
    }

    /// Subscribes a browser, for the session with this secret.
    ///
    /// # Errors
    /// When the session has ended, or nothing can be stored now.
    pub async fn create_push(
        &self,
        secret: &str,
        endpoint: PushEndpoint,
        keys: PushKeys,
    ) -> Result<Push, CommandError<CreatePushRejection>> {
        let command = CreatePush {
            by: By::from(&self.caller),
            endpoint,
            keys,
            session: TokenHash::new(secret),
        };
        execute(self.system.kernel(), &self.caller.holder(), command).await
    }

    /// Ends a subscription.
    ///
    /// # Errors
    /// When the user has no such subscription, or nothing can be stored now.
    pub async fn delete_push(&self, push: PushId) -> Result<(), CommandError<DeletePushRejection>> {
        let by = By::from(&self.caller);
        let command = DeletePush { by, push };
        execute(self.system.kernel(), &self.caller.holder(), command).await
    }
}
