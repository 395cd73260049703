//! Who is asking: bearer tokens, and sessions of people who signed in.

mod sign_in;
mod sign_out;
mod tokens;

pub use self::sign_in::{SignInRejection, SignInRequest, SignedIn};

use crate::actor::read_cache::Caller;
use crate::domain::account::credentials::session::SeeSession;
use crate::domain::account::credentials::{Credentials, Holder};
use crate::domain::account::users::TokenHash;
use crate::domain::id::{AccountId, UserId};
use crate::error::Unavailable;
use crate::system::System;
use crate::system::operator::unavailable;
use switchboard_engine::runtime::ask::execute;

/// A session that is good.
#[derive(Clone, Debug)]
pub struct GoodSession {
    /// Who signed in.
    pub caller: Caller,
    /// Whether [`System::keep_session`] is due.
    pub is_stale: bool,
}

impl System {
    /// The account user with this bearer token, or for whom the program with this access token acts.
    #[must_use]
    pub fn caller(&self, token: &str) -> Option<Caller> {
        self.identify(token).ok()
    }

    /// The session whose cookie holds this.
    #[must_use]
    pub fn session(&self, secret: &str) -> Option<GoodSession> {
        let now = self.now();
        let (caller, session) = self
            .env()
            .world
            .read_cache
            .session(&TokenHash::of(secret), now)?;
        let is_stale = session.is_stale(now);
        Some(GoodSession { caller, is_stale })
    }

    /// Notes that a session is used, so that it does not end for being idle.
    ///
    /// # Errors
    /// When nothing can be stored now.
    pub async fn keep_session(&self, caller: &Caller, secret: &str) -> Result<(), Unavailable> {
        let command = SeeSession(TokenHash::of(secret));
        execute::<Credentials, _>(self.env(), &caller.holder(), command)
            .await
            .map_err(unavailable)
    }
}

impl Caller {
    /// Whose credentials are the caller's.
    #[must_use]
    pub fn holder(&self) -> Holder {
        let (account, user): (AccountId, UserId) = (self.account, self.user);
        Holder { account, user }
    }
}
