//! The holder of an access token.

use crate::domain::account::users::TokenHash;
use crate::domain::oauth::access_token::{AccessTokenError, Claims, verify};
use crate::domain::oauth::acting_client::ActingClient;
use crate::domain::oauth::grants::Grants;
use crate::system::System;
use crate::system::credentials::Shown;
use switchboard_runtime::caches::read_cache::Caller;
use switchboard_runtime::error::CommandError;
use switchboard_runtime::shared::load_cached::load_cached;

/// The refusal of a bearer token. The others but [`Self::Unknown`] are about access tokens of clients, whose text was issued
/// here, unless [`Self::Invalid`] says otherwise.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum BearerTokenError {
    /// No active user has it.
    #[error("no active user has this token")]
    Unknown,
    /// Its text.
    #[error(transparent)]
    Invalid(AccessTokenError),
    /// The account uninstalled the client, or never installed it.
    #[error("the account has uninstalled the client; an administrator must consent again")]
    Uninstalled,
    /// An administrator revoked the long-lived token.
    #[error("an administrator revoked this long-lived token")]
    Revoked,
    /// The user is deactivated.
    #[error(
        "the user for whom the client acts is deactivated; an active administrator must consent"
    )]
    InactiveUser,
}

impl System {
    /// The account user for whom a program with this bearer token acts.
    ///
    /// # Errors
    /// When the token is not good, or that cannot be read now.
    pub async fn identify(&self, token: &str) -> Result<Caller, CommandError<BearerTokenError>> {
        let clients = self.kernel().shared.read_cache.oauth_clients();
        match verify(clients.key(), token, self.now()) {
            None => {
                let user = self.recognise(&TokenHash::new(token), Shown::Token).await?;
                user.map(|user| user.caller)
                    .ok_or(CommandError::Rejected(BearerTokenError::Unknown))
            }
            Some(Err(invalid)) => Err(CommandError::Rejected(BearerTokenError::Invalid(invalid))),
            Some(Ok(claims)) => self.acts_for(&claims).await,
        }
    }

    /// Returns whether this is the text of an access token, good or not.
    pub(super) fn is_access_token(&self, text: &str) -> bool {
        let clients = self.kernel().shared.read_cache.oauth_clients();
        verify(clients.key(), text, self.now()).is_some()
    }

    async fn acts_for(&self, claims: &Claims) -> Result<Caller, CommandError<BearerTokenError>> {
        let (kernel, now) = (self.kernel(), self.now());
        let uninstalled = || CommandError::Rejected(BearerTokenError::Uninstalled);
        let account = self
            .account_numbered(claims.account_id)
            .ok_or_else(uninstalled)?
            .id;
        let clients = kernel.shared.read_cache.oauth_clients();
        let client = clients.get(claims.aud).ok_or_else(uninstalled)?;
        let grants = load_cached::<Grants>(kernel, &account).await?;
        let grant = grants
            .as_ref()
            .and_then(|grants| grants.get(claims.aud))
            .filter(|grant| grant.number == claims.grant)
            .ok_or_else(uninstalled)?;
        if let Some(id) = claims.long_lived {
            let mut tokens = grant.long_lived.iter();
            let access_token = tokens.find(|token| token.id == id);
            access_token
                .filter(|token| token.expires_at > now)
                .ok_or(CommandError::Rejected(BearerTokenError::Revoked))?;
        }
        // The operator may take a scope from the client, and a later consent may not grant it again: both count at once.
        let granted = claims.granted().within(&grant.scopes);
        let scopes = granted.within(&client.settings.scopes());
        let acting = ActingClient::from(client);
        let users = self.users(account).await?;
        let user = users.get(claims.sub).filter(|user| user.active);
        user.map(|user| Caller::new(account, user).through(acting, scopes))
            .ok_or(CommandError::Rejected(BearerTokenError::InactiveUser))
    }
}
