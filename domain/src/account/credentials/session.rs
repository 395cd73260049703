//! Sessions of people who signed in: how a page proves that it may use one, and that one is used.

use std::convert::Infallible;

use sha2::{Digest, Sha256};
use subtle::ConstantTimeEq;

use crate::Decision;
use crate::account::credentials::{Credentials, CredentialsEvent};
use crate::account::users::TokenHash;
use switchboard_engine::state::{Command, Moment};

/// Returns the proof that a page sends along with every change, so that no other site can make a browser request one.
/// It is derived from the cookie, so nothing is stored, and it does not reveal the cookie.
#[must_use]
pub fn csrf_token(cookie: &str) -> String {
    let digest = Sha256::new()
        .chain_update(b"switchboard csrf\0")
        .chain_update(cookie.as_bytes());
    hex::encode(digest.finalize())
}

/// Returns whether `given` is the [`csrf_token`] of the cookie. Takes the same time for all wrong values of one length.
#[must_use]
pub fn is_csrf_token(cookie: &str, given: &str) -> bool {
    csrf_token(cookie).as_bytes().ct_eq(given.as_bytes()).into()
}

/// A session is used; noted when that was not noted for a while.
#[derive(Clone, Debug)]
pub struct SeeSession(pub TokenHash);

impl Command for SeeSession {
    type Of = Credentials;
    type Reply = ();
    type Rejection = Infallible;

    fn decide(
        self,
        state: &Credentials,
        moment: &mut Moment<'_, CredentialsEvent>,
    ) -> Result<Decision<CredentialsEvent, ()>, Infallible> {
        let now = moment.now;
        let session = state.sessions.iter().find(|session| session.hash == self.0);
        match session {
            Some(session) if session.is_stale(now) && !session.has_expired(now) => {
                let event = CredentialsEvent::Seen {
                    session: self.0,
                    at: now,
                };
                Ok(Decision::event(event, ()))
            }
            Some(_) | None => Ok(Decision::unchanged(())),
        }
    }
}
