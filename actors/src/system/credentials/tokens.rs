//! Bearer tokens of users: listed, created, revoked.

use crate::domain::account::credentials::token::{
    CreateToken, CreateTokenRejection, RevokeToken, RevokeTokenRejection,
};
use crate::domain::account::credentials::{Credentials, Token};
use crate::domain::account::holder::Holder;
use crate::domain::audit::By;
use crate::domain::id::TokenId;
use crate::domain::operator::token::MadeToken;
use crate::system::System;
use switchboard_engine::runtime::ask::execute;
use switchboard_runtime::error::{CommandError, UnavailableError};

impl System {
    /// The tokens of a user, by number, those included that have expired.
    ///
    /// # Errors
    /// When they cannot be read now.
    pub async fn tokens(&self, holder: Holder) -> Result<Vec<Token>, UnavailableError> {
        let credentials = self.look::<Credentials>(&holder).await?;
        Ok(credentials.map_or_else(Vec::new, |credentials| credentials.tokens))
    }

    /// Makes a bearer token for a user who is there; the token itself is in this answer and in no other.
    ///
    /// # Errors
    /// When the user has too many, it would have expired already, or nothing can be stored now.
    pub async fn create_token(
        &self,
        holder: Holder,
        token: CreateToken,
    ) -> Result<(Token, MadeToken), CommandError<CreateTokenRejection>> {
        execute(self.kernel(), &holder, token).await
    }

    /// Revokes a token. It is refused from the next request on.
    ///
    /// # Errors
    /// When the user has no such token, or nothing can be stored now.
    pub async fn revoke_token(
        &self,
        holder: Holder,
        by: By,
        token: TokenId,
    ) -> Result<(), CommandError<RevokeTokenRejection>> {
        execute(self.kernel(), &holder, RevokeToken { by, token }).await
    }
}
