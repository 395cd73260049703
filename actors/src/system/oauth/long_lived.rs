//! Long-lived tokens of clients.

use std::time::Duration;

use crate::domain::audit::By;
use crate::domain::id::{AccountId, OauthClientId, TokenId};
use crate::domain::oauth::access_token::NewAccessToken;
use crate::domain::oauth::clients::OauthClient;
use crate::domain::oauth::grants::grant::LongLivedToken;
use crate::domain::oauth::grants::long_lived::{
    CreateLongLived, CreateLongLivedRejection, CreatedLongLived, RevokeLongLived,
    RevokeLongLivedRejection,
};
use crate::domain::text::Name;
use crate::system::System;
use switchboard_engine::runtime::ask::execute;
use switchboard_runtime::caches::read_cache::Caller;
use switchboard_runtime::error::CommandError;

impl System {
    /// An administrator creates a long-lived token of a client, good for `life`; its text is in this answer and in no
    /// other. A client that is not installed gets the scopes that it
    /// asks for. The client must be one that [`Self::consentable`] gave.
    ///
    /// # Errors
    /// When the client has too many, or nothing can be stored now.
    pub async fn create_long_lived(
        &self,
        caller: &Caller,
        client: &OauthClient,
        name: Name,
        life: Duration,
        base_domain: String,
    ) -> Result<(LongLivedToken, String), CommandError<CreateLongLivedRejection>> {
        let create = CreateLongLived {
            by: By::from(caller),
            user: caller.user,
            client: client.id,
            name,
            expires_at: self.now().plus(life),
            asked: client.settings.scopes(),
        };
        let CreatedLongLived {
            grant,
            token,
            scopes,
        } = execute(self.kernel(), &caller.account, create).await?;
        let text = self.sign_access_token(
            caller.account,
            NewAccessToken {
                client: client.id,
                user: caller.user,
                grant,
                long_lived: Some(token.id),
                scopes: self.in_force(client.id, &scopes),
                base_domain,
                issued_at: token.created_at,
                expires_at: token.expires_at,
            },
        )?;
        Ok((token, text))
    }

    /// An administrator revokes a long-lived token.
    ///
    /// # Errors
    /// When there is none, or nothing can be stored now.
    pub async fn revoke_long_lived(
        &self,
        by: By,
        account: AccountId,
        client: OauthClientId,
        token: TokenId,
    ) -> Result<(), CommandError<RevokeLongLivedRejection>> {
        let revoke = RevokeLongLived { by, client, token };
        execute(self.kernel(), &account, revoke).await
    }
}
