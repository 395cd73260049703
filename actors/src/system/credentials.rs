//! Credentials of callers: bearer tokens, and sessions of people who signed in.

mod check_password;
mod recognise;
mod sign_in;
mod sign_out;
mod tokens;

pub(in crate::system) use self::recognise::Shown;
pub use self::sign_in::{SignInRejection, SignInRequest, SignedIn};

use crate::domain::account::credentials::session::SeeSession;
use crate::domain::account::users::TokenHash;
use crate::system::System;
use crate::system::operator::unavailable;
use switchboard_engine::runtime::ask::execute;
use switchboard_runtime::caches::read_cache::Caller;
use switchboard_runtime::error::{CommandError, UnavailableError};

/// A session that is good.
#[derive(Clone, Debug)]
pub struct GoodSession {
    /// The user who signed in.
    pub caller: Caller,
    /// True when [`System::keep_session`] is due.
    pub is_stale: bool,
}

impl System {
    /// The account user with this bearer token, or for whom the program with this access token acts.
    ///
    /// # Errors
    /// When that cannot be read now.
    pub async fn caller(&self, token: &str) -> Result<Option<Caller>, UnavailableError> {
        match self.identify(token).await {
            Ok(caller) => Ok(Some(caller)),
            Err(CommandError::Rejected(_)) => Ok(None),
            Err(CommandError::Unavailable(unavailable)) => Err(unavailable),
        }
    }

    /// The session whose cookie holds this.
    ///
    /// # Errors
    /// When that cannot be read now.
    pub async fn session(&self, secret: &str) -> Result<Option<GoodSession>, UnavailableError> {
        let hash = TokenHash::new(secret);
        let recognised = self.recognise(&hash, Shown::Session).await?;
        Ok(recognised.and_then(|recognised| {
            Some(GoodSession {
                is_stale: recognised.session?.is_stale(self.now()),
                caller: recognised.caller,
            })
        }))
    }

    /// Notes that a session is used, so that it does not end for being idle.
    ///
    /// # Errors
    /// When nothing can be stored now.
    pub async fn keep_session(
        &self,
        caller: &Caller,
        secret: &str,
    ) -> Result<(), UnavailableError> {
        let command = SeeSession(TokenHash::new(secret));
        execute(self.kernel(), &caller.holder(), command)
            .await
            .map_err(unavailable)
    }
}
