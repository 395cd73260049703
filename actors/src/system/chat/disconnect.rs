//! An account is disconnected from a channel.

use crate::domain::id::ScopeId;
use crate::domain::scope::disconnect::Disconnect;
use crate::system::System;
use crate::system::operator::unavailable;
use switchboard_engine::runtime::ask::execute;
use switchboard_runtime::error::UnavailableError;

impl System {
    /// Disconnects an account from a channel; nothing happens when it is not connected.
    ///
    /// # Errors
    /// When nothing can be stored now.
    pub async fn disconnect(&self, scope: &ScopeId) -> Result<(), UnavailableError> {
        let outcome = execute(self.kernel(), scope, Disconnect).await;
        outcome.map_err(unavailable)
    }
}
