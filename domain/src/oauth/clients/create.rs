//! The operator creates an OAuth client.

use crate::Decision;
use crate::audit::By;
use crate::id::OauthClientId;
use crate::oauth::clients::settings::OauthClientSettings;
use crate::oauth::clients::{OauthClient, OauthClientRejection, OauthClients, OauthClientsEvent};
use crate::signature::SharedSecret;
use switchboard_engine::state::{Command, Moment};

/// The operator creates an OAuth client; id and secret are made when they are not given.
#[derive(Clone, Debug)]
pub struct CreateOauthClient {
    /// The actor, for the audit log.
    pub by: By,
    /// The id.
    pub id: Option<OauthClientId>,
    /// The secret.
    pub secret: Option<SharedSecret>,
    /// The settings.
    pub settings: OauthClientSettings,
}

impl Command for CreateOauthClient {
    type Of = OauthClients;
    type Reply = OauthClient;
    type Rejection = OauthClientRejection;

    fn decide(
        self,
        state: &OauthClients,
        moment: &mut Moment<'_, OauthClientsEvent>,
    ) -> Result<Decision<OauthClientsEvent, OauthClient>, OauthClientRejection> {
        let id = match self.id {
            Some(id) => id,
            None => OauthClientId::from_random((moment.random)()),
        };
        if state.get(id).is_some() {
            return Err(OauthClientRejection::Exists);
        }
        if state.clients.len() >= OauthClients::MAX {
            return Err(OauthClientRejection::Full);
        }
        let secret = match self.secret {
            Some(secret) => secret,
            None => SharedSecret::from_random([(moment.random)(), (moment.random)()]),
        };
        let client = OauthClient {
            id,
            secret,
            settings: self.settings,
        };
        Ok(state.becomes(client, self.by, moment))
    }
}
