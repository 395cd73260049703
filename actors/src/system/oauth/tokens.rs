//! Tokens for clients: an authorization code or a refresh token for an access token and the next refresh token.

use std::time::Duration;

use crate::domain::account::users::TokenHash;
use crate::domain::id::{AccountId, OauthClientId, UserId};
use crate::domain::oauth::access_token::{ACCESS_LIFE, NewAccessToken};
use crate::domain::oauth::grants::Grants;
use crate::domain::oauth::grants::exchange_code::ExchangeCode;
use crate::domain::oauth::grants::grant::{Grant, UsedBy};
use crate::domain::oauth::grants::refresh::Refresh;
use crate::domain::oauth::grants::rejection::{GrantType, TokenRejection};
use crate::domain::oauth::redirect::PkceText;
use crate::domain::oauth::scope::OauthScopes;
use crate::system::System;
use crate::system::oauth::{parts, with_account};
use switchboard_engine::runtime::ask::execute;
use switchboard_runtime::error::{CommandError, UnavailableError};
use switchboard_runtime::shared::load_cached::load_cached;

/// A client's proof in its request for tokens.
#[derive(Clone)]
pub enum SentGrant {
    /// An authorization code.
    Code {
        /// The code.
        code: String,
        /// The redirect address of the request.
        redirect_uri: String,
        /// The proof that the client began the consent.
        verifier: Option<PkceText>,
    },
    /// A refresh token.
    RefreshToken(String),
}

impl SentGrant {
    fn grant_type(&self) -> GrantType {
        match self {
            Self::Code { .. } => GrantType::Code,
            Self::RefreshToken(_) => GrantType::RefreshToken,
        }
    }

    fn text(&self) -> &str {
        match self {
            Self::Code { code, .. } => code,
            Self::RefreshToken(token) => token,
        }
    }
}

/// A request for tokens by a client whose secret was right.
#[derive(Clone)]
pub struct TokenRequest {
    /// The client.
    pub client: OauthClientId,
    /// The proof that it sends.
    pub grant: SentGrant,
    /// The request.
    pub by: UsedBy,
    /// The domain of the host that the client asked, for the claims.
    pub base_domain: String,
}

/// The tokens of a client. There is no other moment to see them.
#[derive(Clone)]
pub struct IssuedTokens {
    /// The account.
    pub account: AccountId,
    /// For whom the client acts.
    pub user: UserId,
    /// The access token.
    pub access_token: String,
    /// The time until it expires.
    pub expires_in: Duration,
    /// The refresh token.
    pub refresh_token: String,
}

impl System {
    /// Issues tokens to a client. What it sent is good once: of two requests with the same text, one gets tokens.
    ///
    /// # Errors
    /// Which rule was broken, and which request used the text before; or that nothing can be stored now.
    pub async fn issue_tokens(
        &self,
        request: TokenRequest,
    ) -> Result<IssuedTokens, CommandError<TokenRejection>> {
        let (client, sent) = (request.client, request.grant.grant_type());
        let unknown = || CommandError::Rejected(TokenRejection::Unknown(sent));
        let text = request.grant.text();
        if self.is_access_token(text) {
            return Err(CommandError::Rejected(TokenRejection::AccessToken(sent)));
        }
        let (account, secret) = parts(text).ok_or_else(unknown)?;
        if self.account(account).is_none() {
            return Err(unknown());
        }
        let hash = TokenHash::new(secret);
        self.has_active_user(account, client, &hash).await?;
        let kernel = self.kernel();
        let issued = match request.grant {
            SentGrant::Code {
                redirect_uri,
                verifier,
                ..
            } => {
                let exchange = ExchangeCode {
                    client,
                    code: hash,
                    redirect_uri,
                    verifier,
                    by: request.by,
                };
                execute(kernel, &account, exchange).await?
            }
            SentGrant::RefreshToken(_) => {
                let token = hash;
                let by = request.by;
                execute(kernel, &account, Refresh { client, token, by }).await?
            }
        };
        let now = self.now();
        let new = NewAccessToken {
            client,
            user: issued.user,
            grant: issued.grant,
            long_lived: None,
            scopes: self.in_force(client, &issued.scopes),
            base_domain: request.base_domain,
            issued_at: now,
            expires_at: now.plus(ACCESS_LIFE),
        };
        Ok(IssuedTokens {
            account,
            user: issued.user,
            access_token: self.sign_access_token(account, new)?,
            expires_in: ACCESS_LIFE,
            refresh_token: with_account(account, issued.refresh_token.expose()),
        })
    }

    /// The granted scopes that the client still asks for.
    pub(super) fn in_force(&self, client: OauthClientId, granted: &OauthScopes) -> OauthScopes {
        let client = self.oauth_client(client);
        client.map_or_else(OauthScopes::default, |client| {
            granted.within(&client.settings.scopes())
        })
    }

    /// An access token for this account.
    pub(super) fn sign_access_token(
        &self,
        account: AccountId,
        new: NewAccessToken,
    ) -> Result<String, UnavailableError> {
        let clients = self.kernel().shared.read_cache.oauth_clients();
        let account = self.account(account);
        let (Some(key), Some(account)) = (clients.key(), account) else {
            return Err(UnavailableError::Interrupted);
        };
        Ok(new.sign(account.number, self.random(), key))
    }

    /// Refuses what was issued for a user who is deactivated; whatever else is wrong, the grants know.
    async fn has_active_user(
        &self,
        account: AccountId,
        client: OauthClientId,
        hash: &TokenHash,
    ) -> Result<(), CommandError<TokenRejection>> {
        let grants = load_cached::<Grants>(self.kernel(), &account).await?;
        let grant = grants.as_ref().and_then(|grants| grants.get(client));
        let Some(user) = grant.and_then(|grant| unused_by(grant, hash)) else {
            return Ok(());
        };
        let users = self.users(account).await?;
        if users.get(user).is_some_and(|user| user.active) {
            return Ok(());
        }
        Err(CommandError::Rejected(TokenRejection::InactiveUser))
    }
}

/// The user of a code or a refresh token that no request has used yet.
fn unused_by(grant: &Grant, hash: &TokenHash) -> Option<UserId> {
    let code = grant.code(hash).filter(|code| code.used_by.is_none());
    let token = grant
        .refresh_token(hash)
        .filter(|token| token.used_by.is_none());
    code.map(|code| code.user).or(token.map(|token| token.user))
}
