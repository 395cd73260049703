//! A user signs out.

use std::convert::Infallible;

use crate::Decision;
use crate::account::credentials::{Credentials, CredentialsEvent};
use crate::account::users::TokenHash;
use crate::audit::By;
use switchboard_engine::state::{Command, Moment};

/// The user signs out; nothing happens when the session is not there any more.
#[derive(Clone, Debug)]
pub struct SignOut {
    /// The user, as the actor.
    pub by: By,
    /// The hash of the session.
    pub session: TokenHash,
}

impl Command for SignOut {
    type Of = Credentials;
    type Reply = ();
    type Rejection = Infallible;

    fn decide(
        self,
        state: &Credentials,
        moment: &mut Moment<'_, CredentialsEvent>,
    ) -> Result<Decision<CredentialsEvent, ()>, Infallible> {
        if !state
            .sessions
            .iter()
            .any(|known| known.hash == self.session)
        {
            return Ok(Decision::unchanged(()));
        }
        let event = CredentialsEvent::SignedOut {
            session: self.session,
            audit: Box::new(state.audit(self.by, "user.sign_out", moment)),
        };
        Ok(Decision::event(event, ()))
    }
}
