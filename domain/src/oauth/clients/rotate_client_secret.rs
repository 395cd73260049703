//! The operator replaces the secret of an OAuth client.

use crate::Decision;
use crate::audit::By;
use crate::id::OauthClientId;
use crate::oauth::clients::{OauthClient, OauthClientRejection, OauthClients, OauthClientsEvent};
use crate::signature::SharedSecret;
use switchboard_engine::state::{Command, Moment};

/// The operator replaces the secret of an OAuth client; it is made when none is given. The old one is refused at once;
/// tokens stay.
#[derive(Clone, Debug)]
pub struct RotateClientSecret {
    /// The actor, for the audit log.
    pub by: By,
    /// The client.
    pub id: OauthClientId,
    /// The new secret.
    pub secret: Option<SharedSecret>,
}

impl Command for RotateClientSecret {
    type Of = OauthClients;
    type Reply = OauthClient;
    type Rejection = OauthClientRejection;

    fn decide(
        self,
        state: &OauthClients,
        moment: &mut Moment<'_, OauthClientsEvent>,
    ) -> Result<Decision<OauthClientsEvent, OauthClient>, OauthClientRejection> {
        let client = state.get(self.id).ok_or(OauthClientRejection::Unknown)?;
        let secret = match self.secret {
            Some(secret) => secret,
            None => SharedSecret::from_random([(moment.random)(), (moment.random)()]),
        };
        if secret == client.secret {
            return Err(OauthClientRejection::SameSecret);
        }
        let after = OauthClient {
            secret,
            ..client.clone()
        };
        Ok(state.becomes(after, self.by, moment))
    }
}
