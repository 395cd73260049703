//! The operator changes an OAuth client.

use crate::Decision;
use crate::audit::By;
use crate::id::OauthClientId;
use crate::oauth::clients::settings::OauthClientChange;
use crate::oauth::clients::{OauthClient, OauthClientRejection, OauthClients, OauthClientsEvent};
use switchboard_engine::state::{Command, Moment};

/// The operator changes an OAuth client. Grants and tokens stay.
#[derive(Clone, Debug)]
pub struct UpdateOauthClient {
    /// The actor, for the audit log.
    pub by: By,
    /// The client.
    pub id: OauthClientId,
    /// The changes.
    pub change: OauthClientChange,
}

impl Command for UpdateOauthClient {
    type Of = OauthClients;
    type Reply = OauthClient;
    type Rejection = OauthClientRejection;

    fn decide(
        self,
        state: &OauthClients,
        moment: &mut Moment<'_, OauthClientsEvent>,
    ) -> Result<Decision<OauthClientsEvent, OauthClient>, OauthClientRejection> {
        let client = state.get(self.id).ok_or(OauthClientRejection::Unknown)?;
        let settings = client.settings.clone().with(self.change);
        let after = OauthClient {
            settings,
            ..client.clone()
        };
        Ok(state.becomes(after, self.by, moment))
    }
}
