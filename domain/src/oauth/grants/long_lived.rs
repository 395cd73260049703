//! An administrator creates and revokes long-lived tokens of a client.

use crate::Decision;
use crate::audit::By;
use crate::id::{GrantNumber, OauthClientId, TokenId, UserId};
use crate::oauth::grants::Grants;
use crate::oauth::grants::event::GrantsEvent;
use crate::oauth::grants::grant::{LONG_LIVED_MAX, LongLivedToken};
use crate::oauth::grants::revoke::entry;
use crate::oauth::scope::OauthScopes;
use crate::text::Name;
use crate::time::UnixMillis;
use switchboard_engine::state::{Command, Moment};

/// An administrator creates a long-lived token. The client need not have exchanged a code before.
#[derive(Clone, Debug)]
pub struct CreateLongLived {
    /// The actor, for the audit log.
    pub by: By,
    /// The administrator, for whom the client acts.
    pub user: UserId,
    /// The client.
    pub client: OauthClientId,
    /// Its purpose.
    pub name: Name,
    /// The time from which it is refused.
    pub expires_at: UnixMillis,
    /// The scopes that the client asks for, which it gets if the token installs it. Else those of the grant hold.
    pub asked: OauthScopes,
}

/// A new long-lived token, with what its text says.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct CreatedLongLived {
    /// The grant that it names.
    pub grant: GrantNumber,
    /// The token.
    pub token: LongLivedToken,
    /// The scopes of the grant.
    pub scopes: OauthScopes,
}

/// There are too many long-lived tokens.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error(
    "the client has {LONG_LIVED_MAX} long-lived tokens in this account, the maximum; revoke one that is not needed"
)]
pub struct CreateLongLivedRejection;

impl Command for CreateLongLived {
    type Of = Grants;
    type Reply = CreatedLongLived;
    type Rejection = CreateLongLivedRejection;

    fn decide(
        self,
        state: &Grants,
        moment: &mut Moment<'_, GrantsEvent>,
    ) -> Result<Decision<GrantsEvent, Self::Reply>, CreateLongLivedRejection> {
        let current = state.get(self.client);
        let tokens = current.into_iter().flat_map(|grant| &grant.long_lived);
        if tokens.filter(|token| token.expires_at > moment.now).count() >= LONG_LIVED_MAX {
            return Err(CreateLongLivedRejection);
        }
        let last = current.map_or(0, |grant| grant.last_token);
        let token = LongLivedToken {
            id: TokenId(last.saturating_add(1)),
            name: self.name,
            user: self.user,
            created_at: moment.now,
            expires_at: self.expires_at,
        };
        let grant = state.number_for(self.client);
        let granted = state.granted(self.client).cloned();
        let scopes = granted.unwrap_or(self.asked);
        let audit = entry(state, self.by, "grant.create_token", self.client, moment)
            .change("name", serde_json::Value::Null, token.name.as_str())
            .change(
                "expires_at",
                serde_json::Value::Null,
                token.expires_at.secs(),
            )
            .secret("token");
        let event = GrantsEvent::LongLivedIssued {
            client: self.client,
            grant,
            token: token.clone(),
            scopes: scopes.clone(),
            audit: Box::new(audit),
        };
        let created = CreatedLongLived {
            grant,
            token,
            scopes,
        };
        Ok(Decision::event(event, created))
    }
}

/// An administrator revokes a long-lived token: it is refused from now on.
#[derive(Clone, Debug)]
pub struct RevokeLongLived {
    /// The actor, for the audit log.
    pub by: By,
    /// The client.
    pub client: OauthClientId,
    /// The token.
    pub token: TokenId,
}

/// There is no such token.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("the client has no such long-lived token in this account")]
pub struct RevokeLongLivedRejection;

impl Command for RevokeLongLived {
    type Of = Grants;
    type Reply = ();
    type Rejection = RevokeLongLivedRejection;

    fn decide(
        self,
        state: &Grants,
        moment: &mut Moment<'_, GrantsEvent>,
    ) -> Result<Decision<GrantsEvent, ()>, RevokeLongLivedRejection> {
        let grant = state.get(self.client).ok_or(RevokeLongLivedRejection)?;
        let mut tokens = grant.long_lived.iter();
        let token = tokens.find(|token| token.id == self.token);
        let name = token.ok_or(RevokeLongLivedRejection)?.name.as_str();
        let audit = entry(state, self.by, "grant.revoke_token", self.client, moment)
            .change("token", self.token.0, serde_json::Value::Null)
            .change("name", name, serde_json::Value::Null);
        let event = GrantsEvent::LongLivedRevoked {
            client: self.client,
            token: self.token,
            audit: Box::new(audit),
        };
        Ok(Decision::event(event, ()))
    }
}
