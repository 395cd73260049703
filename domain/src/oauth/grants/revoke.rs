//! An account uninstalls a client: its grant ends, with all codes and tokens.

use crate::Decision;
use crate::audit::{AuditEntry, By};
use crate::id::OauthClientId;
use crate::oauth::grants::Grants;
use crate::oauth::grants::event::GrantsEvent;
use crate::oauth::grants::grant::PendingHook;
use switchboard_engine::state::{Command, Moment};

/// An account uninstalls a client.
#[derive(Clone, Debug)]
pub struct RevokeGrant {
    /// The actor, for the audit log.
    pub by: By,
    /// The client.
    pub client: OauthClientId,
    /// True when the client wants a report.
    pub has_hook: bool,
}

/// The client is not installed.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("the account has not installed the client")]
pub struct RevokeGrantRejection;

impl Command for RevokeGrant {
    type Of = Grants;
    type Reply = ();
    type Rejection = RevokeGrantRejection;

    fn decide(
        self,
        state: &Grants,
        moment: &mut Moment<'_, GrantsEvent>,
    ) -> Result<Decision<GrantsEvent, ()>, RevokeGrantRejection> {
        let grant = state.get(self.client).ok_or(RevokeGrantRejection)?.number;
        let (client, at) = (self.client, moment.now);
        let audit = entry(state, self.by, "grant.revoke", client, moment).change(
            "grant",
            grant.0,
            serde_json::Value::Null,
        );
        let event = GrantsEvent::Revoked {
            client,
            at,
            hook: self.has_hook.then_some(PendingHook { client, grant, at }),
            audit: Box::new(audit),
        };
        Ok(Decision::event(event, ()))
    }
}

/// An entry about the grant to this client.
pub(super) fn entry(
    state: &Grants,
    by: By,
    action: &str,
    client: OauthClientId,
    moment: &mut Moment<'_, GrantsEvent>,
) -> AuditEntry {
    AuditEntry::new(by, action, client, moment).of_account(state.account)
}
