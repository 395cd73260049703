//! Checks of passwords, with the limits on guessing.

use std::sync::PoisonError;

use crate::domain::account::password::PasswordHash;
use crate::domain::account::throttle::{AuthAttempt, ThrottleError};
use crate::system::System;
use switchboard_runtime::error::{CommandError, UnavailableError};

impl System {
    /// Returns whether a password is right, unless there were too many attempts. Takes the time of one check, whether or not
    /// there is a hash.
    pub(in crate::system) async fn check_password(
        &self,
        attempt: &AuthAttempt,
        password: String,
        hash: Option<PasswordHash>,
    ) -> Result<bool, CommandError<ThrottleError>> {
        let kernel = self.kernel();
        let throttle = || {
            kernel
                .shared
                .throttle
                .lock()
                .unwrap_or_else(PoisonError::into_inner)
        };
        let let_through = throttle().attempt(attempt, kernel.clock.now());
        let_through.map_err(CommandError::Rejected)?;
        let check: Result<bool, UnavailableError> =
            kernel.shared.passwords.check(password, hash).await;
        if !matches!(check, Ok(false)) {
            throttle().forgive(attempt, kernel.clock.now());
        }
        let is_right = check?;
        if is_right {
            throttle().welcome(attempt);
        }
        Ok(is_right)
    }
}
