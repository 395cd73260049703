//! An account is disconnected from a channel.

use crate::domain::id::ScopeId;
use crate::domain::scope::disconnect::Disconnect;
use crate::system::System;
use switchboard_engine::runtime::ask::execute;
use switchboard_runtime::error::{CommandError, UnavailableError};

impl System {
    /// Disconnects an account from a channel; nothing happens when it is not connected.
    ///
    /// # Errors
    /// When nothing can be stored now.
    pub async fn disconnect(&self, scope: &ScopeId) -> Result<(), UnavailableError> {
        match execute(self.kernel(), scope, Disconnect).await {
            Ok(()) => Ok(()),
            Err(CommandError::Unavailable(unavailable)) => Err(unavailable),
            Err(CommandError::Rejected(never)) => match never {},
        }
    }
}
