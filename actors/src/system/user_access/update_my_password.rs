//! Users change their own password.

use std::net::IpAddr;

use crate::domain::account::emails::Emails;
use crate::domain::account::password::Password;
use crate::domain::account::throttle::{AuthAttempt, ThrottleError};
use crate::domain::account::users::fields::UserFields;
use crate::system::credentials::SignedIn;
use crate::system::user_access::UserAccess;
use crate::system::user_access::update_me::own_change;
use switchboard_engine::runtime::ask::execute;
use switchboard_runtime::error::CommandError;

/// A change of a user's own password.
pub struct PasswordChange {
    /// The current password, as it was given.
    pub current: String,
    /// The new one.
    pub new: Password,
    /// The address of the client.
    pub address: IpAddr,
}

/// The rejection of a change of a user's own password.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum PasswordRejection {
    /// The current password is another.
    #[error("the current password is wrong")]
    Wrong,
    /// Too many attempts.
    #[error(transparent)]
    TooOften(ThrottleError),
}

impl UserAccess {
    /// Gives the user another password, which ends all their sessions, and begins a new one in their place.
    ///
    /// # Errors
    /// When the current password is wrong, there were too many attempts, or nothing can be stored now.
    pub async fn update_my_password(
        &self,
        change: PasswordChange,
    ) -> Result<SignedIn, CommandError<PasswordRejection>> {
        let (system, caller) = (&self.system, &self.caller);
        let wrong = || CommandError::Rejected(PasswordRejection::Wrong);
        let user = self.users.get(caller.user).ok_or_else(wrong)?;
        let name = format!("{} {}", caller.account, Emails::folded(&user.email));
        let attempt = AuthAttempt::new(&name, change.address);
        let check = system.check_password(&attempt, change.current, user.password.clone());
        let is_right = check.await;
        if !is_right.map_err(|refused| refused.map(PasswordRejection::TooOften))? {
            return Err(wrong());
        }
        let password = Some(system.hashed(change.new).await?);
        let command = own_change(caller, UserFields::default(), password);
        let outcome = execute(system.kernel(), &caller.account, command).await;
        let user = outcome.map_err(|refused| refused.map(|_gone| PasswordRejection::Wrong))?;
        Ok(system.begin_session(caller.account, &user).await?)
    }
}
