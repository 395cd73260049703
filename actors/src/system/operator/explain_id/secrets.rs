//! Secrets in the place of ids: whose they are, and whether they are good. Their texts are compared and left.

use super::IdMatch;
use crate::domain::account::users::TokenHash;
use crate::domain::id_kind::IdKind;
use crate::domain::oauth::grants::rejection::GrantType;
use crate::domain::signature::SharedSecret;
use crate::system::System;
use crate::system::credentials::Shown;
use crate::system::oauth::{BearerTokenError, parts};
use switchboard_runtime::caches::read_cache::Caller;
use switchboard_runtime::error::{CommandError, UnavailableError};

/// The refusal of a token that was good once.
const NOT_GOOD: &str = "the token or session has expired, or the user is deactivated";

impl System {
    /// The secret with this text.
    pub(super) async fn secrets_with(&self, text: &str) -> Result<Vec<IdMatch>, UnavailableError> {
        if self.is_operator(text) {
            return Ok(vec![IdMatch::secret(IdKind::OperatorToken)]);
        }
        let mut matches = self.shared_secrets(text);
        matches.extend(self.bearer_token(text).await?);
        matches.extend(self.token_for_tokens(text).await?);
        Ok(matches)
    }

    /// The channels and OAuth clients that have this secret.
    fn shared_secrets(&self, text: &str) -> Vec<IdMatch> {
        let Ok(secret) = text.parse::<SharedSecret>() else {
            return Vec::new();
        };
        let cache = &self.kernel().shared.read_cache;
        let (channels, clients) = (cache.channels(), cache.oauth_clients());
        let same_channels = channels.iter().filter(|it| it.secret == secret);
        let of_channels = same_channels.map(|channel| IdMatch {
            name: Some(channel.settings.name.to_string()),
            channel: Some(channel.id.clone()),
            ..IdMatch::secret(IdKind::ChannelSecret)
        });
        let same_clients = clients.iter().filter(|it| it.secret == secret);
        let of_clients = same_clients.map(|client| IdMatch {
            name: Some(client.settings.name.to_string()),
            client: Some(client.id),
            ..IdMatch::secret(IdKind::ClientSecret)
        });
        of_channels.chain(of_clients).collect()
    }

    /// The bearer token or the session with this text, good or not.
    async fn bearer_token(&self, text: &str) -> Result<Option<IdMatch>, UnavailableError> {
        let error = match self.identify(text).await {
            Ok(caller) if caller.client.is_some() => {
                return Ok(Some(held(IdKind::AccessToken, &caller)));
            }
            Ok(caller) => return Ok(Some(held(IdKind::UserToken, &caller))),
            Err(CommandError::Rejected(error)) => error,
            Err(CommandError::Unavailable(unavailable)) => return Err(unavailable),
        };
        if error != BearerTokenError::Unknown {
            return Ok(Some(IdMatch {
                refusal: Some(error.to_string()),
                ..IdMatch::secret(IdKind::AccessToken)
            }));
        }
        let hash = TokenHash::new(text);
        if let Some(user) = self.recognise(&hash, Shown::Session).await? {
            return Ok(Some(held(IdKind::Session, &user.caller)));
        }
        let holder = self.holders(&hash).await?.into_iter().next();
        Ok(holder.map(|holder| IdMatch {
            refusal: Some(NOT_GOOD.to_owned()),
            ..IdMatch::secret(IdKind::UserToken).of_user(holder.account, holder.user)
        }))
    }

    /// The refresh token or the authorization code with this text.
    async fn token_for_tokens(&self, text: &str) -> Result<Option<IdMatch>, UnavailableError> {
        if let Some((account, token)) = self.find_refresh_token(text).await? {
            let refusal = match self.account_of_refresh_token(text).await {
                Ok(_) => None,
                Err(CommandError::Rejected(refusal)) => Some(refusal.to_string()),
                Err(CommandError::Unavailable(unavailable)) => return Err(unavailable),
            };
            return Ok(Some(IdMatch {
                refusal,
                ..IdMatch::secret(IdKind::RefreshToken).of_user(account.id, token.user)
            }));
        }
        let is_code = self.grant_type_of(text).await? == Some(GrantType::Code);
        let account = parts(text).map(|(account, _)| account);
        Ok(account.filter(|_| is_code).map(|account| IdMatch {
            account: Some(account),
            ..IdMatch::secret(IdKind::Code)
        }))
    }
}

/// A token or a session that is good.
fn held(kind: IdKind, caller: &Caller) -> IdMatch {
    IdMatch {
        name: Some(caller.name.to_string()),
        client: caller.client.as_ref().map(|client| client.id),
        ..IdMatch::secret(kind).of_user(caller.account, caller.user)
    }
}
