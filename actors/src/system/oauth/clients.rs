//! The operator's changes of OAuth clients, and lists of them.

use crate::domain::id::{ChannelId, OauthClientId};
use crate::domain::oauth::clients::create::CreateOauthClient;
use crate::domain::oauth::clients::declare::DeclareOauthClient;
use crate::domain::oauth::clients::rotate_client_secret::RotateClientSecret;
use crate::domain::oauth::clients::update::UpdateOauthClient;
use crate::domain::oauth::clients::{OauthClient, OauthClientRejection, OauthClients};
use crate::system::System;
use crate::system::operator::unavailable;
use switchboard_engine::runtime::ask::execute;
use switchboard_engine::state::Command;
use switchboard_runtime::error::{CommandError, UnavailableError};

/// The client as it is now, or why it is not changed.
type Changed = Result<OauthClient, CommandError<OauthClientRejection>>;

impl System {
    /// All OAuth clients, once the state they are read from is on disk.
    ///
    /// # Errors
    /// When they cannot be read now.
    pub async fn stored_oauth_clients(&self) -> Result<OauthClients, UnavailableError> {
        Ok(self.look::<OauthClients>(&()).await?.unwrap_or_default())
    }

    /// All OAuth clients, by id.
    #[must_use]
    pub fn oauth_clients(&self) -> Vec<OauthClient> {
        let clients = self.kernel().shared.read_cache.oauth_clients();
        clients.iter().cloned().collect()
    }

    /// The OAuth client with this id.
    #[must_use]
    pub fn oauth_client(&self, id: OauthClientId) -> Option<OauthClient> {
        let clients = self.kernel().shared.read_cache.oauth_clients();
        clients.get(id).cloned()
    }

    /// Creates an OAuth client.
    ///
    /// # Errors
    /// When there is one with this id, there are too many, its channel is unknown, or nothing can be stored now.
    pub async fn create_oauth_client(&self, client: CreateOauthClient) -> Changed {
        self.known_channel(client.settings.channel.as_ref())?;
        self.change_clients(client).await
    }

    /// Changes an OAuth client.
    ///
    /// # Errors
    /// When there is none with this id, its channel is unknown, or nothing can be stored now.
    pub async fn update_oauth_client(&self, change: UpdateOauthClient) -> Changed {
        self.known_channel(change.change.channel.as_ref().and_then(Option::as_ref))?;
        self.change_clients(change).await
    }

    /// Replaces the secret of an OAuth client.
    ///
    /// # Errors
    /// When there is no such client, the secret is the same, or nothing can be stored now.
    pub async fn rotate_client_secret(&self, rotate: RotateClientSecret) -> Changed {
        self.change_clients(rotate).await
    }

    /// The OAuth client exists afterwards as declared; see [`DeclareOauthClient`].
    ///
    /// # Errors
    /// When nothing can be stored now.
    pub async fn declare_oauth_client(&self, client: OauthClient) -> Result<(), UnavailableError> {
        execute(self.kernel(), &(), DeclareOauthClient(client))
            .await
            .map_err(unavailable)
    }

    fn known_channel(
        &self,
        id: Option<&ChannelId>,
    ) -> Result<(), CommandError<OauthClientRejection>> {
        let exists = |id| self.kernel().shared.read_cache.channel(id).is_some();
        if id.is_none_or(exists) {
            Ok(())
        } else {
            Err(CommandError::Rejected(OauthClientRejection::UnknownChannel))
        }
    }

    async fn change_clients<C>(&self, command: C) -> Changed
    where
        C: Command<Of = OauthClients, Reply = OauthClient, Rejection = OauthClientRejection>,
    {
        execute(self.kernel(), &(), command).await
    }
}
