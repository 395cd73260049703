//! Bearer tokens are made and revoked.

use crate::Decision;
use crate::account::credentials::{Credentials, CredentialsEvent, TOKENS_MAX, Token};
use crate::account::users::TokenHash;
use crate::audit::By;
use crate::id::TokenId;
use crate::operator::token::MadeToken;
use crate::text::Name;
use crate::time::UnixMillis;
use switchboard_engine::state::{Command, Moment};

/// Makes a token.
#[derive(Clone, Debug)]
pub struct CreateToken {
    /// The actor, for the audit log.
    pub by: By,
    /// The purpose of the token.
    pub name: Name,
    /// The time from which it is refused; `None` for never.
    pub expires_at: Option<UnixMillis>,
}

/// The reason not to create a token.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum CreateTokenRejection {
    /// There are too many.
    #[error("the user has {TOKENS_MAX} tokens already; revoke one that is not needed")]
    TooMany,
    /// It would never have been good.
    #[error("the token would have expired already")]
    Expired,
}

impl Command for CreateToken {
    type Of = Credentials;
    type Reply = (Token, MadeToken);
    type Rejection = CreateTokenRejection;

    fn decide(
        self,
        state: &Credentials,
        moment: &mut Moment<'_, CredentialsEvent>,
    ) -> Result<Decision<CredentialsEvent, (Token, MadeToken)>, CreateTokenRejection> {
        let good = state.tokens.iter();
        if good.filter(|token| !token.has_expired(moment.now)).count() >= TOKENS_MAX {
            return Err(CreateTokenRejection::TooMany);
        }
        let new_token = MadeToken::new(moment);
        let token = Token {
            id: TokenId(state.last.saturating_add(1)),
            name: self.name,
            hash: TokenHash::new(new_token.expose()),
            created_at: moment.now,
            expires_at: self.expires_at,
        };
        if token.has_expired(moment.now) {
            return Err(CreateTokenRejection::Expired);
        }
        let expires = token.expires_at.map(UnixMillis::secs);
        let audit = state
            .audit_part(self.by, "token.create", token.id, moment)
            .change("name", serde_json::Value::Null, token.name.as_str())
            .change("expires_at", serde_json::Value::Null, expires)
            .secret("token");
        let event = CredentialsEvent::TokenIssued {
            token: token.clone(),
            audit: Box::new(audit),
        };
        Ok(Decision::event(event, (token, new_token)))
    }
}

/// Revokes a token: it is refused from now on.
#[derive(Clone, Debug)]
pub struct RevokeToken {
    /// The actor, for the audit log.
    pub by: By,
    /// The token to revoke.
    pub token: TokenId,
}

/// The user has no such token.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("the user has no such token")]
pub struct RevokeTokenRejection;

impl Command for RevokeToken {
    type Of = Credentials;
    type Reply = ();
    type Rejection = RevokeTokenRejection;

    fn decide(
        self,
        state: &Credentials,
        moment: &mut Moment<'_, CredentialsEvent>,
    ) -> Result<Decision<CredentialsEvent, ()>, RevokeTokenRejection> {
        let token = state.tokens.iter().find(|token| token.id == self.token);
        let name = token.ok_or(RevokeTokenRejection)?.name.clone();
        let audit = state
            .audit_part(self.by, "token.revoke", self.token, moment)
            .change("name", name.as_str(), serde_json::Value::Null);
        let event = CredentialsEvent::TokenRevoked {
            token: self.token,
            audit: Box::new(audit),
        };
        Ok(Decision::event(event, ()))
    }
}
