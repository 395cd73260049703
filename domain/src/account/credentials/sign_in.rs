//! A user signs in.

use std::convert::Infallible;

use crate::Decision;
use crate::account::credentials::{Credentials, CredentialsEvent, Session};
use crate::account::users::TokenHash;
use crate::audit::By;
use crate::operator::token::MadeToken;
use switchboard_engine::state::{Command, Moment};

/// The user signs in; the password was right.
#[derive(Clone, Debug)]
pub struct SignIn {
    /// The user, as the actor.
    pub by: By,
    /// The user's number of collective sign-outs so far.
    pub ended_before: u64,
}

impl Command for SignIn {
    type Of = Credentials;
    type Reply = MadeToken;
    type Rejection = Infallible;

    fn decide(
        self,
        state: &Credentials,
        moment: &mut Moment<'_, CredentialsEvent>,
    ) -> Result<Decision<CredentialsEvent, MadeToken>, Infallible> {
        let new_token = MadeToken::new(moment);
        let session = Session {
            hash: TokenHash::new(new_token.expose()),
            began_at: moment.now,
            seen_at: moment.now,
            ended_before: self.ended_before,
        };
        let audit = Box::new(state.audit(self.by, "user.sign_in", moment));
        Ok(Decision::event(
            CredentialsEvent::SignedIn { session, audit },
            new_token,
        ))
    }
}
