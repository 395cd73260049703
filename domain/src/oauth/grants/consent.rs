//! An administrator of an account consents: the client gets an authorization code.

use std::convert::Infallible;

use crate::Decision;
use crate::account::users::TokenHash;
use crate::audit::By;
use crate::id::{GrantNumber, OauthClientId, UserId};
use crate::oauth::grants::Grants;
use crate::oauth::grants::event::GrantsEvent;
use crate::oauth::grants::grant::Code;
use crate::oauth::grants::revoke::entry;
use crate::oauth::redirect::{CodeChallenge, RedirectUri};
use crate::oauth::scope::OauthScopes;
use crate::operator::token::MadeToken;
use switchboard_engine::state::{Command, Moment};

/// An administrator consents. Who may, and which client, is checked before.
#[derive(Clone, Debug)]
pub struct Consent {
    /// The actor, for the audit log.
    pub by: By,
    /// The administrator.
    pub user: UserId,
    /// The client.
    pub client: OauthClientId,
    /// The redirect address of the client.
    pub redirect_uri: RedirectUri,
    /// The challenge that the exchange of the code must answer.
    pub challenge: Option<CodeChallenge>,
    /// The scopes that the administrator grants.
    pub scopes: OauthScopes,
}

impl Grants {
    /// The number of the grant to this client: of the one in force, or of a new one.
    pub(super) fn number_for(&self, client: OauthClientId) -> GrantNumber {
        let number = self.get(client).map(|grant| grant.number);
        number.unwrap_or(GrantNumber(self.last.saturating_add(1)))
    }
}

impl Command for Consent {
    type Of = Grants;
    type Reply = MadeToken;
    type Rejection = Infallible;

    fn decide(
        self,
        state: &Grants,
        moment: &mut Moment<'_, GrantsEvent>,
    ) -> Result<Decision<GrantsEvent, MadeToken>, Infallible> {
        let new_token = MadeToken::new(moment);
        let code = Code {
            hash: TokenHash::new(new_token.expose()),
            user: self.user,
            issued_at: moment.now,
            redirect_uri: self.redirect_uri,
            challenge: self.challenge,
            used_by: None,
        };
        let grant = state.number_for(self.client);
        let audit = entry(state, self.by, "grant.consent", self.client, moment)
            .change("grant", serde_json::Value::Null, grant.0)
            .change(
                "scopes",
                serde_json::json!(state.granted(self.client)),
                serde_json::json!(self.scopes),
            )
            .secret("code");
        let event = GrantsEvent::Consented {
            client: self.client,
            grant,
            code,
            scopes: self.scopes,
            audit: Box::new(audit),
        };
        Ok(Decision::event(event, new_token))
    }
}
