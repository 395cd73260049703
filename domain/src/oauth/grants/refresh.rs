//! A client uses a refresh token: it gets new tokens, and the refresh token is dead (RFC 6749, 6).

use crate::Decision;
use crate::account::users::TokenHash;
use crate::id::{GrantNumber, OauthClientId, UserId};
use crate::oauth::grants::Grants;
use crate::oauth::grants::event::GrantsEvent;
use crate::oauth::grants::grant::{Grant, RefreshToken, UsedBy};
use crate::oauth::grants::rejection::{GrantType, TokenRejection};
use crate::oauth::scope::OauthScopes;
use crate::operator::token::MadeToken;
use switchboard_engine::state::{Command, Moment};

/// A client uses a refresh token. Its secret was right.
#[derive(Clone, Debug)]
pub struct Refresh {
    /// The client.
    pub client: OauthClientId,
    /// The refresh token.
    pub token: TokenHash,
    /// The request.
    pub by: UsedBy,
}

/// The tokens for a client.
#[derive(Clone, Debug)]
pub struct Issued {
    /// The user for whom the client acts.
    pub user: UserId,
    /// The grant that access tokens name.
    pub grant: GrantNumber,
    /// The scopes that the administrator granted last.
    pub scopes: OauthScopes,
    /// The refresh token; there is no other moment to see it.
    pub refresh_token: MadeToken,
}

impl Command for Refresh {
    type Of = Grants;
    type Reply = Issued;
    type Rejection = TokenRejection;

    fn decide(
        self,
        state: &Grants,
        moment: &mut Moment<'_, GrantsEvent>,
    ) -> Result<Decision<GrantsEvent, Issued>, TokenRejection> {
        let token = state.usable_refresh_token(self.client, &self.token)?;
        if token.expires_at() <= moment.now {
            let grant_type = GrantType::RefreshToken;
            return Err(TokenRejection::Expired(grant_type, token.expires_at()));
        }
        let (refresh, issued) = issued(state, self.client, token.user, moment);
        let event = GrantsEvent::Refreshed {
            client: self.client,
            used: self.token,
            by: self.by,
            refresh,
        };
        Ok(Decision::event(event, issued))
    }
}

/// A new refresh token, as it is kept and as the client gets it.
pub(super) fn issued(
    state: &Grants,
    client: OauthClientId,
    user: UserId,
    moment: &mut Moment<'_, GrantsEvent>,
) -> (RefreshToken, Issued) {
    let new_token = MadeToken::new(moment);
    let refresh = RefreshToken {
        hash: TokenHash::new(new_token.expose()),
        user,
        issued_at: moment.now,
        used_by: None,
    };
    let issued = Issued {
        user,
        grant: state.number_for(client),
        scopes: state.granted(client).cloned().unwrap_or_default(),
        refresh_token: new_token,
    };
    (refresh, issued)
}

impl Grants {
    /// The scopes of the grant to this client that is in force.
    pub(super) fn granted(&self, client: OauthClientId) -> Option<&OauthScopes> {
        self.get(client).map(|grant| &grant.scopes)
    }

    /// The refresh token with this hash, if the client may still use it, whatever its age.
    fn usable_refresh_token(
        &self,
        client: OauthClientId,
        hash: &TokenHash,
    ) -> Result<&RefreshToken, TokenRejection> {
        let grant_type = GrantType::RefreshToken;
        let token_record =
            self.grant_with(client, grant_type, |grant| grant.refresh_token(hash))?;
        let token = token_record.ok_or_else(|| self.unknown(client, hash, grant_type))?;
        match &token.used_by {
            Some(by) => Err(TokenRejection::Used(grant_type, by.clone())),
            None => Ok(token),
        }
    }

    /// Returns the reason that the client has nothing of this type with this hash: it may be valid for the other grant
    /// type.
    pub(super) fn unknown(
        &self,
        client: OauthClientId,
        hash: &TokenHash,
        sent: GrantType,
    ) -> TokenRejection {
        let is_of_other_type = self.get(client).is_some_and(|grant| match sent {
            GrantType::Code => {
                let token = grant.refresh_token(hash);
                token.is_some_and(|token| token.used_by.is_none())
            }
            GrantType::RefreshToken => {
                let code = grant.code(hash);
                code.is_some_and(|code| code.used_by.is_none())
            }
        });
        if is_of_other_type {
            TokenRejection::OtherGrantType(sent)
        } else {
            TokenRejection::Unknown(sent)
        }
    }

    /// Returns the result of `find` in the grant to this client, or an error when only another client's grant has it,
    /// or when the client has no grant any more.
    pub(super) fn grant_with<'g, T>(
        &'g self,
        client: OauthClientId,
        sent: GrantType,
        find: impl Fn(&'g Grant) -> Option<T>,
    ) -> Result<Option<T>, TokenRejection> {
        if let Some(result) = self.get(client).and_then(&find) {
            return Ok(Some(result));
        }
        if self.iter().any(|(_, grant)| find(grant).is_some()) {
            return Err(TokenRejection::OtherClient(sent));
        }
        match self.ended(client) {
            Some(at) => Err(TokenRejection::Uninstalled(at)),
            None => Ok(None),
        }
    }
}
