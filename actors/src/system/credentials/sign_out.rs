//! A user signs out.

use crate::domain::account::credentials::sign_out::SignOut;
use crate::domain::account::users::TokenHash;
use crate::domain::audit::By;
use crate::system::System;
use crate::system::operator::unavailable;
use switchboard_engine::runtime::ask::execute;
use switchboard_runtime::caches::read_cache::Caller;
use switchboard_runtime::error::UnavailableError;

impl System {
    /// Ends a session. It is refused from the next request on.
    ///
    /// # Errors
    /// When nothing can be stored now.
    pub async fn sign_out(&self, caller: &Caller, secret: &str) -> Result<(), UnavailableError> {
        let command = SignOut {
            by: By::from(caller),
            session: TokenHash::new(secret),
        };
        execute(self.kernel(), &caller.holder(), command)
            .await
            .map_err(unavailable)
    }
}
