//! Whose an access token is.

use crate::actor::read_cache::Caller;
use crate::domain::account::users::TokenHash;
use crate::domain::oauth::access_token::{Claims, InvalidToken, verify};
use crate::domain::time::UnixMillis;
use crate::system::System;

/// Why an access token of a client is refused. Its text was issued here, unless [`Self::Invalid`] says otherwise.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum TokenRefusal {
    /// Its text.
    #[error(transparent)]
    Invalid(InvalidToken),
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
    /// When no user has the token; with the reason when it has the form of an access token.
    pub fn identify(&self, token: &str) -> Result<Caller, Option<TokenRefusal>> {
        let cache = &self.env().world.read_cache;
        let now = self.now();
        match verify(cache.oauth.clients().key(), token, now) {
            None => cache.caller(&TokenHash::of(token), now).ok_or(None),
            Some(Err(invalid)) => Err(Some(TokenRefusal::Invalid(invalid))),
            Some(Ok(claims)) => self.acts_for(&claims, now).map_err(Some),
        }
    }

    fn acts_for(&self, claims: &Claims, now: UnixMillis) -> Result<Caller, TokenRefusal> {
        let cache = &self.env().world.read_cache;
        let account = self.account_numbered(claims.account_id);
        let account = account.ok_or(TokenRefusal::Uninstalled)?.id;
        let grants = cache.oauth.grants(account);
        let grant = grants.as_ref().and_then(|grants| grants.get(claims.aud));
        let grant = grant.filter(|grant| grant.number == claims.grant);
        let grant = grant.ok_or(TokenRefusal::Uninstalled)?;
        if let Some(id) = claims.long_lived {
            let mut tokens = grant.long_lived.iter();
            let known = tokens.find(|token| token.id == id);
            known
                .filter(|token| token.expires_at > now)
                .ok_or(TokenRefusal::Revoked)?;
        }
        let user = cache.users.active(account, claims.sub);
        user.map(|(caller, _)| caller)
            .ok_or(TokenRefusal::InactiveUser)
    }
}
