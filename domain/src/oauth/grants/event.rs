//! The events of the grants of an account.

use serde::{Deserialize, Serialize};

use crate::account::users::TokenHash;
use crate::audit::AuditEntry;
use crate::id::{GrantNumber, OauthClientId, TokenId};
use crate::oauth::grants::grant::{
    Code, LongLivedToken, PendingHook, RefreshToken, UsedBy, WaitingHook,
};
use crate::oauth::scope::OauthScopes;
use crate::time::UnixMillis;

/// An event of the grants of an account.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum GrantsEvent {
    /// An administrator consented; the client gets a code.
    Consented {
        /// The client.
        client: OauthClientId,
        /// The grant, which may be new.
        grant: GrantNumber,
        /// The code.
        code: Code,
        /// The scopes, which replace those of an earlier consent.
        scopes: OauthScopes,
        /// The audit entry.
        audit: Box<AuditEntry>,
    },
    /// The client exchanged a code.
    CodeUsed {
        /// The client.
        client: OauthClientId,
        /// The code.
        code: TokenHash,
        /// The request.
        by: UsedBy,
        /// The refresh token that the client got.
        refresh: RefreshToken,
    },
    /// The client used a refresh token.
    Refreshed {
        /// The client.
        client: OauthClientId,
        /// The refresh token that is used now.
        used: TokenHash,
        /// The request.
        by: UsedBy,
        /// The refresh token that the client got.
        refresh: RefreshToken,
    },
    /// An administrator created a long-lived token.
    LongLivedIssued {
        /// The client.
        client: OauthClientId,
        /// The grant, which may be new.
        grant: GrantNumber,
        /// The token.
        token: LongLivedToken,
        /// The scopes of the grant.
        scopes: OauthScopes,
        /// The audit entry.
        audit: Box<AuditEntry>,
    },
    /// A long-lived token was revoked.
    LongLivedRevoked {
        /// The client.
        client: OauthClientId,
        /// The token.
        token: TokenId,
        /// The audit entry.
        audit: Box<AuditEntry>,
    },
    /// The account uninstalled the client: its codes and tokens are refused from now on.
    Revoked {
        /// The client.
        client: OauthClientId,
        /// The time of the event.
        at: UnixMillis,
        /// The report to the client.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        hook: Option<PendingHook>,
        /// The audit entry.
        audit: Box<AuditEntry>,
    },
    /// An attempt to send a report of an uninstallation begins, or failed.
    HookAttempted {
        /// The report as it waits now.
        waiting: WaitingHook,
    },
    /// A report of an uninstallation arrived, or was given up.
    HookEnded {
        /// The report.
        hook: PendingHook,
        /// The audit entry, with the outcome.
        audit: Box<AuditEntry>,
    },
}
