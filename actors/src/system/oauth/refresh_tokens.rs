//! Refresh tokens outside of the exchange for tokens: whose account one is for, and one in the place of an access token.

use crate::domain::account::users::TokenHash;
use crate::domain::installation::accounts::Account;
use crate::domain::oauth::grants::Grants;
use crate::domain::oauth::grants::grant::RefreshToken;
use crate::domain::oauth::grants::rejection::GrantType;
use crate::system::System;
use crate::system::oauth::parts;
use switchboard_runtime::error::{CommandError, UnavailableError};
use switchboard_runtime::shared::load_cached::load_cached;

/// The refusal of a refresh token.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum RefreshTokenRejection {
    /// No grant in force has it.
    #[error(
        "no installed client has this refresh token: compare the text with what you got, or let an administrator consent again"
    )]
    Unknown,
    /// A request has used it.
    #[error("this refresh token was used before; the answer to that request has the next one")]
    Used,
    /// It is too old.
    #[error("this refresh token expired; an administrator of the account must consent again")]
    Expired,
    /// The user is deactivated.
    #[error("the user who consented is deactivated; an active administrator must consent")]
    InactiveUser,
}

impl System {
    /// The account that a refresh token is for. The token stays valid.
    ///
    /// # Errors
    /// Why it leads to no account, or that something cannot be read now.
    pub async fn account_of_refresh_token(
        &self,
        text: &str,
    ) -> Result<Account, CommandError<RefreshTokenRejection>> {
        let reject = |why| Err(CommandError::Rejected(why));
        let Some((account, token)) = self.find_refresh_token(text).await? else {
            return reject(RefreshTokenRejection::Unknown);
        };
        if token.used_by.is_some() {
            return reject(RefreshTokenRejection::Used);
        }
        if token.expires_at() <= self.now() {
            return reject(RefreshTokenRejection::Expired);
        }
        let users = self.users(account.id).await?;
        if users.get(token.user).is_some_and(|user| user.active) {
            Ok(account)
        } else {
            reject(RefreshTokenRejection::InactiveUser)
        }
    }

    /// The grant type that this text is good for at the exchange for tokens, if an installed client has it.
    ///
    /// # Errors
    /// When that cannot be read now.
    pub async fn grant_type_of(&self, text: &str) -> Result<Option<GrantType>, UnavailableError> {
        if self.find_refresh_token(text).await?.is_some() {
            return Ok(Some(GrantType::RefreshToken));
        }
        let Some((account, secret)) = parts(text) else {
            return Ok(None);
        };
        let hash = TokenHash::new(secret);
        let grants = load_cached::<Grants>(self.kernel(), &account).await?;
        let mut all = grants.iter().flat_map(|grants| grants.iter());
        let is_code = all.any(|(_, grant)| grant.code(&hash).is_some());
        Ok(is_code.then_some(GrantType::Code))
    }

    pub(in crate::system) async fn find_refresh_token(
        &self,
        text: &str,
    ) -> Result<Option<(Account, RefreshToken)>, UnavailableError> {
        let Some((id, secret)) = parts(text) else {
            return Ok(None);
        };
        let Some(account) = self.account(id) else {
            return Ok(None);
        };
        let hash = TokenHash::new(secret);
        let grants = load_cached::<Grants>(self.kernel(), &id).await?;
        let mut all = grants.iter().flat_map(|grants| grants.iter());
        let token = all.find_map(|(_, grant)| grant.refresh_token(&hash).cloned());
        Ok(token.map(|token| (account, token)))
    }
}
