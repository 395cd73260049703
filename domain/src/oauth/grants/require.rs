//! A change of another state that only an installed client may make.

use crate::Decision;
use crate::id::OauthClientId;
use crate::oauth::grants::Grants;
use crate::oauth::grants::event::GrantsEvent;
use switchboard_engine::state::{Command, Moment};

/// Requires that a client is installed. It changes nothing; it is the first part of a change that rests on it.
#[derive(Clone, Copy, Debug)]
pub struct RequireGrant {
    /// The client.
    pub client: OauthClientId,
}

/// The client is not installed.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("the account has not installed the client")]
pub struct RequireGrantRejection;

impl Command for RequireGrant {
    type Of = Grants;
    type Reply = ();
    type Rejection = RequireGrantRejection;

    fn decide(
        self,
        state: &Grants,
        _: &mut Moment<'_, GrantsEvent>,
    ) -> Result<Decision<GrantsEvent, ()>, RequireGrantRejection> {
        match state.get(self.client) {
            Some(_) => Ok(Decision::unchanged(())),
            None => Err(RequireGrantRejection),
        }
    }
}
