//! An account is disconnected from a channel.

use crate::domain::id::ScopeId;
use crate::domain::scope::disconnect::Disconnect;
use crate::error::{Refused, Unavailable};
use crate::system::System;
use switchboard_engine::runtime::ask::execute;

impl System {
    /// Disconnects an account from a channel; nothing happens when it is not connected.
    ///
    /// # Errors
    /// When nothing can be stored now.
    pub async fn disconnect(&self, scope: &ScopeId) -> Result<(), Unavailable> {
        match execute(self.kernel(), scope, Disconnect).await {
            Ok(()) => Ok(()),
            Err(Refused::Unavailable(unavailable)) => Err(unavailable),
            Err(Refused::Rejected(never)) => match never {},
        }
    }
}
