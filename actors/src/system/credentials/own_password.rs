//! Checks of passwords, with the limits on guessing, and users who change their own.

use std::net::IpAddr;
use std::sync::PoisonError;

use crate::actor::read_cache::Caller;
use crate::domain::account::emails::Emails;
use crate::domain::account::password::{Password, PasswordHash};
use crate::domain::account::rights::granted::Rights;
use crate::domain::account::throttle::{AuthAttempt, TooOften};
use crate::domain::account::users::Users;
use crate::domain::account::users::change::{ChangeLimits, ChangeUser, ChangeUserRejection};
use crate::domain::account::users::fields::UserFields;
use crate::domain::audit::By;
use crate::domain::installation::accounts::Lang;
use crate::domain::text::UserName;
use crate::error::{Refused, Unavailable};
use crate::system::System;
use crate::system::credentials::SignedIn;
use switchboard_engine::runtime::ask::execute;

/// A change of a user's own password.
pub struct OwnPasswordChange {
    /// The current password, as it was given.
    pub current: String,
    /// The new one.
    pub new: Password,
    /// Where the request comes from.
    pub address: IpAddr,
}

/// Why a user's own password stays.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum OwnPasswordRejection {
    /// The current password is another.
    #[error("the current password is wrong")]
    Wrong,
    /// Too many attempts.
    #[error(transparent)]
    TooOften(TooOften),
}

impl System {
    /// Gives the caller another password, which ends all their sessions, and begins a new one in their place.
    ///
    /// # Errors
    /// When the current password is wrong, there were too many attempts, or nothing can be stored now.
    pub async fn change_own_password(
        &self,
        caller: &Caller,
        change: OwnPasswordChange,
    ) -> Result<SignedIn, Refused<OwnPasswordRejection>> {
        let users = self.users(caller.account).await?;
        let wrong = || Refused::Rejected(OwnPasswordRejection::Wrong);
        let user = users.get(caller.user).ok_or_else(wrong)?;
        let name = format!("{} {}", caller.account, Emails::folded(&user.email));
        let attempt = AuthAttempt::new(&name, change.address);
        let checked = self.check_password(&attempt, change.current, user.password.clone());
        let is_right = checked.await;
        if !is_right.map_err(|refused| refused.map(OwnPasswordRejection::TooOften))? {
            return Err(wrong());
        }
        let password = Some(self.hashed(change.new).await?);
        let command = own_change(caller, UserFields::default(), password);
        let changed = execute::<Users, _>(self.env(), &caller.account, command).await;
        let user = changed.map_err(|refused| refused.map(|_gone| OwnPasswordRejection::Wrong))?;
        Ok(self.begin_session(caller.account, &user).await?)
    }

    /// Gives the caller another name or another language.
    ///
    /// # Errors
    /// When nothing can be stored now.
    pub async fn change_own_profile(
        &self,
        caller: &Caller,
        name: Option<UserName>,
        lang: Option<Lang>,
    ) -> Result<(), Refused<ChangeUserRejection>> {
        let fields = UserFields {
            name,
            lang,
            ..UserFields::default()
        };
        let command = own_change(caller, fields, None);
        let changed = execute::<Users, _>(self.env(), &caller.account, command).await;
        changed.map(drop)
    }

    /// Whether a password is right, unless there were too many attempts. Takes the time of one check, whether or not there is
    /// a hash.
    pub(in crate::system) async fn check_password(
        &self,
        attempt: &AuthAttempt,
        password: String,
        hash: Option<PasswordHash>,
    ) -> Result<bool, Refused<TooOften>> {
        let env = self.env();
        let throttle = || {
            env.world
                .throttle
                .lock()
                .unwrap_or_else(PoisonError::into_inner)
        };
        let let_through = throttle().attempt(attempt, env.clock.now());
        let_through.map_err(Refused::Rejected)?;
        let checked: Result<bool, Unavailable> = env.world.passwords.check(password, hash).await;
        if !matches!(checked, Ok(false)) {
            throttle().forgive(attempt, env.clock.now());
        }
        let is_right = checked?;
        if is_right {
            throttle().welcome(attempt);
        }
        Ok(is_right)
    }
}

/// What users change of themselves: neither rights nor the e-mail address.
fn own_change(caller: &Caller, change: UserFields, password: Option<PasswordHash>) -> ChangeUser {
    ChangeUser {
        by: By::from(caller),
        id: caller.user,
        change,
        standing: None,
        limits: ChangeLimits::None,
        // No flag is taken away, so these rights are not given to anyone.
        denied: Rights::denied(&[]),
        password,
    }
}
